import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { formatRule } from '#kernel/recurrence/format-rule.ts';
import { openSeries } from '#kernel/recurrence/open-series.ts';
import { parseRule } from '#kernel/recurrence/parse-rule.ts';
import { frequencies, weekdays } from '#kernel/recurrence/rule.ts';
import { dayMs, hourMs } from '#kernel/time/civil.ts';
import { printBasicDateTime, printLocalDate, printLocalDateTime } from '#kernel/time/local.ts';
import { loadZone } from '#kernel/time/zones.ts';
import { runs } from '../../../test/harness/law-budget.ts';

// A law takes about a second alone, and shares its machine.
vi.setConfig({ testTimeout: 60_000 });

const law = { numRuns: runs(400) };
const zones = ['America/New_York', 'Europe/Dublin', 'Australia/Lord_Howe', 'Africa/Casablanca', 'Asia/Kolkata', 'UTC'];
const base = Date.UTC(1996, 0, 1);

const startMs = fc.integer({ min: 0, max: 12_000 * 1440 }).map((minutes) => base + minutes * 60_000);
const spanMs = fc.integer({ min: 1, max: 800 * 24 }).map((hours) => hours * hourMs);

function part(name: string, value: fc.Arbitrary<string | number>, most: number, chance: number): fc.Arbitrary<string> {
  const list = fc.uniqueArray(value, { minLength: 1, maxLength: most }).map((values) => `;${name}=${values.join(',')}`);
  return fc.oneof({ weight: 100 - chance, arbitrary: fc.constant('') }, { weight: chance, arbitrary: list });
}

const signed = (most: number) => fc.integer({ min: 1, max: most }).chain((n) => fc.constantFrom(n, -n));

const ruleText = fc
  .tuple(
    fc.constantFrom(...frequencies),
    fc.constantFrom('', ';INTERVAL=2', ';INTERVAL=3', ';INTERVAL=7', ';INTERVAL=90', ';INTERVAL=1441'),
    fc.constantFrom('', '', ';COUNT=1', ';COUNT=7', ';COUNT=60', ';COUNT=1000'),
    part('BYMONTH', fc.integer({ min: 1, max: 12 }), 4, 20),
    part('BYWEEKNO', signed(53), 3, 8),
    part('BYYEARDAY', signed(366), 6, 8),
    part('BYMONTHDAY', signed(31), 5, 20),
    part(
      'BYDAY',
      fc.tuple(fc.constantFrom('', '', '1', '-1', '5'), fc.constantFrom(...weekdays)).map(([n, d]) => n + d),
      4,
      35,
    ),
    part('BYHOUR', fc.integer({ min: 0, max: 23 }), 3, 20),
    part('BYMINUTE', fc.integer({ min: 0, max: 59 }), 3, 15),
    part('BYSECOND', fc.integer({ min: 0, max: 60 }), 3, 10),
    part('BYSETPOS', signed(6), 3, 15),
    fc.constantFrom('', '', ';WKST=SU', ';WKST=WE'),
    fc.constantFrom('', '', '', ';RSCALE=GREGORIAN;SKIP=BACKWARD', ';RSCALE=GREGORIAN;SKIP=FORWARD'),
  )
  .map(([freq, ...parts]) => `FREQ=${freq}${parts.join('')}`);

const limits = { instances: 1_000_000, steps: 3_000_000 };

function open(rule: string, start: number, zone: string | null) {
  const series = openSeries({
    start: printLocalDateTime(start),
    zone,
    rules: [rule],
    exRules: [],
    extraDates: [],
    exdates: [],
  });
  expect(series.problems).toEqual([]);
  return series;
}

/** A window short enough that the densest rule stays within the limits. */
function windowOf(rule: string, from: number, span: number): [number, number] {
  const short = rule.includes('FREQ=SECONDLY') ? 3 * hourMs : rule.includes('FREQ=MINUTELY') ? 5 * dayMs : span;
  return [from, from + Math.min(short, span)];
}

