import { ownerZonesReading } from '#features/accounts/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { PolicyId, UserId } from '#kernel/ids.ts';
import type { HoursFrom } from '#kernel/slots/slot-question.ts';
import { dayMs, hourMs } from '#kernel/time/civil.ts';
import { intersectSpans, normalizeSpans, type Span } from '#kernel/time/intervals.ts';
import { printInstant, printLocalDate } from '#kernel/time/local.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { Database, Tx } from '#platform/db.ts';
import { joinReadings, known, type Reading, readAlone, readTogether } from '#platform/reading.ts';
import { Recall } from '#platform/recall.ts';
import { availabilityChanged, availabilityTopic } from './events.ts';
import { listHolidays } from './holidays.ts';
import type { FollowedPolicy, OpenHoursOf } from './rules/followed-policy.ts';
import { defaultHours, type Hours } from './rules/hours.ts';
import {
  awaySpans,
  type CompiledFacts,
  compileFacts,
  compileHours,
  type DayFacts,
  openSpans,
} from './rules/open-spans.ts';
import { always, defaultInForce, type InForce, inForceAt, versionsOf } from './rules/versions-in-force.ts';
import { hoursReading, revisionsReading, type StoredHours } from './store/hours-reading.ts';

interface OpenHours {
  userId: UserId;
  /** In which the hours are read now: the person's days, weeks and months. */
  zone: string;
  /** *Shape*: a span list within the range. */
  spans: Span[];
  /** Where the hours change within the range: each as if they had never been others, as the engine of slots takes them. */
  hours: HoursFrom[] | undefined;
  /** The policy versions in force, each from `fromMs` until the next. `policyId` null, n 0: nothing was ever saved. */
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

/**
 * Days off of people by their default hours: times out of office, holidays and days without hours; never why.
 * Weekdays that are never open are not among them. Queries as of `listOpenHours`.
 *
 * *Shape*: a span list within the range for each person.
 */
export async function listAway(
  db: Database,
  userIds: readonly UserId[],
  range: Span,
  nowMs: number,
): Promise<Map<UserId, Span[]>> {
  const asked = userIds.map((userId) => ({ userId, policy: { kind: 'default' as const } }));
  const found = await readAlone(db, openHoursReading(db, asked, range, nowMs, awaySpans));
  return new Map(found.map(({ userId, spans }) => [userId, spans]));
}

/** Longer than any day: a start counts from the beginning of its open time, or from midnight. */
export const dayBeforeMs = 25 * hourMs;

/** `sinceMs`: hours before it are as those at it, whatever they were. */
type HoursRange = Span & { sinceMs?: number };

/** The same, for who reads more at once. */
export function openHoursReading(
  db: Database,
  asked: readonly OpenHoursOf[],
  range: HoursRange,
  nowMs: number,
  read = openSpans,
): Reading<OpenHours[]> {
  const zones = ownerZonesReading([...new Set(asked.map(({ userId }) => userId))]);
  const stored = recalledHoursReading(db, asked, Math.min(range.sinceMs ?? range.startMs, nowMs));
  return joinReadings([zones, stored], ([zoneOf, hours]) => answerAll(asked, zoneOf, hours, { range, nowMs, read }));
}

function answerAll(
  asked: readonly OpenHoursOf[],
  zoneOf: ReadonlyMap<UserId, string>,
  hours: readonly (StoredHours | null)[],
  at: { range: HoursRange; nowMs: number; read: typeof openSpans },
): Promise<OpenHours[]> {
  return Promise.all(
    asked.map(async ({ userId, policy }, n) => {
      const [own, zone] = [hours[n], zoneOf.get(userId)];
      if (!own || zone === undefined) return { userId, zone: 'UTC', spans: [], hours: undefined, versions: [] };
      const facts = own.holidays === null ? factsOf(own) : compileFacts(await factsIn(own, own.holidays, at.range));
      const inForce = sinceOnly(followed(own, policy, zone), at.range.sinceMs ?? always);
      return { userId, ...answer(inForce, facts, at, zone) };
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

function sinceOnly(inForce: InForce<Version>[], sinceMs: number): InForce<Version>[] {
  const from = inForce.findLastIndex(({ fromMs }) => fromMs <= sinceMs);
  return inForce.slice(Math.max(0, from)).map((one, n) => (n === 0 && from > 0 ? { ...one, fromMs: always } : one));
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
  { range, nowMs, read }: { range: Span; nowMs: number; read: typeof openSpans },
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
    open: read(hoursOf(version.hours), facts, {
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

// hours are compiled once, and kept as long as their cached rows
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

const longestMs = 400 * dayMs;

/** When a person is open by their default. *Errors*: invalid RANGE. */
export async function getOpenHours(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { userId }: Actor,
  { from, to }: { from: string; to: string },
): Promise<{ zone: string; spans: { start: string; end: string }[] }> {
  const startMs = Temporal.Instant.from(from).epochMilliseconds;
  const endMs = Temporal.Instant.from(to).epochMilliseconds;
  if (!(startMs < endMs && endMs - startMs <= longestMs))
    throw new AppError('invalid', 'RANGE', 'Choose a range of up to 400 days that ends after it begins.');
  const [open] = await listOpenHours(db, [{ userId, policy: { kind: 'default' } }], { startMs, endMs }, clock.nowMs());
  const spans = open?.spans ?? [];
  return {
    zone: open?.zone ?? 'UTC',
    spans: spans.map((span) => ({ start: printInstant(span.startMs), end: printInstant(span.endMs) })),
  };
}

/** As they were under that revision, from that moment on. */
interface KnownHours {
  revision: string | undefined;
  fromMs: number;
  stored: StoredHours;
}

const recalled = new Recall<KnownHours>(8_000_000);

/**
 * The stored hours that count, in the order asked, as they are now. Cached hours are read again only after their
 * revision changed, which is read each time. Reading them all took two thirds of PostgreSQL's cost of slots. One query,
 * two after a change.
 */
function recalledHoursReading(
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
  return joinReadings([revisionsOf(asked), storedHoursOf(unknown, fromMs)], async ([revisions, hours]) => {
    keep(unknown, revisions, hours);
    const changed = asked.filter((one) => found.get(keyOf(one))?.revision !== revisions.get(one.userId));
    if (changed.length > 0)
      keep(changed, ...(await readTogether(db, [revisionsOf(changed), storedHoursOf(changed, fromMs)])));
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

function storedHoursOf(asked: readonly OpenHoursOf[], fromMs: number): Reading<StoredHours[]> {
  if (asked.length === 0) return known([]);
  const policies = asked.map(({ policy }) => policy);
  const wanted = {
    userIds: idsOf(asked),
    policyIds: policies.flatMap((policy) => (policy.kind === 'policy' ? [policy.policyId] : [])),
    pinned: policies.filter((policy) => policy.kind === 'version'),
  };
  return hoursReading(wanted, fromMs, printLocalDate(fromMs - 4 * dayMs));
}

/** Tells who listens, and the person's open browsers, that they are open at other times. */
export async function notifyHoursChanged(app: Pick<App, 'news' | 'feed'>, tx: Tx, userId: UserId): Promise<void> {
  await app.news.announce(tx, availabilityChanged, { userId });
  await app.feed.publish(tx, userId, availabilityTopic);
}
