import { AppError } from '#kernel/errors.ts';
import type { ItemId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { takeAllowance } from '#platform/limits.ts';
import { markResync } from './mark-resync.ts';
import { resyncAllowance, resyncSubject } from './rules/resync-allowance.ts';

/** Checks and writes again every mirror of an event; at most once a minute per event. Answers how many. */
export async function resyncEvent(app: App, actor: Actor, itemId: ItemId): Promise<number> {
  await takeAllowance(app.db, resyncAllowance, resyncSubject(actor.userId, itemId));
  const { pending } = await markResync(app, actor, [itemId]);
  if (pending === 0) throw new AppError('not-found', 'NOT_FOUND', 'This event has no mirrors.');
  return pending;
}
