import type { Definition, Offset, Trigger } from './definition.ts';

/** When a step is due, and until when it is of use. Times are epoch ms; zones are IANA. */

/** A reminder that comes later than this is none (`design/reliability.md`, I-23). */
const lateMs = 600_000;
/** Messages about a change are still useful after this delay. */
const mostLateMs = 86_400_000;

/**
 * Shifts an instant. Minutes and hours are lengths of time, also across DST changes. Days and weeks keep the wall time
 * in `zone`: a missing time becomes the one after the gap, and of a doubled time the first counts.
 */
export function shiftMs(atMs: number, { amount, unit }: Offset, sign: 1 | -1, zone: string): number {
  if (unit === 'minutes' || unit === 'hours') return atMs + sign * amount * (unit === 'hours' ? 3_600_000 : 60_000);
  const local = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone).toPlainDateTime();
  const days = (unit === 'weeks' ? 7 : 1) * amount * sign;
  return amount === 0
    ? atMs
    : local.add({ days }).toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds;
}

interface Quiet {
  hours: NonNullable<Definition['quiet_hours']>;
  zone: string;
}

/** The quiet hours that an instant lies in, half-open; null where it lies in none. */
export function quietAround(atMs: number, { hours, zone }: Quiet): { startMs: number; endMs: number } | null {
  const day = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone).toPlainDate();
  const from = Temporal.PlainTime.from(hours.from);
  const to = Temporal.PlainTime.from(hours.to);
  const wraps = Temporal.PlainTime.compare(to, from) < 0;
  // meetings that began the day before reach into this one
  for (const first of wraps ? [day.subtract({ days: 1 }), day] : [day]) {
    const startMs = first.toZonedDateTime({ timeZone: zone, plainTime: from }).epochMilliseconds;
    const endMs = (wraps ? first.add({ days: 1 }) : first).toZonedDateTime({
      timeZone: zone,
      plainTime: to,
    }).epochMilliseconds;
    if (startMs <= atMs && atMs < endMs) return { startMs, endMs };
  }
  return null;
}

/**
 * Out of the quiet hours: to their end, or, where that would be too late to be of use, to just before they begin. Null
 * where neither is possible.
 */
export function leaveQuiet(
  dueMs: number,
  quiet: Quiet | null,
  { earliestMs, beforeMs }: { earliestMs: number; beforeMs: number },
): number | null {
  const around = quiet === null ? null : quietAround(dueMs, quiet);
  if (around === null) return dueMs;
  if (around.endMs < beforeMs) return around.endMs;
  const ahead = around.startMs - 60_000;
  return ahead >= earliestMs ? ahead : null;
}

/** The last moment at which a step is still done. `startMs`: of what it is about, where it is about a time. */
export function latestMs(
  { trigger, if_late }: { trigger: Trigger; if_late: Definition['if_late'] },
  dueMs: number,
  startMs: number | null,
): number {
  const end = dueMs + (if_late === 'send' ? mostLateMs : lateMs);
  return trigger === 'before-event' && startMs !== null ? Math.min(end, startMs) : end;
}
