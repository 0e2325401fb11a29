import { dayMs } from '#kernel/time/civil.ts';
import { printLocalDate } from '#kernel/time/local.ts';
import type { Database } from '#platform/db.ts';
import { joinReadings, known, type Reading, readTogether } from '#platform/reading.ts';
import { Recall } from '#platform/recall.ts';
import type { OpenHoursOf } from './rules/followed-policy.ts';
import { hoursReading, revisionsReading, type StoredHours } from './store/hours-reading.ts';

/** As they were under that revision, from that moment on. */
interface KnownHours {
  revision: string | undefined;
  fromMs: number;
  stored: StoredHours;
}

const recalled = new Recall<KnownHours>(8_000_000);

/**
 * The stored hours that count, in the order asked, as they are now. Those that were read before are read again only where
 * their revision, which is read each time, is another: reading them all took two thirds of what slots cost PostgreSQL.
 * One query, two after a change.
 */
export function recallHours(
  db: Database,
  asked: readonly OpenHoursOf[],
  fromMs: number,
): Reading<(StoredHours | null)[]> {
  const found = new Map<string, KnownHours>();
  for (const key of asked.map(keyOf)) {
    const one = recalled.get(key);
    if (one !== undefined && one.fromMs <= fromMs) found.set(key, one);
  }
  const unknown = asked.filter((one) => !found.has(keyOf(one)));
  return joinReadings([revisionsOf(asked), hoursOf(unknown, fromMs)], async ([revisions, hours]) => {
    keep(unknown, revisions, hours);
    const changed = asked.filter((one) => found.get(keyOf(one))?.revision !== revisions.get(one.userId));
    if (changed.length > 0)
      keep(changed, ...(await readTogether(db, [revisionsOf(changed), hoursOf(changed, fromMs)])));
    return asked.map((one) => found.get(keyOf(one))?.stored ?? null);
  });

  function keep(
    these: readonly OpenHoursOf[],
    revisions: ReadonlyMap<string, string>,
    hours: readonly StoredHours[],
  ): void {
    const storedOf = new Map(hours.map((stored) => [stored.userId, stored]));
    for (const one of these) {
      const stored = storedOf.get(one.userId);
      if (stored === undefined) continue;
      const entry = { revision: revisions.get(one.userId), fromMs, stored };
      found.set(keyOf(one), entry);
      recalled.set(keyOf(one), entry);
    }
  }
}

function keyOf({ userId, policy }: OpenHoursOf): string {
  if (policy.kind === 'default') return userId;
  return `${userId} ${policy.policyId} ${policy.kind === 'version' ? policy.n : ''}`;
}

const idsOf = (asked: readonly OpenHoursOf[]) => [...new Set(asked.map(({ userId }) => userId))];

const revisionsOf = (asked: readonly OpenHoursOf[]) => revisionsReading(idsOf(asked));

function hoursOf(asked: readonly OpenHoursOf[], fromMs: number): Reading<StoredHours[]> {
  if (asked.length === 0) return known([]);
  const policies = asked.map(({ policy }) => policy);
  const wanted = {
    userIds: idsOf(asked),
    policyIds: policies.flatMap((policy) => (policy.kind === 'policy' ? [policy.policyId] : [])),
    pinned: policies.filter((policy) => policy.kind === 'version'),
  };
  return hoursReading(wanted, fromMs, printLocalDate(fromMs - 4 * dayMs));
}
