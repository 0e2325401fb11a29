import { bindRoutes } from '#platform/routes.ts';
import { explainSlot } from '../explain-slot.ts';
import { listPublicSlots } from '../list-public-slots.ts';
import { slotEndpoints } from '../rules/slot-endpoints.ts';

export const slotRoutes = bindRoutes(slotEndpoints, {
  listSlots: ({ app, input }) => listPublicSlots(app, input.params, input.query),
  explainSlot: ({ app, actor, input }) => explainSlot(app, actor, input.query),
});
