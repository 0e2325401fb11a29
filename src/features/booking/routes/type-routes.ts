import { requirePermission } from '#features/teams/public.ts';
import { bindRoutes } from '#platform/routes.ts';
import { changeEventType } from '../change-event-type.ts';
import { changeHandle } from '../change-handle.ts';
import { changeTeamHandle } from '../change-team-handle.ts';
import { checkHandle } from '../check-handle.ts';
import { createEventType } from '../create-event-type.ts';
import { deleteEventType } from '../delete-event-type.ts';
import { duplicateEventType } from '../duplicate-event-type.ts';
import { listEventTypes } from '../list-event-types.ts';
import { listPoolMembers } from '../list-pool-members.ts';
import { orderEventTypes } from '../order-event-types.ts';
import { readOwnHandle } from '../read-own-handle.ts';
import { readTeamHandle } from '../read-team-handle.ts';
import { restoreEventType } from '../restore-event-type.ts';
import { typeEndpoints } from '../rules/type-endpoints.ts';
import { showType } from '../show-type.ts';
import { switchEventType } from '../switch-event-type.ts';

export const typeRoutes = bindRoutes(typeEndpoints, {
  readHandle: ({ app, actor }) => readOwnHandle(app, actor),
  checkHandle: async ({ app, actor, input }) => ({ state: await checkHandle(app, actor.userId, input.query.handle) }),
  changeHandle: async ({ app, actor, input }) => {
    await changeHandle(app, actor, input.body.handle);
    return readOwnHandle(app, actor);
  },
  readTeamHandle: ({ app, actor, input }) => readTeamHandle(app, actor, input.params.teamId),
  checkTeamHandle: async ({ app, actor, input: { params, query } }) => {
    await requirePermission(app.db, actor, params.teamId, 'change-team');
    return { state: await checkHandle(app, params.teamId, query.handle) };
  },
  changeTeamHandle: async ({ app, actor, input }) => {
    await changeTeamHandle(app, actor, input.params.teamId, input.body.handle);
    return readTeamHandle(app, actor, input.params.teamId);
  },
  listEventTypes: ({ app, actor }) => listEventTypes(app, actor.userId),
  createEventType: async ({ app, actor, input }) => showType(app, actor, await createEventType(app, actor, input.body)),
  readEventType: ({ app, actor, input }) => showType(app, actor, input.params.id),
  changeEventType: async ({ app, actor, input }) => {
    await changeEventType(app, actor, input.params.id, input.body);
    return showType(app, actor, input.params.id);
  },
  switchEventType: async ({ app, actor, input }) => {
    await switchEventType(app, actor, input.params.id, input.body);
    return showType(app, actor, input.params.id);
  },
  duplicateEventType: async ({ app, actor, input }) =>
    showType(app, actor, await duplicateEventType(app, actor, input.params.id)),
  orderEventTypes: ({ app, actor, input }) => orderEventTypes(app, actor, input.body),
  listPoolMembers: ({ app, actor, input }) => listPoolMembers(app, actor, input.params.id),
  deleteEventType: ({ app, actor, input }) => deleteEventType(app, actor, input.params.id),
  restoreEventType: async ({ app, actor, input }) => {
    await restoreEventType(app, actor, input.params.id);
    return showType(app, actor, input.params.id);
  },
});
