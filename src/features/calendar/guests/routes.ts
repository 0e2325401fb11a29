import { bindRoutes } from '#platform/routes.ts';
import { guestsContract } from './contract.ts';
import { listGuestTimes } from './guest-times.ts';

export const guestRoutes = bindRoutes(guestsContract, {
  guestTimes: ({ app, actor, input }) => listGuestTimes(app, actor, input.body),
});
