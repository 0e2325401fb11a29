import type { EventTypeId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { keepType } from './keep-type.ts';
import { loadType } from './load-type.ts';
import { putHosts } from './put-hosts.ts';
import { lockOwn } from './require-own.ts';
import { givenHost } from './rules/host-shapes.ts';
import { listTypesOf, orderTypes } from './store/event-type-rows.ts';
import { tellOwner } from './tell-owner.ts';

/** A copy right after it, not on the profile page before its person wants it there. *Errors*: AppError not-found, conflict (`TOO_MANY`). */
export async function duplicateEventType(app: App, actor: Actor, id: EventTypeId): Promise<EventTypeId> {
  const type = await loadType(app.db, actor, id);
  return inTransaction(app.db, async (tx) => {
    await lockOwn(tx, actor, type);
    const title = `${type.title.slice(0, 113)} (copy)`;
    const copyId = await keepType(tx, { ...type, title, slug: undefined, hidden: true });
    if (type.teamId !== null) {
      const { teamId, kind, settings, hosts } = type;
      await putHosts(app, tx, { id: copyId, teamId, kind, quorum: settings.quorum }, hosts.map(givenHost));
    }
    const order = (await listTypesOf(tx, type)).map((one) => one.id).filter((one) => one !== copyId);
    await orderTypes(tx, type, order.toSpliced(order.indexOf(id) + 1, 0, copyId));
    await tellOwner(app, tx, type);
    return copyId;
  });
}
