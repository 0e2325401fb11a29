import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minuteMs } from '#kernel/time/civil.ts';
import { containsMs, normalizeSpans, type Span } from '#kernel/time/intervals.ts';
import { runs } from '../../../../test/harness/law-budget.ts';
import { defaultHours, type Hours, weekdays } from './hours.ts';
import { compileFacts, compileHours, type DayFacts, openSpans } from './open-spans.ts';

const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe', // half an hour
  'Africa/Casablanca',
  'Antarctica/Troll', // two hours
  'Pacific/Apia',
  'UTC',
];
/** Around the days on which clocks change, both ways. */
const day = fc
  .tuple(
    fc.constantFrom('2027-03-14', '2027-03-28', '2027-04-04', '2027-10-03', '2027-10-31', '2027-11-07', '2027-02-07'),
    fc.integer({ min: -3, max: 3 }),
  )
  .map(([date, shift]) => Temporal.PlainDate.from(date).add({ days: shift }).toString());
const quarter = fc.integer({ min: 0, max: 95 });
const clock = (n: number) => `${String(Math.floor(n / 4)).padStart(2, '0')}:${String((n % 4) * 15).padStart(2, '0')}`;
const interval = fc
  .tuple(quarter, fc.integer({ min: 1, max: 96 }))
  .filter(([start, end]) => start !== end)
  .map(([start, end]) => ({ start: clock(start), end: end === 96 ? '24:00' : clock(end) }));
const intervals = fc.array(interval, { maxLength: 3 });
const dayHours = fc.record({ enabled: fc.boolean(), intervals });
const hours: fc.Arbitrary<Hours> = fc.record({
  timezone: fc.constantFrom(...zones),
  weekly: fc.record({
    monday: dayHours,
    tuesday: dayHours,
    wednesday: dayHours,
    thursday: dayHours,
    friday: dayHours,
    saturday: dayHours,
    sunday: dayHours,
  }),
  overrides: fc.uniqueArray(fc.record({ date: day, intervals }), { maxLength: 3, selector: ({ date }) => date }),
});
const days = fc.tuple(day, day).map(([a, b]) => (a < b ? { firstDay: a, lastDay: b } : { firstDay: b, lastDay: a }));
const facts: fc.Arbitrary<DayFacts> = fc.record({
  daysOff: fc.array(days, { maxLength: 1 }),
  holidays: fc.array(day, { maxLength: 2 }),
  travels: fc.array(
    fc.tuple(days, fc.constantFrom(...zones)).map(([one, zone]) => ({ ...one, zone })),
    { maxLength: 1 },
  ),
});
const range = fc
  .tuple(day, fc.integer({ min: 0, max: 1440 }), fc.integer({ min: 1, max: 4 * 1440 }))
  .map(([date, from, minutes]) => {
    const startMs = Temporal.Instant.from(`${date}T00:00Z`).epochMilliseconds + from * minuteMs;
    return { startMs, endMs: startMs + minutes * minuteMs };
  });

/** The same, said with Temporal, day by day, without care for speed. */
function slowly(given: Hours, known: DayFacts, { startMs, endMs }: Span): Span[] {
  const first = Temporal.Instant.fromEpochMilliseconds(startMs).toZonedDateTimeISO('UTC').toPlainDate();
  const last = Temporal.Instant.fromEpochMilliseconds(endMs).toZonedDateTimeISO('UTC').toPlainDate().add({ days: 3 });
  const spans: Span[] = [];
  for (
    let date = first.subtract({ days: 3 });
    Temporal.PlainDate.compare(date, last) <= 0;
    date = date.add({ days: 1 })
  ) {
    const text = date.toString();
    const within = (one: { firstDay: string; lastDay: string }) => one.firstDay <= text && text <= one.lastDay;
    const override = given.overrides.find((one) => one.date === text);
    const weekly = given.weekly[weekdays[date.dayOfWeek - 1] ?? 'monday'];
    const off = known.daysOff.some(within) || known.holidays.includes(text);
    const open = override?.intervals ?? (off || !weekly.enabled ? [] : weekly.intervals);
    const zone = known.travels.find(within)?.zone ?? given.timezone;
    for (const { start, end } of open) {
      const wall = (time: string) => {
        const [hour = 0, minute = 0] = time.split(':').map(Number);
        return date.toPlainDateTime().add({ hours: hour, minutes: minute });
      };
      const nextDay = end <= start ? 1 : 0;
      spans.push({
        startMs: wall(start).toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds,
        endMs: latest(wall(end).add({ days: nextDay }), zone),
      });
    }
  }
  return normalizeSpans(
    spans.map((span) => ({ startMs: Math.max(startMs, span.startMs), endMs: Math.min(endMs, span.endMs) })),
  );
}

/** Returns the last of two instants for a doubled time, and moves a missing time forward: 'later' does both. */
const latest = (wall: Temporal.PlainDateTime, zone: string) =>
  wall.toZonedDateTime(zone, { disambiguation: 'later' }).epochMilliseconds;

