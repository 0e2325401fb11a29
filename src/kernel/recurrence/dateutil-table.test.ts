import { describe, expect, it } from 'vitest';
import { openSeries } from '#kernel/recurrence/open-series.ts';
import { parseBasic, printBasicDateTime, printLocalDateTime } from '#kernel/time/local.ts';
import table from './dateutil-table.json' with { type: 'json' };

/**
 * 450 random rules with the first eight instances that python-dateutil 2.9.0 gives them: DTSTART, rule, instances.
 * Left out is what dateutil is known to read differently: numbered beside plain weekdays (it intersects them, RFC 5545
 * section 3.3.10 adds them up), BYSETPOS in the first week of a WEEKLY rule (it cuts that week at DTSTART), and
 * BYWEEKNO=-52 or -53 for the days of December that are in week 1. Passed over is BYWEEKNO with an interval: dateutil
 * counts the years of the days, libical those of the weeks.
 */
const rows = (table as [start: string, rule: string, instances: string][]).filter(
  ([, rule]) => !(rule.includes('BYWEEKNO') && rule.includes('INTERVAL')),
);

describe('dateutil table', () => {
  it('every rule of the dateutil table has the instances of dateutil', () => {
    expect(rows.length).toBeGreaterThan(400);
    const differing: unknown[] = [];
    for (const [start, rule, instances] of rows) {
      const time = parseBasic(start);
      if (time === null) throw new Error(`The table has no time in ${start}.`);
      const series = openSeries(
        {
          start: printLocalDateTime(time.ms),
          zone: null,
          rules: [rule],
          exRules: [],
          extraDates: [],
          exdates: [],
        },
        { dtstart: 'when-matching', reading: 'dateutil' },
      );
      const found: string[] = [];
      for (const startMs of series.startsFrom(Number.NEGATIVE_INFINITY)) {
        if (found.push(printBasicDateTime(startMs)) === 8) break;
      }
      if (found.join(' ') !== instances || series.problems.length > 0)
        differing.push({ start, rule, instances, found });
    }
    expect(differing).toEqual([]);
  });
});
