import type { ItemId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { takeAllowances } from '#platform/limits.ts';
import { markResync } from './mark-resync.ts';
import { resyncAllowance, resyncSubject } from './rules/resync-allowance.ts';

export interface Resynced {
  pending: number;
  queued: ItemId[];
  limited: ItemId[];
  nothing: ItemId[];
}

/** `resyncEvent` for many at once. Those asked for within the last minute are left as they are: asking twice does nothing. */
export async function resyncEvents(app: App, actor: Actor, itemIds: ItemId[]): Promise<Resynced> {
  const asked = [...new Set(itemIds)];
  const subjectOf = (itemId: ItemId) => resyncSubject(actor.userId, itemId);
  const taken = await takeAllowances(app.db, resyncAllowance, asked.map(subjectOf));
  const allowed = asked.filter((itemId) => taken.has(subjectOf(itemId)));
  const { pending, queued } = await markResync(app, actor, allowed);
  return {
    pending,
    queued: allowed.filter((itemId) => queued.has(itemId)),
    limited: asked.filter((itemId) => !taken.has(subjectOf(itemId))),
    nothing: allowed.filter((itemId) => !queued.has(itemId)),
  };
}
