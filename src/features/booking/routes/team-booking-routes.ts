import { bindRoutes } from '#platform/routes.ts';
import { addStandIn } from '../add-stand-in.ts';
import { listTeamConferences } from '../conferences/conferences.ts';
import { countToCome } from '../count-to-come.ts';
import { handOver } from '../hand-over.ts';
import { listTakersOf } from '../list-takers-of.ts';
import { readChanged } from '../read-changed.ts';
import { reassignBooking } from '../reassign-booking.ts';
import { removeStandIn } from '../remove-stand-in.ts';
import { teamBookingEndpoints } from '../rules/team-endpoints.ts';
import { showStandIns } from '../show-stand-ins.ts';

export const teamBookingRoutes = bindRoutes(teamBookingEndpoints, {
  listTakers: ({ app, actor, input }) => listTakersOf(app, actor, input.params.booking_id),
  reassignBooking: async ({ app, actor, input }) => {
    await reassignBooking(app, actor, input.params.booking_id, input.body);
    return { booking: await readChanged(app, { id: input.params.booking_id }) };
  },
  readToCome: async ({ app, actor, input: { params } }) => ({
    to_come: await countToCome(app, actor, params.team_id, params.user_id),
  }),
  handOver: ({ app, actor, input }) => handOver(app, actor, input.params.team_id, input.body),
  listTeamConferences: ({ app, actor, input }) => listTeamConferences(app, actor, input.params.team_id),
  listStandIns: ({ app, actor, input }) => showStandIns(app, actor, input.params.team_id),
  addStandIn: async ({ app, actor, input }) => {
    await addStandIn(app, actor, input.params.team_id, input.body);
    return showStandIns(app, actor, input.params.team_id);
  },
  removeStandIn: ({ app, actor, input }) => removeStandIn(app, actor, input.params.team_id, input.params.stand_in_id),
});
