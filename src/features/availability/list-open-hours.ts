import { ownerZonesReading } from '#features/accounts/public.ts';
import type { PolicyId, UserId } from '#kernel/ids.ts';
import type { HoursFrom } from '#kernel/slots/slot-question.ts';
import { hourMs } from '#kernel/time/civil.ts';
import { intersectSpans, normalizeSpans, type Span } from '#kernel/time/intervals.ts';
import type { Database } from '#platform/db.ts';
import { joinReadings, type Reading, readAlone } from '#platform/reading.ts';
import { listHolidays } from './list-holidays.ts';
import { recallHours } from './recall-hours.ts';
import type { FollowedPolicy, OpenHoursOf } from './rules/followed-policy.ts';
import { defaultHours, type Hours } from './rules/hours.ts';
import { type CompiledFacts, compileFacts, compileHours, type DayFacts, openSpans } from './rules/open-spans.ts';
import { always, defaultInForce, type InForce, inForceAt, versionsOf } from './rules/versions-in-force.ts';
import type { StoredHours } from './store/hours-reading.ts';

export interface OpenHours {
  userId: UserId;
  /** In which the hours are read now: the person's days, weeks and months. */
  zone: string;
  /** *Shape*: a span list within the range. */
  spans: Span[];
  /** Where the hours change within the range: each as if they had never been others, as the engine of slots takes them. */
  hours: HoursFrom[] | undefined;
  /** What allowed them, from `fromMs` until the next. `policyId` null, n 0: the default of who never saved hours. */
  versions: { fromMs: number; policyId: PolicyId | null; n: number }[];
}

/**
 * When people are open, with overrides, days off, holidays and travel, before anything that takes time; an answer for
 * each question, in their order. A policy that is not the person's is never open. One query whatever the number,
 * two where hours have changed since they were read.
 *
 * *Shape*: spans half-open, epoch ms.
 */
export function listOpenHours(
  db: Database,
  asked: readonly OpenHoursOf[],
  range: Span,
  nowMs: number,
): Promise<OpenHours[]> {
  return readAlone(db, openHoursReading(db, asked, range, nowMs));
}

/** Longer than any day: a start counts from the beginning of its open time, or from midnight. */
export const dayBeforeMs = 25 * hourMs;

/** The same, for who reads more at once. */
export function openHoursReading(
  db: Database,
  asked: readonly OpenHoursOf[],
  range: Span,
  nowMs: number,
): Reading<OpenHours[]> {
  const zones = ownerZonesReading([...new Set(asked.map(({ userId }) => userId))]);
  const stored = recallHours(db, asked, Math.min(range.startMs, nowMs));
  return joinReadings([zones, stored], ([zoneOf, hours]) => answerAll(asked, zoneOf, hours, range, nowMs));
}

function answerAll(
  asked: readonly OpenHoursOf[],
  zoneOf: ReadonlyMap<UserId, string>,
  hours: readonly (StoredHours | null)[],
  range: Span,
  nowMs: number,
): Promise<OpenHours[]> {
  return Promise.all(
    asked.map(async ({ userId, policy }, n) => {
      const [own, zone] = [hours[n], zoneOf.get(userId)];
      if (!own || zone === undefined) return { userId, zone: 'UTC', spans: [], hours: undefined, versions: [] };
      const facts = own.holidays === null ? factsOf(own) : compileFacts(await factsIn(own, own.holidays, range));
      return { userId, ...answer(followed(own, policy, zone), facts, range, nowMs, zone) };
    }),
  );
}

interface Version {
  policyId: PolicyId | null;
  n: number;
  hours: Hours;
}

function followed(own: StoredHours, policy: FollowedPolicy, ownerZone: string): InForce<Version>[] {
  switch (policy.kind) {
    case 'policy':
      return versionsOf(own.versions, policy.policyId);
    case 'version': {
      const version = own.versions.find(({ policyId, n }) => policyId === policy.policyId && n === policy.n);
      return version === undefined ? [] : [{ version, fromMs: always }];
    }
    case 'default': {
      const first = { version: { policyId: null, n: 0, hours: usualHours(ownerZone) }, fromMs: always };
      return [first, ...defaultsOf(own)];
    }
  }
}

async function factsIn(
  { daysOff, travels }: StoredHours,
  { country, region, worked }: NonNullable<StoredHours['holidays']>,
  range: Span,
): Promise<DayFacts> {
  const days = await listHolidays(country, region, range);
  return { daysOff, travels, holidays: days.filter(({ rule }) => !worked.includes(rule)).map(({ day }) => day) };
}

function answer(
  inForce: InForce<Version>[],
  facts: CompiledFacts,
  range: Span,
  nowMs: number,
  ownerZone: string,
): Omit<OpenHours, 'userId'> {
  const parts = inForce
    .map(({ version, fromMs }, i) => {
      const endMs = Math.min(range.endMs, inForce[i + 1]?.fromMs ?? range.endMs);
      return { version, startMs: Math.max(range.startMs, fromMs), endMs };
    })
    .filter(({ startMs, endMs }) => startMs < endMs);
  const hours = parts.map(({ version, startMs, endMs }) => ({
    fromMs: startMs,
    zone: version.hours.timezone,
    open: openSpans(hoursOf(version.hours), facts, {
      startMs: Math.max(range.startMs, startMs - dayBeforeMs),
      endMs,
    }),
  }));
  const [only] = hours;
  return {
    zone: inForceAt(inForce, nowMs)?.hours.timezone ?? ownerZone,
    spans:
      hours.length === 1 && only !== undefined
        ? only.open
        : normalizeSpans(hours.flatMap(({ open }, n) => intersectSpans(open, parts.slice(n, n + 1)))),
    hours: hours.length > 1 ? hours : undefined,
    versions: parts.map(({ version: { policyId, n }, startMs }) => ({ fromMs: startMs, policyId, n })),
  };
}

// of hours that are recalled: compiled once, and kept for as long as those are
const hoursOf = remembered(compileHours);
const defaultsOf = remembered(({ defaults, versions }: StoredHours) => defaultInForce(defaults, versions));
const factsOf = remembered((stored: StoredHours) => compileFacts({ ...stored, holidays: [] }));

const usual = new Map<string, Hours>();

/** At most one for each zone. */
function usualHours(ownerZone: string): Hours {
  const hours = usual.get(ownerZone) ?? defaultHours(ownerZone);
  usual.set(ownerZone, hours);
  return hours;
}

function remembered<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, Value>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}
