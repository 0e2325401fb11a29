import type { EventTypeId, TeamId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { lockOwn } from './require-own.ts';
import { ownerOf } from './rules/type-hosts.ts';
import { orderTypes } from './store/event-type-rows.ts';
import { tellOwner } from './tell-owner.ts';

/** Orders the event types of the caller, or of a team with that permission. *Errors*: as `requirePermission`. */
export async function orderEventTypes(
  app: App,
  actor: Actor,
  { ids, team_id: teamId }: { ids: EventTypeId[]; team_id?: TeamId | undefined },
): Promise<void> {
  const owner = ownerOf(actor.userId, teamId ?? null);
  await inTransaction(app.db, async (tx) => {
    await lockOwn(tx, actor, owner);
    await orderTypes(tx, owner, ids);
    await tellOwner(app, tx, owner);
  });
}
