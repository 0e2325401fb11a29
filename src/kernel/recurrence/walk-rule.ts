import { DayWalk } from '#kernel/recurrence/day-walk.ts';
import type { Walk } from '#kernel/recurrence/emission.ts';
import { MonthWalk } from '#kernel/recurrence/month-walk.ts';
import type { Rule } from '#kernel/recurrence/rule.ts';
import { subDailyWalk } from '#kernel/recurrence/sub-daily-walk.ts';
import { limitsDays, pickPositions, timesOfDay } from '#kernel/recurrence/times-of-day.ts';
import { UniformWalk } from '#kernel/recurrence/uniform-walk.ts';
import { weeklyWalk } from '#kernel/recurrence/week-walk.ts';
import { YearWalk } from '#kernel/recurrence/year-walk.ts';
import { dayMs } from '#kernel/time/civil.ts';

/**
 * The instances of one rule on the wall clock (local ms), from any moment on: nothing is walked from DTSTART.
 *
 * Three shapes cover every rule. *Uniform*: each period looks like the last (DAILY and WEEKLY without limits, and
 * sub-daily rules whose interval divides the day: those are DAILY with a list of times). *Calendar*: days looked up
 * per month, year, week or day, times the times of day. *Steps*: sub-daily rules whose interval does not divide the
 * day, which go from step to step but jump over the days that do not count.
 */

/** Leaves out everything before `floorMs`; `startMs` (DTSTART) gives the phase and what the rule does not say. */
export function walkRule(rule: Rule, startMs: number, floorMs: number): Walk {
  const startDay = Math.floor(startMs / dayMs);
  switch (rule.freq) {
    case 'SECONDLY':
      return subDailyWalk(rule, startMs, floorMs, 1);
    case 'MINUTELY':
      return subDailyWalk(rule, startMs, floorMs, 60);
    case 'HOURLY':
      return subDailyWalk(rule, startMs, floorMs, 3600);
    case 'DAILY': {
      const times = pickPositions(timesOfDay(rule, startMs), rule.bySetPos);
      if (!limitsDays(rule)) return new UniformWalk(startDay * dayMs, rule.interval * dayMs, times, floorMs);
      return new DayWalk(rule, startDay, rule.interval, times, floorMs);
    }
    case 'WEEKLY':
      return weeklyWalk(rule, startMs, startDay, floorMs);
    case 'MONTHLY':
      return new MonthWalk(rule, startMs, startDay, floorMs);
    case 'YEARLY':
      return new YearWalk(rule, startMs, startDay, floorMs);
  }
}
