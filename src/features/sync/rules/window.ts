import type { MirrorRule } from './mirror-rule.ts';

export interface Window {
  fromMs: number;
  toMs: number;
}

/**
 * The time a rule mirrors, from the owner's days: it moves at the owner's midnight and not in between, so that planning
 * twice on one day gives the same answer.
 */
export function mirrorWindow(rule: Pick<MirrorRule, 'pastDays' | 'futureDays'>, nowMs: number, zone: string): Window {
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(zone).toPlainDate();
  const startOf = (day: Temporal.PlainDate) => day.toZonedDateTime({ timeZone: zone }).epochMilliseconds;
  return {
    fromMs: startOf(today.subtract({ days: rule.pastDays })),
    toMs: startOf(today.add({ days: rule.futureDays + 1 })),
  };
}

/** Days ahead that a series stands instance by instance, however far its rule looks: past that it is written as days go by. */
const expandedDays = 400;

/** Where the blocks of single instances end; it moves at the owner's midnight as the window does. */
export function expandedHorizon(nowMs: number, zone: string): number {
  return mirrorWindow({ pastDays: 0, futureDays: expandedDays }, nowMs, zone).toMs;
}

/** The owner's day that `mirrorWindow` is built on, `2027-03-08`. */
export function ownersDay(nowMs: number, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(zone).toPlainDate().toString();
}
