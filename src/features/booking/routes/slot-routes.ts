import { bindRoutes } from '#platform/routes.ts';
import { explainSlot } from '../explain-slot.ts';
import { findBookable } from '../find-bookable.ts';
import { findOwnHeld } from '../find-booked.ts';
import { listPublicSlots } from '../list-public-slots.ts';
import { listSeriesDates } from '../list-series-dates.ts';
import { slotEndpoints } from '../rules/slot-endpoints.ts';
import { wantedTime } from '../rules/wanted-time.ts';

export const slotRoutes = bindRoutes(slotEndpoints, {
  listSlots: async ({ app, input, note }) =>
    listPublicSlots(app, input.params, { ...input.query, ...(await findOwnHeld(app, note)) }),
  listSeriesDates: async ({ app, input: { params, query } }) => {
    const offer = await findBookable(app, params);
    const { times, hold_id: holdId = null } = query;
    return { dates: await listSeriesDates(app, offer, wantedTime(offer, query), { times, holdId }) };
  },
  explainSlot: ({ app, actor, input }) => explainSlot(app, actor, input.query),
});
