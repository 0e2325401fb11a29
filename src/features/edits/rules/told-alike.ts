import type { RecId, Series, When } from '#kernel/event.ts';
import { canonicalJson } from '#kernel/event-hash.ts';
import type { OpenSeries } from '#kernel/recurrence/open-series.ts';
import type { EditableBody } from './change-event.ts';
import { openStarts } from './series-starts.ts';
import { isSameStart, lengthMsOf, slotOf, startOf, zoneOf } from './wall-time.ts';

/** Equality of events across calendars that write the same event differently. */

export const isSameLength = (one: When, other: When) =>
  (one.kind === 'all-day') === (other.kind === 'all-day') && lengthMsOf(one) === lengthMsOf(other);

/** Servers keep a single event as a moment, in whatever zone. */
export function isSameMoment(one: When, other: When): boolean {
  if (one.kind !== 'zoned' || other.kind !== 'zoned') return isSameStart(one, other);
  return zoneOf(one).toInstant(startOf(one)) === zoneOf(other).toInstant(startOf(other));
}

/** Under another name of the zone, or another zone that goes the same: Outlook knows a hundred and forty of them. */
export function isSameClock(one: When, other: When): boolean {
  return isSameMoment(one, other) && one.start === other.start;
}

type Rules = Pick<Series, 'rules' | 'exRules' | 'extraDates'>;

export function rulesOf(body: EditableBody): Rules | null {
  if (body.kind === 'single') return null;
  const { rules, exRules, extraDates } = body;
  return { rules, exRules, extraDates };
}

/** Enough to tell two rules apart that people make: six years of weeks. */
const comparedStarts = 300;

/**
 * Providers tell a rule in words of their own (with the weekday that its start implies or without, ended on a day instead
 * of at a moment): what counts is which instances it makes.
 */
export function isSameRules(when: When): (one: Rules | null, other: Rules | null) => boolean {
  const open = (rules: Rules) => openStarts({ when, ...rules });
  const firstOf = (series: OpenSeries) => [...series.startsFrom(series.firstMs()).take(comparedStarts)];
  return (one, other) => {
    if (one === null || other === null || isSameJson(one, other)) return isSameJson(one, other);
    const [a, b] = [open(one), open(other)];
    return a.lastMs() === b.lastMs() && isSameJson(firstOf(a), firstOf(b));
  };
}

export const isSameJson = (one: unknown, other: unknown) => canonicalJson(one) === canonicalJson(other);

export type Instance = Series['overrides'][RecId];

export function instanceAt(series: Series, recId: RecId): Instance | undefined {
  const own = series.overrides[recId];
  if (own !== undefined) return own;
  const slot = slotOf(series, recId);
  return slot === null ? undefined : { when: slot, core: series.core };
}
