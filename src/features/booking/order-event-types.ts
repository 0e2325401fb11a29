import type { EventTypeId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { typesTopic } from './events.ts';
import { orderTypes } from './store/event-type-rows.ts';

export async function orderEventTypes(app: App, { userId }: Actor, ids: EventTypeId[]): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    await orderTypes(tx, userId, ids);
    await app.feed.publish(tx, userId, typesTopic);
  });
}
