import fc from 'fast-check';
import { expect, test } from 'vitest';
import { momentOf, type Reading, readWish } from './read-wish.ts';

const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'Pacific/Apia', 'UTC'];
const firstMs = Temporal.Instant.from('2026-01-01T00:00:00Z').epochMilliseconds;

const reading: fc.Arbitrary<Reading> = fc.record({
  nowMs: fc.integer({ min: 0, max: 3 * 366 * 1440 }).map((minute) => firstMs + minute * 60_000),
  zone: fc.constantFrom(...zones),
  monthFirst: fc.boolean(),
  language: fc.constantFrom('en', 'de', 'fr', 'es', 'ja', 'en-XA'),
});
const clock = fc.record({ hour: fc.integer({ min: 0, max: 23 }), minute: fc.integer({ min: 0, max: 59 }) });

const two = (n: number) => String(n).padStart(2, '0');
const today = ({ nowMs, zone }: Reading) =>
  Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(zone).toPlainDate();

test('a typed date and time is that wall clock time on any day, DST changes included', () => {
  fc.assert(
    fc.property(
      reading,
      clock,
      fc.integer({ min: 0, max: 500 }),
      fc.integer({ min: 1, max: 600 }),
      (at, time, days, n) => {
        const day = today(at).add({ days });
        const wish = readWish(`Plan ${day.toString()} ${two(time.hour)}:${two(time.minute)} ${n}m`, at);
        const moment = momentOf(wish, at);
        expect(wish.title).toBe('Plan');
        expect(moment?.minutes).toBe(n);
        const wall = day.toPlainDateTime(time);
        const shown = moment?.start.toPlainDateTime();
        // a wall time that is skipped is shown as much later as clocks go forward, never earlier
        const exists = wall.toZonedDateTime(at.zone).toPlainDateTime().equals(wall);
        if (exists) expect(shown?.toString()).toBe(wall.toString());
        else expect(Temporal.PlainDateTime.compare(shown ?? wall, wall)).toBe(1);
      },
    ),
  );
});

test('a typed weekday is the coming day with that name, and never today with "next"', () => {
  const names = ['Monday', 'tue', 'wed', 'Thu', 'friday', 'SAT', 'sun'];
  fc.assert(
    fc.property(reading, fc.integer({ min: 0, max: 6 }), fc.boolean(), (at, weekday, isNext) => {
      const { day } = readWish(`${isNext ? 'next ' : ''}${names[weekday]}`, { ...at, language: 'en' });
      expect(day?.dayOfWeek).toBe(weekday + 1);
      const ahead = today(at).until(day ?? today(at)).days;
      expect(ahead).toBeGreaterThanOrEqual(isNext ? 1 : 0);
      expect(ahead).toBeLessThanOrEqual(isNext ? 7 : 6);
    }),
  );
});

test('a typed time alone is within the next day in its time zone', () => {
  fc.assert(
    fc.property(reading, clock, fc.constantFrom(null, 'Tokyo', 'New York', 'utc'), (at, { hour, minute }, place) => {
      const wish = readWish(`${hour}:${two(minute)}${place === null ? '' : ` ${place}`}`, at);
      const start = momentOf(wish, at)?.start;
      const aheadMs = (start?.epochMilliseconds ?? 0) - at.nowMs;
      expect(aheadMs).toBeGreaterThan(0);
      expect(aheadMs).toBeLessThanOrEqual(25 * 3_600_000 + 1_800_000);
      expect(start?.timeZoneId).toBe(at.zone);
    }),
  );
});

test('a date in the format of any supported language is read whole', () => {
  const ways: Intl.DateTimeFormatOptions[] = [
    { weekday: 'long', day: 'numeric', month: 'long' },
    { weekday: 'short', day: 'numeric', month: 'short' },
    { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
    { day: 'numeric', month: 'short', year: 'numeric' },
    { weekday: 'long' },
  ];
  fc.assert(
    fc.property(
      reading,
      fc.constantFrom('en-US', 'en-GB', 'de-DE', 'fr-FR', 'es-ES', 'ja-JP'),
      fc.constantFrom(...ways),
      fc.integer({ min: 0, max: 364 }),
      clock,
      (at, language, way, days, { hour, minute }) => {
        const ahead = way.month === undefined ? days % 7 : days;
        const day = today(at).add({ days: ahead });
        const text = day.toLocaleString(language, way);
        const time = `${two(hour)}:${two(minute)}`;
        const wish = readWish(`${text} ${time}`, { ...at, language });
        expect([text, wish.day?.toString(), wish.title]).toEqual([text, day.toString(), '']);
        expect(wish.time).toEqual({ hour, minute });
      },
    ),
    { numRuns: 500 },
  );
});

test('every typed text is parsed without an error', () => {
  const word = fc.constantFrom(
    'lunch',
    'fri',
    '1pm',
    '45m',
    '12',
    'mar',
    'next',
    'at',
    '-',
    '9',
    'am',
    '3/4',
    '31.2.',
    'tokyo',
    ':30',
    'halb',
    '15h',
    'de la tarde',
    '来週',
    '午後３時',
  );
  const typed = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.array(word, { maxLength: 8 }).map((words) => words.join(' ')),
  );
  fc.assert(
    fc.property(reading, typed, (at, text) => {
      const wish = readWish(text, at);
      expect(wish.title.length).toBeLessThanOrEqual(text.length);
      expect(() => momentOf(wish, at)).not.toThrow();
    }),
    { numRuns: 1_000 },
  );
});
