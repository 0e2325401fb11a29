import type { Rule } from '#kernel/recurrence/rule.ts';
import { dayMs, secondMs } from '#kernel/time/civil.ts';

export function limitsDays(rule: Rule): boolean {
  return (
    rule.byMonth.length > 0 ||
    rule.byMonthDay.length > 0 ||
    rule.byYearDay.length > 0 ||
    rule.byWeekNo.length > 0 ||
    rule.byDay.length > 0
  );
}

/** Times of day in ms, ascending. A 60th second is the next second, so 86,400,000 is possible. */
export function timesOfDay(rule: Rule, startMs: number): number[] {
  const second = Math.floor(startMs / secondMs) - Math.floor(startMs / dayMs) * 86_400;
  const hours = rule.byHour.length > 0 ? rule.byHour : [Math.floor(second / 3600)];
  const minutes = rule.byMinute.length > 0 ? rule.byMinute : [Math.floor(second / 60) % 60];
  const seconds = rule.bySecond.length > 0 ? rule.bySecond : [second % 60];
  const times: number[] = [];
  let last = -1;
  for (const h of hours) {
    for (const m of minutes) {
      for (const s of seconds) {
        const time = (h * 3600 + m * 60 + s) * secondMs;
        // 09:00:60 and 09:01:00 are one time.
        if (time !== last) times.push(time);
        last = time;
      }
    }
  }
  return times;
}

/** BYSETPOS on a list that is the whole period. */
export function pickPositions<T>(list: T[], positions: number[]): T[] {
  if (positions.length === 0) return list;
  const picked = new Set<number>();
  for (const position of positions) {
    const index = position > 0 ? position - 1 : list.length + position;
    if (index >= 0 && index < list.length) picked.add(index);
  }
  return list.filter((_, index) => picked.has(index));
}
