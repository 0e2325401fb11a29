import * as z from 'zod/mini';
import { percentileMs } from '#features/sync/rules/latency.ts';
import { instantMs } from '#kernel/codecs.ts';
import { decideProviderStatus, healthStates } from '../health/rules.ts';

/** Why readings were not answered as they should be. Its words are in `adminIntegrations.issue.<issue>`. */
const issueKinds = ['auth', 'limited', 'refused', 'silent'] as const;
type IssueKind = (typeof issueKinds)[number];

/** Results of the pulls from a kind of account in one hour. */
export interface HourOfCalls extends Readonly<Record<'answered' | IssueKind, number>> {
  hourMs: number;
  lastMs: number;
  latency: readonly number[];
}

export const figuresShape = z.object({
  status: z.enum(healthStates),
  /** Readings of the last 24 hours; not one of them without an answer counts as synced. */
  calls: z.int(),
  synced: z.int(),
  /** The share of failed pulls, or null without any. */
  errorPct: z.nullable(z.number()),
  /** The share of hours with pulls in the last 30 days in which at least half were answered. */
  uptimePct: z.nullable(z.number()),
  p50Ms: z.nullable(z.number()),
  p95Ms: z.nullable(z.number()),
  issues: z.array(z.object({ kind: z.enum(issueKinds), count: z.int() })),
  lastAt: z.nullable(instantMs),
});
type IntegrationFigures = z.output<typeof figuresShape>;

const hourMs = 3_600_000;
const dayHours = 24;
/** The period by which a provider's present state is judged. */
const nowHours = 2;

const callsOf = (hour: HourOfCalls) => issueKinds.reduce((sum, kind) => sum + hour[kind], hour.answered);

/** The figures of a kind of account from its hours of the last 30 days; `nowMs` by the clock that stamped them. */
export function sumUp(hours: readonly HourOfCalls[], nowMs: number): IntegrationFigures {
  const thisHourMs = nowMs - (nowMs % hourMs);
  const within = (count: number) => hours.filter((hour) => hour.hourMs > thisHourMs - count * hourMs);
  const total = (some: readonly HourOfCalls[], of: (hour: HourOfCalls) => number) =>
    some.reduce((sum, hour) => sum + of(hour), 0);
  const day = within(dayHours);
  const calls = total(day, callsOf);
  const synced = total(day, ({ answered }) => answered);
  const recent = within(nowHours);
  const measured = hours.filter((hour) => callsOf(hour) > 0);
  const up = measured.filter((hour) => hour.silent * 2 <= callsOf(hour));
  const latency = day.reduce<number[]>((sum, hour) => hour.latency.map((count, at) => count + (sum[at] ?? 0)), []);
  return {
    status: decideProviderStatus({ calls: total(recent, callsOf), silent: total(recent, ({ silent }) => silent) }),
    calls,
    synced,
    errorPct: calls === 0 ? null : ((calls - synced) / calls) * 100,
    uptimePct: measured.length === 0 ? null : (up.length / measured.length) * 100,
    p50Ms: percentileMs(latency, 0.5),
    p95Ms: percentileMs(latency, 0.95),
    issues: issueKinds
      .map((kind) => ({ kind, count: total(day, (hour) => hour[kind]) }))
      .filter(({ count }) => count > 0)
      .toSorted((one, other) => other.count - one.count),
    lastAt: hours.length === 0 ? null : Math.max(...hours.map(({ lastMs }) => lastMs)),
  };
}

/** An address as operators see it: enough to tell two apart, not enough to write to. */
export function maskAddress(address: string): string {
  const [first = ''] = address.split('@');
  return `${[...first].slice(0, 3).join('')}${'*'.repeat(5)}`;
}
