import { ownerZonesReading } from '#features/accounts/public.ts';
import type { PolicyId, UserId } from '#kernel/ids.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { normalizeSpans, type Span } from '#kernel/time/intervals.ts';
import { printLocalDate } from '#kernel/time/local.ts';
import type { Database } from '#platform/db.ts';
import { joinReadings, type Reading, readAlone } from '#platform/reading.ts';
import { listHolidays } from './list-holidays.ts';
import { defaultHours, type Hours } from './rules/hours.ts';
import { type CompiledFacts, compileFacts, compileHours, type DayFacts, openSpans } from './rules/open-spans.ts';
import { always, defaultInForce, type InForce, inForceAt, versionsOf } from './rules/versions-in-force.ts';
import { hoursReading, type StoredHours } from './store/hours-reading.ts';

/** Which hours count: the person's default, what a policy says, or one version of it for good. */
export type FollowedPolicy =
  | { kind: 'default' }
  | { kind: 'policy'; policyId: PolicyId }
  | { kind: 'version'; policyId: PolicyId; n: number };

export interface OpenHoursOf {
  userId: UserId;
  policy: FollowedPolicy;
}

export interface OpenHours {
  userId: UserId;
  /** In which the hours are read now: the person's days, weeks and months. */
  zone: string;
  /** *Shape*: a span list within the range. */
  spans: Span[];
  /** What allowed them, from `fromMs` until the next. `policyId` null, n 0: the default of who never saved hours. */
  versions: { fromMs: number; policyId: PolicyId | null; n: number }[];
}

/**
 * When people are open, with overrides, days off, holidays and travel, before anything that takes time; an answer for
 * each question, in their order. A policy that is not the person's is never open. One query whatever the number.
 *
 * *Shape*: spans half-open, epoch ms.
 */
export function listOpenHours(
  db: Database,
  asked: readonly OpenHoursOf[],
  range: Span,
  nowMs: number,
): Promise<OpenHours[]> {
  return readAlone(db, openHoursReading(asked, range, nowMs));
}

/** The same, for who reads more at once. */
export function openHoursReading(asked: readonly OpenHoursOf[], range: Span, nowMs: number): Reading<OpenHours[]> {
  const userIds = [...new Set(asked.map(({ userId }) => userId))];
  const policies = asked.map(({ policy }) => policy);
  const wanted = {
    userIds,
    policyIds: policies.flatMap((policy) => (policy.kind === 'policy' ? [policy.policyId] : [])),
    pinned: policies.filter((policy) => policy.kind === 'version'),
  };
  const fromMs = Math.min(range.startMs, nowMs);
  const stored = hoursReading(wanted, fromMs, printLocalDate(fromMs - 4 * dayMs));
  return joinReadings([ownerZonesReading(userIds), stored], ([zones, hours]) =>
    answerAll(asked, zones, hours, range, nowMs),
  );
}

async function answerAll(
  asked: readonly OpenHoursOf[],
  zones: ReadonlyMap<UserId, string>,
  stored: readonly StoredHours[],
  range: Span,
  nowMs: number,
): Promise<OpenHours[]> {
  const hoursOf = new Map(stored.map((one) => [one.userId, one]));
  const factsOf = new Map<UserId, CompiledFacts>();
  for (const one of stored) factsOf.set(one.userId, compileFacts(await factsIn(one, range)));
  return asked.map(({ userId, policy }) => {
    const own = hoursOf.get(userId);
    const zone = zones.get(userId);
    const facts = factsOf.get(userId);
    if (own === undefined || zone === undefined || facts === undefined)
      return { userId, zone: 'UTC', spans: [], versions: [] };
    return { userId, ...answer(followed(own, policy, zone), facts, range, nowMs, zone) };
  });
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
      const first = { version: { policyId: null, n: 0, hours: defaultHours(ownerZone) }, fromMs: always };
      return [first, ...defaultInForce(own.defaults, own.versions)];
    }
  }
}

async function factsIn({ daysOff, travels, holidays }: StoredHours, range: Span): Promise<DayFacts> {
  if (holidays === null) return { daysOff, travels, holidays: [] };
  const days = await listHolidays(holidays.country, holidays.region, range);
  const free = days.filter(({ rule }) => !holidays.worked.includes(rule));
  return { daysOff, travels, holidays: free.map(({ day }) => day) };
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
  return {
    zone: inForceAt(inForce, nowMs)?.hours.timezone ?? ownerZone,
    spans: normalizeSpans(parts.flatMap((part) => openSpans(compileHours(part.version.hours), facts, part))),
    versions: parts.map(({ version: { policyId, n }, startMs }) => ({ fromMs: startMs, policyId, n })),
  };
}
