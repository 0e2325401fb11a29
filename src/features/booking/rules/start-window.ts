import { dayMs } from '#kernel/time/civil.ts';
import type { Span } from '#kernel/time/intervals.ts';
import { parseLocalDate } from '#kernel/time/local.ts';
import { loadZone } from '#kernel/time/zones.ts';
import type { TypeSettings } from './type-settings.ts';

/** Where starts may lie: so many whole days after today, or from one day to another, in the host's zone. */
export function startWindow(window: TypeSettings['window'], zoneId: string, nowMs: number): Span {
  const zone = loadZone(zoneId);
  if (zone === null) throw new RangeError(`no time zone: ${zoneId}`);
  if (window.kind === 'rolling') {
    const today = Math.floor(zone.toLocal(nowMs) / dayMs);
    return { startMs: nowMs, endMs: zone.toInstant((today + window.days + 1) * dayMs) };
  }
  const [first, last] = [parseLocalDate(window.from), parseLocalDate(window.to)];
  if (first === null || last === null) throw new RangeError(`no dates: ${window.from}, ${window.to}`);
  return { startMs: zone.toInstant(first), endMs: zone.toInstant(last + dayMs) };
}
