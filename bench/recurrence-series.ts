import { dayMs, hourMs } from '#kernel/time/civil.ts';

/** One of the series that the rows R1 and R2 expand. `startMs` is the wall clock written as if it were UTC. */
export interface TestSeries {
  startMs: number;
  rule: string;
  shape: 'weekly' | 'nth-weekday' | 'month-day' | 'daily';
  /** 0 = Monday; for `weekly`. */
  weekdays: number[];
  interval: number;
  /** Which weekday of the month, or which day. */
  nth: number;
}

const names = ['MO', 'TU', 'WE', 'TH', 'FR'];

/**
 * A year of a busy calendar: of 20 series, 8 weekly on two days, 4 every second week, 5 monthly on the n-th weekday,
 * 2 daily with COUNT, 1 monthly by date; begun from 2023 to 2025, or so many years earlier. COUNT outlives the window.
 */
export function makeSeries(count: number, yearsEarlier = 0): TestSeries[] {
  return Array.from({ length: count }, (_, i) => {
    const kind = i % 20;
    const firstWeekday = Math.floor(i / 20) % 5;
    const day = Date.UTC(2023 + (i % 3) - yearsEarlier, i % 9, 1 + (i % 28));
    const startMs = day + (8 + (i % 10)) * hourMs;
    const nth = 1 + (i % 4);
    if (kind < 8) {
      const weekdays = [firstWeekday, (firstWeekday + 2) % 5].toSorted((a, b) => a - b);
      const rule = `FREQ=WEEKLY;BYDAY=${weekdays.map((n) => names[n]).join(',')}`;
      return { startMs: onWeekday(startMs, weekdays), rule, shape: 'weekly', weekdays, interval: 1, nth: 0 };
    }
    if (kind < 12) {
      const weekdays = [firstWeekday];
      const rule = `FREQ=WEEKLY;INTERVAL=2;BYDAY=${names[firstWeekday]}`;
      return { startMs: onWeekday(startMs, weekdays), rule, shape: 'weekly', weekdays, interval: 2, nth: 0 };
    }
    if (kind < 17) {
      const weekdays = [firstWeekday];
      const first = new Temporal.PlainDate(2023 + (i % 3) - yearsEarlier, 1 + (i % 9), 1);
      const date = first.add({ days: ((firstWeekday + 8 - first.dayOfWeek) % 7) + (nth - 1) * 7 });
      const start = Date.UTC(date.year, date.month - 1, date.day) + (startMs - day);
      return {
        startMs: start,
        rule: `FREQ=MONTHLY;BYDAY=${nth}${names[firstWeekday]}`,
        shape: 'nth-weekday',
        weekdays,
        interval: 1,
        nth,
      };
    }
    if (kind < 19) {
      const rule = `FREQ=DAILY;COUNT=${5_000 + yearsEarlier * 366}`;
      return { startMs, rule, shape: 'daily', weekdays: [], interval: 1, nth: 0 };
    }
    const monthDay = 1 + (i % 28);
    const start = Date.UTC(2023 + (i % 3) - yearsEarlier, i % 9, monthDay) + (startMs - day);
    return {
      startMs: start,
      rule: `FREQ=MONTHLY;BYMONTHDAY=${monthDay}`,
      shape: 'month-day',
      weekdays: [],
      interval: 1,
      nth: monthDay,
    };
  });
}

/** The first moment from here on that falls on one of the weekdays. */
function onWeekday(startMs: number, weekdays: number[]): number {
  let at = startMs;
  while (!weekdays.includes((Math.floor(at / dayMs) + 3) % 7)) at += dayMs;
  return at;
}
