import { loadOwnerZone } from '#features/accounts/public.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { bindRoutes } from '#platform/routes.ts';
import { holdsContract } from './contract.ts';
import { changeHold, createHold, getHold, listHolds, removeHold, restoreHold } from './holds.ts';
import type { Hold } from './store.ts';
import { toShownHold } from './views.ts';

/** The answer to a change: the hold as it is now. */
async function after(change: Promise<Hold>, app: App, { userId }: Actor) {
  return { hold: toShownHold(await change, await loadOwnerZone(app.db, userId), app.clock.nowMs()) };
}

export const routes = bindRoutes(holdsContract, {
  listHolds: ({ app, actor }) => listHolds(app, actor),
  readHold: ({ app, actor, input }) => getHold(app, actor, input.params.hold_id),
  createHold: ({ app, actor, input }) => after(createHold(app, actor, input.body), app, actor),
  changeHold: ({ app, actor, input: { params, body } }) =>
    after(changeHold(app, actor, params.hold_id, body), app, actor),
  removeHold: ({ app, actor, input }) => after(removeHold(app, actor, input.params.hold_id), app, actor),
  restoreHold: ({ app, actor, input }) => after(restoreHold(app, actor, input.params.hold_id), app, actor),
});
