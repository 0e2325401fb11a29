import { describe, expect, test } from 'vitest';
import { eventLimits, type Series } from './event.ts';
import { boundsOf, occurrencesOf } from './recurrence/occurrences.ts';
import { WorkBudget, WorkLimitError } from './work-budget.ts';

const limits = { bytes: 100, steps: 20_000, instances: 1_000, milliseconds: 100 };
const window = { fromMs: Date.UTC(2027, 0, 1), toMs: Date.UTC(2027, 2, 1) };

const series = (rule: string, more: Partial<Series> = {}): Series => ({
  kind: 'series',
  when: { kind: 'zoned', start: '2027-01-01T09:00:00', zone: 'Europe/Berlin', duration: { seconds: 1 } },
  core: { busy: 'busy', private: false, self: 'none', kind: 'default' },
  rules: [rule],
  exRules: [],
  extraDates: [],
  exdates: [],
  overrides: {},
  ...more,
});

const refusalOf = (work: () => unknown): WorkLimitError['limit'] | null => {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof WorkLimitError) return error.limit;
    throw error;
  }
};

test('a budget is refused at the first amount that does not fit, and that amount is not spent', () => {
  const budget = new WorkBudget(limits);
  budget.spend('bytes', 60);
  expect(refusalOf(() => budget.spend('bytes', 41))).toBe('bytes');
  expect(budget.left('bytes')).toBe(40);
  budget.spend('bytes', 40);
  expect(refusalOf(() => budget.spend('bytes', 1))).toBe('bytes');
});

describe('recurrence under a budget', () => {
  const expand = (body: Series, budget: WorkBudget) => occurrencesOf(body, 'UTC', 'UTC', window, eventLimits, budget);

  test('many series share one budget of instances', () => {
    const budget = new WorkBudget(limits);
    const daily = series('FREQ=DAILY');
    expect(expand(daily, budget).list).toHaveLength(59);
    for (let n = 1; n < 16; n += 1) expand(daily, budget);
    expect(refusalOf(() => expand(daily, budget))).toBe('instances');
  });

  test.each(['SECONDLY', 'MINUTELY'])('many %s series share one budget of steps', (frequency) => {
    const budget = new WorkBudget({ ...limits, instances: 50_000 });
    const dense = series(`FREQ=${frequency}`);
    let read = 0;
    const refused = refusalOf(() => {
      for (; read < 1_000; read += 1) expect(expand(dense, budget)).toMatchObject({ list: [], tooDense: true });
    });
    expect(refused).toBe('steps');
    expect(read).toBeLessThan(5);
    expect(budget.left('instances')).toBe(50_000);
  });

  test('the end of a series and its exceptions cost steps', () => {
    const ends = new WorkBudget({ ...limits, steps: 1_000 });
    const counted = series('FREQ=DAILY;BYMONTHDAY=1,2,3,4,5,6,7,8,9;COUNT=5000');
    expect(refusalOf(() => boundsOf(counted, 'UTC', 'UTC', ends))).toBe('steps');
    const exceptions = new WorkBudget({ ...limits, steps: 1_000 });
    const excluded = series('FREQ=DAILY', { exRules: ['FREQ=MINUTELY'] });
    expect(refusalOf(() => expand(excluded, exceptions))).toBe('steps');
  });
});
