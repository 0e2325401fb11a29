import type { Rule } from '#kernel/recurrence/rule.ts';
import { isLeapYear, weekdayOf } from '#kernel/time/civil.ts';

/** Years with one key have the same days; with week numbers those of the neighbours count too, so it repeats in 400. */
export function yearKey(rule: Rule, year: number, firstDay: number): number {
  if (rule.byWeekNo.length > 0) return 14 + (((year % 400) + 400) % 400);
  return weekdayOf(firstDay) * 2 + (isLeapYear(year) ? 1 : 0);
}

const longestMonth = [0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** 30 February and the like: no month of the rule ever has one of its days. */
export function isImpossible(rule: Rule): boolean {
  if (rule.byMonth.length === 0 || rule.byMonthDay.length === 0) return false;
  if (rule.skip === 'FORWARD' || rule.skip === 'BACKWARD') return false;
  return !rule.byMonth.some((month) => rule.byMonthDay.some((day) => Math.abs(day) <= (longestMonth[month] as number)));
}

// Tables belong to the rule object, so that series that share a parsed rule share its tables.
const filters = new WeakMap<Rule, Map<number, Uint8Array>>();
const tables = new WeakMap<Rule, Map<number, (readonly number[] | undefined)[]>>();

export function filtersOf(rule: Rule): Map<number, Uint8Array> {
  let found = filters.get(rule);
  if (found === undefined) {
    found = new Map();
    filters.set(rule, found);
  }
  return found;
}

export function tableOf(rule: Rule, key: number): (readonly number[] | undefined)[] {
  let found = tables.get(rule);
  if (found === undefined) {
    found = new Map();
    tables.set(rule, found);
  }
  let table = found.get(key);
  if (table === undefined) {
    table = [];
    found.set(key, table);
  }
  return table;
}
