import { loadOwnerZone } from '#features/accounts/public.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { bindRoutes } from '#platform/routes.ts';
import { changeHold } from './change-hold.ts';
import { holdsContract } from './contract.ts';
import { createHold } from './create-hold.ts';
import { listHolds } from './list-holds.ts';
import { readHold } from './read-hold.ts';
import { removeHold } from './remove-hold.ts';
import { restoreHold } from './restore-hold.ts';
import { showHold } from './show-hold.ts';
import type { Hold } from './store/holds.ts';

/** What is changed is answered with how it stands now. */
async function after(change: Promise<Hold>, app: App, { userId }: Actor) {
  return { hold: showHold(await change, await loadOwnerZone(app.db, userId), app.clock.nowMs()) };
}

export const routes = bindRoutes(holdsContract, {
  listHolds: ({ app, actor }) => listHolds(app, actor),
  readHold: ({ app, actor, input }) => readHold(app, actor, input.params.hold_id),
  createHold: ({ app, actor, input }) => after(createHold(app, actor, input.body), app, actor),
  changeHold: ({ app, actor, input: { params, body } }) =>
    after(changeHold(app, actor, params.hold_id, body), app, actor),
  removeHold: ({ app, actor, input }) => after(removeHold(app, actor, input.params.hold_id), app, actor),
  restoreHold: ({ app, actor, input }) => after(restoreHold(app, actor, input.params.hold_id), app, actor),
});
