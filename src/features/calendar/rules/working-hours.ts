import type { Span } from '#kernel/time/intervals.ts';
import { normalizeSpans } from '#kernel/time/intervals.ts';

/** Wall-clock hours on ISO weekdays (1 is Monday). */
export interface WorkingHours {
  weekdays: readonly number[];
  /** `09:00`; half-open. */
  from: string;
  to: string;
}

/** Everybody's until availability lets people say their own. */
export const defaultWorkingHours: WorkingHours = { weekdays: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' };

/**
 * The working hours of a zone that meet the range, as a span list of epoch ms. Hours are those of the wall clock: a day
 * on which the clocks change has them too.
 */
export function workingSpans(range: Span, zone: string, hours: WorkingHours = defaultWorkingHours): Span[] {
  const dayOf = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate();
  const last = dayOf(range.endMs);
  const spans: Span[] = [];
  for (let day = dayOf(range.startMs); Temporal.PlainDate.compare(day, last) <= 0; day = day.add({ days: 1 })) {
    if (!hours.weekdays.includes(day.dayOfWeek)) continue;
    const at = (time: string) => day.toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds;
    spans.push({ startMs: at(hours.from), endMs: at(hours.to) });
  }
  return normalizeSpans(spans);
}