describe('open hours', () => {
  it('open hours agree with Temporal day by day across clock changes', () => {
    fc.assert(
      fc.property(hours, facts, range, (given, known, asked) => {
        expect(openSpans(compileHours(given), compileFacts(known), asked)).toEqual(slowly(given, known, asked));
      }),
      { numRuns: runs(500) },
    );
  });

  it('open hours of two halves of a range add up to those of the range', () => {
    fc.assert(
      fc.property(hours, facts, range, fc.nat(), (given, known, asked, cut) => {
        const middleMs = asked.startMs + (cut % (asked.endMs - asked.startMs));
        const of = (part: Span) => openSpans(compileHours(given), compileFacts(known), part);
        const halves = [
          { ...asked, endMs: middleMs },
          { ...asked, startMs: middleMs },
        ].flatMap(of);
        expect(normalizeSpans(halves)).toEqual(of(asked));
      }),
      { numRuns: runs(200) },
    );
  });
});

const at = (text: string) => Temporal.ZonedDateTime.from(text).epochMilliseconds;
const everyDay = (start: string, end: string, timezone = 'Europe/Berlin'): Hours => ({
  timezone,
  weekly: Object.fromEntries(
    weekdays.map((weekday) => [weekday, { enabled: true, intervals: [{ start, end }] }]),
  ) as Hours['weekly'],
  overrides: [],
});
const nothing: DayFacts = { daysOff: [], holidays: [], travels: [] };
const onDay = (given: Hours, date: string, known = nothing) => {
  const startMs = at(`${date}T00:00[${given.timezone}]`);
  return openSpans(compileHours(given), compileFacts(known), { startMs, endMs: startMs + 86_400_000 });
};

describe('clock changes', () => {
  it('an opening time skipped by a clock change moves forward', () => {
    expect(onDay(everyDay('02:30', '09:00'), '2027-03-28')).toEqual([
      { startMs: at('2027-03-28T03:30+02:00[Europe/Berlin]'), endMs: at('2027-03-28T09:00[Europe/Berlin]') },
    ]);
  });

  it('a closing time skipped by a clock change moves forward', () => {
    expect(onDay(everyDay('01:00', '02:30'), '2027-03-28')).toEqual([
      { startMs: at('2027-03-28T01:00[Europe/Berlin]'), endMs: at('2027-03-28T03:30+02:00[Europe/Berlin]') },
    ]);
  });

  it('a repeated hour opens at its first and closes at its last occurrence', () => {
    expect(onDay(everyDay('02:30', '02:45'), '2027-10-31')).toEqual([
      { startMs: at('2027-10-31T02:30+02:00[Europe/Berlin]'), endMs: at('2027-10-31T02:45+01:00[Europe/Berlin]') },
    ]);
  });
});

describe('hours of one day', () => {
  it('overlapping or adjacent hours of a day merge', () => {
    const given = everyDay('09:00', '12:00');
    given.weekly.monday.intervals.push({ start: '11:00', end: '13:00' }, { start: '13:00', end: '15:00' });
    expect(onDay(given, '2027-03-01')).toEqual([
      { startMs: at('2027-03-01T09:00[Europe/Berlin]'), endMs: at('2027-03-01T15:00[Europe/Berlin]') },
    ]);
  });

  it('hours of a day may end after midnight', () => {
    const given = everyDay('22:00', '02:00');
    const noon = at('2027-03-01T12:00[Europe/Berlin]');
    const spans = openSpans(compileHours(given), compileFacts(nothing), { startMs: noon, endMs: noon + 86_400_000 });
    expect(spans).toEqual([
      { startMs: at('2027-03-01T22:00[Europe/Berlin]'), endMs: at('2027-03-02T02:00[Europe/Berlin]') },
    ]);
  });

  it('a day off or holiday is closed unless an override opens it', () => {
    const off = { firstDay: '2027-03-01', lastDay: '2027-03-02' };
    const given = everyDay('09:00', '17:00');
    expect(onDay(given, '2027-03-01', { ...nothing, daysOff: [off] })).toEqual([]);
    expect(onDay(given, '2027-03-01', { ...nothing, holidays: ['2027-03-01'] })).toEqual([]);
    given.overrides = [{ date: '2027-03-01', intervals: [{ start: '10:00', end: '11:00' }] }];
    expect(onDay(given, '2027-03-01', { ...nothing, daysOff: [off] })).toEqual([
      { startMs: at('2027-03-01T10:00[Europe/Berlin]'), endMs: at('2027-03-01T11:00[Europe/Berlin]') },
    ]);
  });

  it('hours of a travel day are in the time zone of the destination', () => {
    const travels = [{ firstDay: '2027-03-01', lastDay: '2027-03-01', zone: 'Asia/Tokyo' }];
    const range = { startMs: at('2027-02-28T12:00[UTC]'), endMs: at('2027-03-02T23:00[UTC]') };
    const spans = openSpans(compileHours(defaultHours('Europe/Berlin')), compileFacts({ ...nothing, travels }), range);
    expect(spans).toEqual([
      { startMs: at('2027-03-01T09:00[Asia/Tokyo]'), endMs: at('2027-03-01T17:00[Asia/Tokyo]') },
      { startMs: at('2027-03-02T09:00[Europe/Berlin]'), endMs: at('2027-03-02T17:00[Europe/Berlin]') },
    ]);
    expect(spans.some((span) => containsMs(span, at('2027-03-01T12:00[Europe/Berlin]')))).toBe(false);
  });
});
