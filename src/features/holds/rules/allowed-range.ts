import * as z from 'zod/mini';
import { dayShape } from '#features/availability/rules/hours.ts';
import type { Span } from '#kernel/time/intervals.ts';

export const mostRangeDays = 92;

/**
 * Where a hold may be moved to when it is booked over: nowhere, within the day or the week (from Monday) that its person
 * put it in, or within some days, both included.
 */
export const rangeShape = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({ kind: z.literal('day') }),
  z.strictObject({ kind: z.literal('week') }),
  z.strictObject({ kind: z.literal('days'), first: dayShape, last: dayShape }).check(
    z.refine(({ first, last }) => first <= last, { error: 'The last day comes before the first.', path: ['last'] }),
    z.refine(({ first, last }) => Temporal.PlainDate.from(first).until(last).days < mostRangeDays, {
      error: `At most ${mostRangeDays} days.`,
      path: ['last'],
    }),
  ),
]);
export type AllowedRange = z.output<typeof rangeShape>;

/** The range as it is in a zone, whole days of its wall; without one, the place itself. *Units*: epoch ms. */
export function rangeOf(range: AllowedRange, home: Span, zone: string): Span {
  if (range.kind === 'none') return home;
  const dayOf = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate();
  const [first, last] =
    range.kind === 'days'
      ? [Temporal.PlainDate.from(range.first), Temporal.PlainDate.from(range.last)]
      : [dayOf(home.startMs), dayOf(home.endMs - 1)];
  const isWeek = range.kind === 'week';
  const midnight = (day: Temporal.PlainDate) => day.toZonedDateTime(zone).epochMilliseconds;
  return {
    startMs: midnight(isWeek ? first.subtract({ days: first.dayOfWeek - 1 }) : first),
    endMs: midnight(last.add({ days: isWeek ? 8 - last.dayOfWeek : 1 })),
  };
}
