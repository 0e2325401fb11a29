import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseObject } from '#kernel/ical/parse-object.ts';
import { writeVtimezone } from '#kernel/ical/write-vtimezone.ts';
import { occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import { runs } from '../../../test/harness/law-budget.ts';

/*
 * One clock, written in the forms of different exporters under a name that says nothing: an event takes the same time in
 * each of them, and it is the time that the tz database says.
 */

const zones = Intl.supportedValuesOf('timeZone');

interface Change {
  /** On the clock before it. */
  local: string;
  from: string;
  to: string;
  isLater: boolean;
}

const basic = (time: Temporal.PlainDateTime) => time.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');

function offset(seconds: number): string {
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0');
  const total = Math.abs(seconds);
  const rest = total % 60 === 0 ? '' : two(total % 60);
  return `${seconds < 0 ? '-' : '+'}${two(total / 3_600)}${two((total / 60) % 60)}${rest}`;
}

const secondsAt = (time: Temporal.ZonedDateTime) => time.offsetNanoseconds / 1e9;

/** The changes of a clock from the last one before 2024 to 2031. */
function changesOf(zone: string): Change[] {
  const changes: Change[] = [];
  const first = Temporal.PlainDate.from('2024-01-01').toZonedDateTime(zone);
  let at = first.getTimeZoneTransition('previous') ?? first;
  for (;;) {
    const before = at.subtract({ nanoseconds: 1 });
    changes.push({
      local: basic(
        before
          .add({ nanoseconds: 1 })
          .toPlainDateTime()
          .subtract({ seconds: secondsAt(at) - secondsAt(before) }),
      ),
      from: offset(secondsAt(before)),
      to: offset(secondsAt(at)),
      isLater: secondsAt(at) > secondsAt(before),
    });
    const next = at.getTimeZoneTransition('next');
    if (next === null || next.year > 2031) return changes;
    at = next;
  }
}

const observance = ({ local, from, to, isLater }: Change, more: string[] = []) => {
  const name = isLater ? 'DAYLIGHT' : 'STANDARD';
  return [`BEGIN:${name}`, `DTSTART:${local}`, `TZOFFSETFROM:${from}`, `TZOFFSETTO:${to}`, ...more, `END:${name}`];
};

const tzid = 'Our Clock';
const defined = (lines: string[]) => ['BEGIN:VTIMEZONE', `TZID:${tzid}`, ...lines, 'END:VTIMEZONE'];

const forms: Record<string, (zone: string) => string[]> = {
  rules: (zone) =>
    writeVtimezone(zone, 2023)
      .replace(/^TZID:.*$/m, `TZID:${tzid}`)
      .trimEnd()
      .split('\r\n'),
  'rules with the hour in them': (zone) =>
    writeVtimezone(zone, 2023)
      .replace(/^TZID:.*$/m, `TZID:${tzid}`)
      .replace(
        /DTSTART:\d{8}T(\d\d)(\d\d)(\d\d)([^B]*?RRULE:FREQ=YEARLY;)/g,
        (all, h: string, m: string) => `${all}BYHOUR=${Number(h)};BYMINUTE=${Number(m)};`,
      )
      .trimEnd()
      .split('\r\n'),
  'an observance for each change': (zone) => defined(changesOf(zone).flatMap((change) => observance(change))),
  'lists of dates': (zone) =>
    defined(
      [...Map.groupBy(changesOf(zone), ({ from, to }) => `${from} ${to}`).values()].flatMap((same) =>
        observance(same[0] as Change, same.length === 1 ? [] : [`RDATE:${same.map(({ local }) => local).join(',')}`]),
      ),
    ),
  'a line of dates for each': (zone) =>
    defined(
      [...Map.groupBy(changesOf(zone), ({ from, to }) => `${from} ${to}`).values()].flatMap((same) =>
        observance(
          same[0] as Change,
          same.map(({ local }) => `RDATE:${local}`),
        ),
      ),
    ),
  'the place in a property of its own': (zone) => defined([`X-LIC-LOCATION:${zone}`]),
};

const start = fc
  .record({
    year: fc.integer({ min: 2024, max: 2029 }),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 28 }),
    hour: fc.nat({ max: 23 }),
    minute: fc.constantFrom(0, 30),
  })
  .map((parts) => Temporal.PlainDateTime.from(parts));

function startsIn(definition: string[], lines: string[]): number[] {
  const text = [
    'BEGIN:VCALENDAR',
    ...definition,
    'BEGIN:VEVENT',
    'UID:u',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');
  const { body } = parseObject(text, { selfAddresses: [], tags: { verify: () => false } });
  const window = { fromMs: Date.UTC(2023, 0, 1), toMs: Date.UTC(2033, 0, 1) };
  return occurrencesOf(body, 'UTC', 'UTC', window, { instances: 100, steps: 5_000 }).list.map(({ startMs }) => startMs);
}

test.each(Object.entries(forms))('events take the time of their clock where it is written as %s', (_, form) => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), start, fc.boolean(), (zone, time, repeats) => {
      const rule = repeats ? ['RRULE:FREQ=WEEKLY;COUNT=20'] : [];
      const found = startsIn(form(zone), [`DTSTART;TZID=${tzid}:${basic(time)}`, ...rule]);
      const wanted = Array.from(
        { length: repeats ? 20 : 1 },
        (_, week) =>
          time.add({ weeks: week }).toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds,
      );
      expect(found).toEqual(wanted);
    }),
    { numRuns: runs(120) },
  );
});

test('an offset of half an hour that no zone keeps all the year is the offset of the event', () => {
  const definition = defined(observance({ local: '19700101T000000', from: '-0330', to: '-0330', isLater: false }));
  expect(startsIn(definition, [`DTSTART;TZID=${tzid}:20260115T090000`])).toEqual([Date.UTC(2026, 0, 15, 12, 30)]);
});

test('a single event takes the offset that a clock has at its time, whatever the clock does in other years', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), start, (zone, time) => {
      const at = time.toZonedDateTime(zone);
      // a time that the clock skips or shows twice has no offset of its own
      fc.pre(at.toPlainDateTime().equals(time) && time.toZonedDateTime(zone, { disambiguation: 'later' }).equals(at));
      const fixed = offset(secondsAt(at));
      const definition = defined(observance({ local: '19700101T000000', from: fixed, to: fixed, isLater: false }));
      expect(startsIn(definition, [`DTSTART;TZID=${tzid}:${basic(time)}`])).toEqual([at.epochMilliseconds]);
    }),
    { numRuns: runs(200) },
  );
});
