import type { Series } from '#kernel/event.ts';
import { parseRule } from '#kernel/recurrence/parse-rule.ts';
import { parseLocal } from '#kernel/time/local.ts';
import { isSkipped, loadZone } from '#kernel/time/zones.ts';
import type { SeriesShape } from '#providers/port.ts';
import type { MirrorRule } from './mirror-rule.ts';

/** How a series stands in a target: as its provider holds series, unless this one or the rule cannot be said so. */
export function shapeIn(body: Series, pair: { series: SeriesShape; rule: MirrorRule }): SeriesShape {
  return isUniform(body, pair.rule) && isPortable(body) ? pair.series : 'expanded';
}

/** True where one RRULE can say what the rule wants of every instance that the master describes. */
function isUniform(body: Series, rule: MirrorRule): boolean {
  if (rule.hours !== null) return false;
  // whole days stretch over a clock change, and a DTEND cannot say so: instance by instance it is exact
  if (body.when.kind !== 'all-day' && body.when.duration.days !== undefined) return false;
  return rule.allDay !== 'busy-hours' || body.when.kind !== 'all-day';
}

const subDaily = new Set(['HOURLY', 'MINUTELY', 'SECONDLY']);

/**
 * True where every calendar reads the series as we do. The set of several RRULEs is undefined (RFC 5545, 3.8.5.3),
 * several instances a day and RDATE periods are beyond what calendars show, and a zone must have a name there too. A start
 * that the clocks leave out is kept as the time after the gap by some, and every later instance with it.
 */
function isPortable(body: Series): boolean {
  if (body.rules.length > 1 || body.extraDates.some((extra) => extra.duration !== undefined)) return false;
  if (body.when.kind === 'zoned') {
    const zone = loadZone(body.when.zone);
    if (zone === null || isSkipped(zone, parseLocal(body.when.start) ?? 0)) return false;
  }
  return body.rules.every((text) => {
    const parsed = parseRule(text);
    if (!parsed.ok) return false;
    const { freq, byHour, byMinute, bySecond } = parsed.rule;
    return !subDaily.has(freq) && byHour.length + byMinute.length + bySecond.length === 0;
  });
}
