import { listStored } from '#features/calendar/public.ts';
import type { RecId } from '#kernel/event.ts';
import type { CalendarId, ItemId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { loadWorld, pairsOf } from '../load-world.ts';
import { originOf } from '../plan-items.ts';
import { type Desired, desiredBlocks, pairFor } from '../rules/desired.ts';
import { explainDesired } from '../rules/explain-instance.ts';

interface InstanceKey {
  itemId: ItemId;
  recId: string;
}

/**
 * Decides for instances of series whether the block of their series includes them, in each target. A declined, freed, or
 * far date has no time in that block. Two queries. Answers for a target; true for single events.
 */
export async function seriesCoverage(
  db: Database,
  userId: UserId,
  keys: readonly InstanceKey[],
  nowMs: number,
): Promise<(key: InstanceKey, targetId: string) => boolean> {
  const ids = [...new Set(keys.filter(({ recId }) => recId !== '').map(({ itemId }) => itemId))];
  if (keys.length === 0) return () => true;
  const [world, items] = await Promise.all([loadWorld(db, userId, nowMs), listStored(db, userId, { ids })]);
  const pairs = pairsOf(world);
  const planned = { uid: null, problem: null, startsMs: null, endsMs: null, gone: false, change: 0 };
  const origins = new Map(
    items.map(({ itemId, provenance, ...item }) => [
      itemId,
      originOf(world, { ...planned, ...item, id: itemId, own: provenance === 'own' }, item.ref),
    ]),
  );
  const known = new Map<string, Desired>();
  return ({ itemId, recId }, targetId) => {
    const origin = origins.get(itemId);
    const pair = origin === undefined ? null : pairs.find(origin.calendarId, targetId as CalendarId);
    // without a rule, a block that is left stays as it was written
    if (recId === '' || origin === undefined || pair === null) return true;
    const ruled = pairFor(pair, itemId);
    const key = `${itemId} ${targetId}`;
    const desired = known.get(key) ?? desiredBlocks(origin, ruled, nowMs);
    known.set(key, desired);
    // its block stays as it was written
    if (desired.skipped === 'too-dense') return true;
    return explainDesired(desired, origin, recId as RecId, ruled).block !== null;
  };
}
