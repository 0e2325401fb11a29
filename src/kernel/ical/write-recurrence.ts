import type { Duration, ExtraDate, RecId, Series, When } from '#kernel/event.ts';
import { usualMs } from '#kernel/time/duration.ts';
import { parseLocal, printBasicDate, printBasicDateTime } from '#kernel/time/local.ts';
import { parseRecId } from '#kernel/time/rec-id.ts';
import { utc, type Zone } from '#kernel/time/zones.ts';

/** `2027-03-08T09:00:00` as `20270308T090000`. */
export function basicOf(local: string): string {
  return local.replace(/[-:]/g, '');
}

/**
 * Parameters and value of an instant, in the zone; in UTC where the wall clock shows that time for the second time.
 * `tzid`: the zone as the file names it.
 */
export function zonedValue(instantMs: number, zone: Zone, tzid: string = zone.id): string {
  const localMs = zone.toLocal(instantMs);
  if (zone === utc || zone.toInstant(localMs) !== instantMs) return `:${printBasicDateTime(instantMs)}Z`;
  return `;TZID=${tzid}:${printBasicDateTime(localMs)}`;
}

/** Parameters and value of the instance that a RecId names. */
export function instanceValue(recId: RecId, kind: When['kind'], zone: Zone, tzid?: string): string {
  const { ms } = parseRecId(recId) as { ms: number };
  if (kind === 'all-day') return `;VALUE=DATE:${printBasicDate(ms)}`;
  if (kind === 'floating') return `:${printBasicDateTime(ms)}`;
  return zonedValue(ms, zone, tzid);
}

/** Parameters and value of an extra date. */
export function extraDateValue({ start, duration }: ExtraDate, kind: When['kind'], zone: Zone, tzid = zone.id): string {
  const local = basicOf(start);
  if (kind === 'all-day') return `;VALUE=DATE:${local}`;
  const isUtc = kind === 'zoned' && zone === utc;
  const named = kind === 'zoned' && !isUtc ? `;TZID=${tzid}` : '';
  const period = duration === undefined ? '' : `/${periodEnd(start, duration)}`;
  return `${named}${period === '' ? '' : ';VALUE=PERIOD'}:${local}${isUtc ? 'Z' : ''}${period}`;
}

/** RRULE, EXRULE, RDATE and EXDATE lines, neither folded nor ended: what `parseRecurrence` reads. */
export function recurrenceLines(series: Series, zone: Zone): string[] {
  const { kind } = series.when;
  const lines = [...series.rules.map((rule) => `RRULE:${rule}`), ...series.exRules.map((rule) => `EXRULE:${rule}`)];
  for (const date of series.extraDates) lines.push(`RDATE${extraDateValue(date, kind, zone)}`);
  for (const recId of series.exdates) lines.push(`EXDATE${instanceValue(recId, kind, zone)}`);
  return lines;
}

function periodEnd(start: string, duration: Duration): string {
  if (duration.wallSeconds === undefined) return printDuration(duration);
  return printBasicDateTime((parseLocal(start) ?? 0) + usualMs(duration));
}

export function printDuration({ days, seconds, wallSeconds }: Duration): string {
  if (days === undefined) return `PT${seconds ?? wallSeconds}S`;
  return seconds === undefined ? `P${days}D` : `P${days}DT${seconds}S`;
}