describe('instances of a series', () => {
  it('instances in a window equal those of its two parts', () => {
    fc.assert(
      fc.property(
        ruleText,
        startMs,
        spanMs,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.constantFrom(...zones, null),
        startMs,
        (rule, start, span, cut, zone, anywhere) => {
          const [from, to] = windowOf(rule, span % 2 === 0 ? start - dayMs : anywhere, span);
          const middle = from + Math.floor((to - from) * cut);
          const whole = open(rule, start, zone).between(from, to, limits);
          const series = open(rule, start, zone);
          const late = series.between(middle, to, limits);
          const early = series.between(from, middle, limits);
          expect([...early.startsMs, ...late.startsMs]).toEqual(whole.startsMs);
          expect(whole.tooDense).toBe(false);
          for (let i = 1; i < whole.startsMs.length; i += 1) {
            expect(whole.startsMs[i]).toBeGreaterThan(whole.startsMs[i - 1] as number);
          }
        },
      ),
      law,
    );
  });

  it('instances from a late date on equal the late ones of all', () => {
    fc.assert(
      fc.property(
        ruleText,
        startMs,
        fc.integer({ min: 0, max: 4_000 }),
        fc.constantFrom(...zones, null),
        (rule, start, days, zone) => {
          const all: number[] = [];
          const first = open(rule, start, zone);
          for (const at of first.startsFrom(Number.NEGATIVE_INFINITY)) if (all.push(at) === 300) break;
          const from = all[Math.min(days % 300, all.length - 1)] as number;
          const late: number[] = [];
          const wanted = all.filter((at) => at >= from);
          const series = open(rule, start, zone);
          for (const at of series.startsFrom(from)) {
            if (late.push(at) === wanted.length) break;
          }
          // Counting from DTSTART may take more than the steps of one call; it says so and gives nothing.
          if (late.length === 0 && rule.includes('COUNT'))
            late.push(...series.between(from, (wanted.at(-1) as number) + 1, limits).startsMs);
          expect(late).toEqual(wanted);
        },
      ),
      law,
    );
  });

  it('instances keep the wall clock time in any zone', () => {
    fc.assert(
      fc.property(ruleText, startMs, spanMs, fc.constantFrom(...zones), (rule, start, span, zoneId) => {
        const zone = loadZone(zoneId);
        if (zone === null) throw new Error(zoneId);
        const [from, to] = windowOf(rule, start, span);
        const floating = open(rule, start, null).between(from - 3 * dayMs, to + 3 * dayMs, limits);
        const instants = [...new Set(floating.startsMs.map((at) => zone.toInstant(at)))].sort((a, b) => a - b);
        const zoned = open(rule, start, zoneId).between(from, to, limits);
        expect(zoned.startsMs).toEqual(instants.filter((at) => at >= from && at < to));
      }),
      law,
    );
  });

  it('instances shift with a zone of fixed offset', () => {
    fc.assert(
      fc.property(ruleText, startMs, spanMs, (rule, start, span) => {
        const [from, to] = windowOf(rule, start, span);
        const offset = -330 * 60_000; // Asia/Kolkata, since 1945
        const plain = open(rule, start, 'UTC').between(from, to, limits);
        const shifted = open(rule, start, 'Asia/Kolkata').between(from + offset, to + offset, limits);
        expect(shifted.startsMs).toEqual(plain.startsMs.map((at) => at + offset));
      }),
      law,
    );
  });

  it('instances end with lastMs, and number COUNT when none coincide', () => {
    fc.assert(
      fc.property(ruleText, startMs, (rule, start) => {
        const series = open(rule, start, null);
        const last = series.lastMs();
        if (last === null) return;
        const all: number[] = [];
        for (const at of series.startsFrom(Number.NEGATIVE_INFINITY)) if (all.push(at) > 2_000) break;
        expect(all.at(-1)).toBe(last);
        const count = /COUNT=(\d+)/.exec(rule)?.[1];
        expect(all.length).toBeLessThanOrEqual(Number(count));
        // The calendar ends with the year 9999, whatever COUNT says.
        if (!/BY|SKIP/.test(rule) && last < Date.UTC(8000, 0, 1))
          expect(last === start || all.length === Number(count)).toBe(true);
      }),
      law,
    );
  });

  it('instances end with lastMs when UNTIL is just before or after a daylight saving change', () => {
    const zone = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago', 'UTC');
    const changesMs = ['2027-03-28T01:00Z', '2027-10-31T01:00Z', '2027-03-14T07:00Z', '2027-11-07T06:00Z'].map(
      (text) => Temporal.Instant.from(text).epochMilliseconds,
    );
    const rule = fc.constantFrom(
      'FREQ=DAILY',
      'FREQ=DAILY;BYHOUR=1,2,3',
      'FREQ=HOURLY',
      'FREQ=MINUTELY;INTERVAL=10',
      'FREQ=WEEKLY',
    );
    const near = fc.tuple(fc.constantFrom(...changesMs), fc.integer({ min: -300, max: 300 }), fc.nat(14));
    fc.assert(
      fc.property(zone, rule, near, fc.integer({ min: 0, max: 287 }), (name, text, [changeMs, minutes, days], five) => {
        const untilMs = changeMs + minutes * 60_000 - 1_000;
        const start = Math.floor(changeMs / 86_400_000 - days) * 86_400_000 + five * 300_000;
        const series = open(`${text};UNTIL=${printBasicDateTime(untilMs)}Z`, start, name);
        const all = [...series.startsFrom(Number.NEGATIVE_INFINITY)];
        expect(series.lastMs()).toBe(all.at(-1) ?? series.startMs);
      }),
      { numRuns: runs(400) },
    );
  });

  it('instances exclude the excluded dates and include the extra ones', () => {
    fc.assert(
      fc.property(
        ruleText,
        startMs,
        spanMs,
        fc.array(fc.nat(300), { maxLength: 8 }),
        fc.array(startMs, { maxLength: 4 }),
        (rule, start, span, picks, extras) => {
          const [from, to] = windowOf(rule, start, span);
          const plain = open(rule, start, 'UTC').between(from, to, limits).startsMs;
          const gone = new Set(picks.map((pick) => plain[pick]).filter((at) => at !== undefined));
          const series = openSeries({
            start: printLocalDateTime(start),
            zone: 'UTC',
            rules: [rule],
            exRules: [],
            extraDates: extras.map((at) => ({ start: printLocalDateTime(at) })),
            exdates: [...gone].map((at) => `${printBasicDateTime(at)}Z`),
          });
          const wanted = new Set(
            [...plain, ...extras.filter((at) => at >= from && at < to)].filter((at) => !gone.has(at)),
          );
          expect(series.between(from, to, limits).startsMs).toEqual([...wanted].sort((a, b) => a - b));
        },
      ),
      law,
    );
  });

  it('instances exclude those of an EXRULE', () => {
    fc.assert(
      fc.property(ruleText, ruleText, startMs, spanMs, (rule, exRule, start, span) => {
        const [, to] = windowOf(rule + exRule, start, span);
        const spec = { start: printLocalDateTime(start), zone: null, extraDates: [], exdates: [] };
        const plain = openSeries({ ...spec, rules: [rule], exRules: [] }).between(start, to, limits).startsMs;
        const gone = new Set(
          openSeries({ ...spec, rules: [exRule], exRules: [] }, { dtstart: 'when-matching' }).between(start, to, limits)
            .startsMs,
        );
        const series = openSeries({ ...spec, rules: [rule], exRules: [exRule] });
        expect(series.between(start, to, limits).startsMs).toEqual(plain.filter((at) => !gone.has(at)));
      }),
      { numRuns: runs(200) },
    );
  });

  it('instances of an all-day series equal those of a floating one at midnight', () => {
    fc.assert(
      fc.property(
        ruleText.filter((rule) => !/SECOND|MINUTE|HOUR/.test(rule)),
        startMs,
        spanMs,
        (rule, start, span) => {
          const midnight = Math.floor(start / dayMs) * dayMs;
          const dated = openSeries({
            start: printLocalDate(midnight),
            zone: null,
            rules: [rule],
            exRules: [],
            extraDates: [],
            exdates: [],
          });
          expect(dated.allDay).toBe(true);
          expect(dated.between(midnight, midnight + span, limits)).toEqual(
            open(rule, midnight, null).between(midnight, midnight + span, limits),
          );
        },
      ),
      law,
    );
  });
});

