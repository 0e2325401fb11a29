import type { Duration, RecId, Series, When } from '#kernel/event.ts';
import { printBasicDate, printBasicDateTime } from '#kernel/time/local.ts';
import { parseRecId } from '#kernel/time/rec-id.ts';
import { utc, type Zone } from '#kernel/time/zones.ts';

/** `2027-03-08T09:00:00` as `20270308T090000`. */
export function basicOf(local: string): string {
  return local.replace(/[-:]/g, '');
}

/** Parameters and value of an instant, in the zone; in UTC where the wall clock shows that time for the second time. */
export function zonedValue(instantMs: number, zone: Zone): string {
  const localMs = zone.toLocal(instantMs);
  if (zone === utc || zone.toInstant(localMs) !== instantMs) return `:${printBasicDateTime(instantMs)}Z`;
  return `;TZID=${zone.id}:${printBasicDateTime(localMs)}`;
}

/** Parameters and value of the instance that a RecId names. */
export function instanceValue(recId: RecId, kind: When['kind'], zone: Zone): string {
  const { ms } = parseRecId(recId) as { ms: number };
  if (kind === 'all-day') return `;VALUE=DATE:${printBasicDate(ms)}`;
  if (kind === 'floating') return `:${printBasicDateTime(ms)}`;
  return zonedValue(ms, zone);
}

/** RRULE, EXRULE, RDATE and EXDATE lines, neither folded nor ended: what `parseRecurrence` reads. */
export function recurrenceLines(series: Series, zone: Zone): string[] {
  const { kind } = series.when;
  const lines = [...series.rules.map((rule) => `RRULE:${rule}`), ...series.exRules.map((rule) => `EXRULE:${rule}`)];
  for (const { start, duration } of series.extraDates) {
    const local = basicOf(start);
    if (kind === 'all-day') {
      lines.push(`RDATE;VALUE=DATE:${local}`);
      continue;
    }
    const isUtc = kind === 'zoned' && zone === utc;
    const tzid = kind === 'zoned' && !isUtc ? `;TZID=${zone.id}` : '';
    const period = duration === undefined ? '' : `/${printDuration(duration)}`;
    lines.push(`RDATE${tzid}${period === '' ? '' : ';VALUE=PERIOD'}:${local}${isUtc ? 'Z' : ''}${period}`);
  }
  for (const recId of series.exdates) lines.push(`EXDATE${instanceValue(recId, kind, zone)}`);
  return lines;
}

function printDuration(duration: Duration): string {
  return 'days' in duration ? `P${duration.days}D` : `PT${duration.seconds}S`;
}
