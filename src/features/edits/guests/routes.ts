import { bindRoutes } from '#platform/routes.ts';
import { guestBusyContract } from './contract.ts';
import { askGuestBusy } from './guest-busy.ts';

export const guestRoutes = bindRoutes(guestBusyContract, {
  guestBusy: ({ app, actor, input }) => askGuestBusy(app, actor, input.body),
});