describe('rules', () => {
  it('a rule is read back from its text', () => {
    fc.assert(
      fc.property(ruleText, (text) => {
        const parsed = parseRule(text);
        if (!parsed.ok) throw new Error(parsed.reason);
        expect(parseRule(formatRule(parsed.rule))).toEqual(parsed);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('a nonsense rule is refused or expanded within its limits and never throws', () => {
    const piece = fc.constantFrom(
      'FREQ=',
      'DAILY',
      'SECONDLY',
      'YEARLY',
      'HOURLY',
      ';',
      ',',
      '=',
      'INTERVAL=',
      'COUNT=',
      '2147483647',
      '0',
      '-1',
      '1',
      '7',
      '53',
      '366',
      'BYDAY=',
      'MO',
      '1SU',
      '-53FR',
      'BYMONTH=',
      '2',
      'BYMONTHDAY=',
      '30',
      '31',
      'BYSECOND=',
      '60',
      'BYSETPOS=',
      'UNTIL=',
      '20240101',
      'T000000Z',
      'BYWEEKNO=',
      'BYYEARDAY=',
      'WKST=',
      'RSCALE=GREGORIAN',
      'SKIP=FORWARD',
      '\u0000',
      '🗓',
      ' ',
    );
    const nonsense = fc.oneof(
      fc.array(piece, { maxLength: 30 }).map((pieces) => `FREQ=${pieces.join('')}`),
      fc.string({ maxLength: 200 }),
      ruleText.map((text) => text.replace(/;COUNT=\d+/, ';COUNT=2147483647')),
    );
    fc.assert(
      fc.property(nonsense, startMs, fc.constantFrom(...zones), (rule, start, zone) => {
        const series = openSeries({
          start: printLocalDateTime(start),
          zone,
          rules: [rule],
          exRules: [],
          extraDates: [],
          exdates: [],
        });
        const year = series.between(Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1));
        const ever = series.between(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
        series.lastMs();
        expect(year.startsMs.length).toBeLessThanOrEqual(5_000);
        expect(year.steps).toBeLessThanOrEqual(50_001);
        expect(ever.steps).toBeLessThanOrEqual(50_001);
      }),
      { numRuns: runs(400) },
    );
  });
});

describe('rules without an end', () => {
  const nothing = [
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=SECONDLY;INTERVAL=2;BYSECOND=1',
    'FREQ=DAILY;BYYEARDAY=366;BYMONTH=1',
  ];
  it.each(nothing)('the empty rule %s is expanded quickly to DTSTART alone', (rule) => {
    let fastestMs = Number.POSITIVE_INFINITY;
    // The best of a few: a busy machine is not what is judged.
    for (let i = 0; i < 5; i += 1) {
      const series = open(rule, Date.UTC(2000, 0, 1), 'Europe/Paris');
      const begun = performance.now();
      const found = series.between(Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1));
      fastestMs = Math.min(fastestMs, performance.now() - begun);
      expect(found).toMatchObject({ startsMs: [], tooDense: false });
      expect([...series.startsFrom(0)]).toEqual([series.startMs]);
    }
    expect(fastestMs).toBeLessThan(10);
  });

  it.each(['FREQ=SECONDLY', 'FREQ=MINUTELY', 'FREQ=SECONDLY;BYDAY=MO;COUNT=999999999'])(
    'the rule %s is too dense and stays within its limits',
    (rule) => {
      const series = openSeries({
        start: '2000-01-01T00:00:00',
        zone: 'Europe/Paris',
        rules: [rule],
        exRules: [],
        extraDates: [],
        exdates: [],
      });
      const found = series.between(Date.UTC(2026, 0, 1), Date.UTC(2056, 0, 1));
      expect(found.tooDense).toBe(true);
      expect(found.startsMs.length).toBeLessThanOrEqual(5_000);
      expect(found.steps).toBeLessThanOrEqual(50_001);
    },
  );

  it('a rule with equal periods is counted without expanding them', () => {
    const series = openSeries({
      start: '1990-01-01T09:00:00',
      zone: null,
      rules: ['FREQ=DAILY;COUNT=100000'],
      exRules: [],
      extraDates: [],
      exdates: [],
    });
    expect(printLocalDateTime(series.lastMs() as number)).toBe('2263-10-16T09:00:00');
    expect(series.between(Date.UTC(2263, 9, 10), Date.UTC(2264, 0, 1))).toMatchObject({ steps: 7, tooDense: false });
  });
});
