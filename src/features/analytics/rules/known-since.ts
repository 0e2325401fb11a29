import { spanWindow } from '#features/calendar/rules/span-window.ts';
import { type Days, dayOf, type Period } from './period.ts';

/**
 * The first whole day whose events are known, where a range begins before it; null where all of it is. The calendar has
 * no older events.
 */
export function knownSince({ firstDay, endDay }: Days, { zone }: Pick<Period, 'zone'>, nowMs: number): number | null {
  const first = dayOf(zone, spanWindow(nowMs).fromMs) + 1;
  return firstDay >= first ? null : Math.min(first, endDay);
}
