import type { EventTypeId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { findType } from './store/event-type-rows.ts';
import { countPassed, countTurns } from './store/pools.ts';

/** How what came to a round robin between two moments was shared out; null where it is none. Three queries. */
export async function listTurns(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  id: EventTypeId,
  range: { fromMs: number; toMs: number },
): Promise<{
  title: string;
  hosts: readonly { userId: UserId; weight: number }[];
  /** By whose turn it was; what its guest did not come to, or cancelled a day ahead, is no turn. */
  given: Map<UserId, number>;
  passed: { userId: UserId; why: string; times: number }[];
} | null> {
  const type = await findType(db, id);
  if (type?.kind !== 'round-robin') return null;
  const nowMs = clock.nowMs();
  const [turns, passed] = await Promise.all([
    countTurns(db, id, { sinceMs: range.fromMs - 1, untilMs: range.toMs, nowMs }),
    countPassed(db, id, { ...range, nowMs }),
  ]);
  return {
    title: type.title,
    hosts: type.hosts,
    given: new Map([...turns].map(([userId, { count }]) => [userId, count])),
    passed,
  };
}
