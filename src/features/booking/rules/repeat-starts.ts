import type { TypeSettings } from './type-settings.ts';

type Every = NonNullable<TypeSettings['recurring']>['every'];

const steps = { week: { weeks: 1 }, 'two-weeks': { weeks: 2 }, month: { months: 1 } } as const satisfies Record<
  Every,
  Temporal.DurationLike
>;

/**
 * Starts of something booked several times at once: the same time on the wall of the hours' zone, each week, second week
 * or month (the last day where a month has none of that number). *Units*: epoch ms.
 */
export function repeatStarts(startMs: number, zone: string, every: Every, times: number): number[] {
  const first = Temporal.Instant.fromEpochMilliseconds(startMs).toZonedDateTimeISO(zone);
  const step = Temporal.Duration.from(steps[every]);
  return Array.from({ length: times }, (_, n) => {
    const later = Temporal.Duration.from({ weeks: step.weeks * n, months: step.months * n });
    return first.add(later).epochMilliseconds;
  });
}
