import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventLimits, type Item } from '#kernel/event.ts';
import { equalJson } from '#kernel/event-hash.ts';
import { losesTime } from '#kernel/ical/reading-warning.ts';
import { occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import { WorkBudget, withoutPause } from '#kernel/work-budget.ts';
import { readingLimits } from '#kernel/work-limits.ts';
import { runs } from '../../../test/harness/law-budget.ts';
import { type ReadFeed, readFeed } from './read-feed.ts';

const tags = { verify: () => false };

/** The lines of one component, from its BEGIN to its END. */
type Lines = string[];

const time = fc
  .record({ month: fc.integer({ min: 1, max: 12 }), day: fc.integer({ min: 1, max: 28 }), hour: fc.nat({ max: 20 }) })
  .map(({ month, day, hour }) => {
    const two = (n: number) => String(n).padStart(2, '0');
    return {
      start: `2026${two(month)}${two(day)}T${two(hour)}0000`,
      end: `2026${two(month)}${two(day)}T${two(hour + 2)}3000`,
    };
  });
const optional = (line: string) => fc.constantFrom<string[]>([], [line]);

function event(n: number): fc.Arbitrary<Lines> {
  return fc
    .tuple(
      time,
      fc.constantFrom('', ';TZID=Europe/Berlin', ';TZID=America/New_York'),
      optional('RRULE:FREQ=WEEKLY;COUNT=8;BYDAY=MO,WE'),
      optional('SUMMARY:Grüße\\, Team'),
      optional('TRANSP:OPAQUE'),
      optional('LOCATION:Room; 2'),
      fc.constantFrom<string[]>([], ['BEGIN:VALARM', 'ACTION:DISPLAY', 'TRIGGER:-PT15M', 'END:VALARM']),
      fc.boolean(),
    )
    .map(([{ start, end }, zone, rule, title, busy, place, alarm, uidLast]) => {
      const uid = [`UID:e${n}@x`];
      const z = zone === '' ? 'Z' : '';
      const when = [
        `DTSTART${zone}:${start}${z}`,
        `DTEND${zone}:${end}${z}`,
        ...rule,
        ...title,
        ...busy,
        ...place,
        ...alarm,
      ];
      return ['BEGIN:VEVENT', ...(uidLast ? when.concat(uid) : uid.concat(when)), 'END:VEVENT'];
    });
}

const others: Lines[] = [
  ['BEGIN:VTODO', 'UID:t@x', 'DTSTAMP:20260101T000000Z', 'SUMMARY:Task', 'END:VTODO'],
  [
    'BEGIN:VTIMEZONE',
    'TZID:Europe/Berlin',
    'BEGIN:STANDARD',
    'DTSTART:19701025T030000',
    'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
    'TZOFFSETFROM:+0200',
    'TZOFFSETTO:+0100',
    'END:STANDARD',
    'END:VTIMEZONE',
  ],
];

const components = fc
  .integer({ min: 2, max: 6 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, n) => event(n))))
  .chain((events) => fc.shuffledSubarray([...events, ...others], { minLength: events.length + 1 }));

/** A name is what an event is known by: with another one it is another event, and nobody can tell. */
const isName = (line: string) => line.startsWith('UID');

const damages: Record<string, (lines: Lines, at: number, garbage: string) => Lines> = {
  'END is missing': (lines) => lines.slice(0, -1),
  'END is misspelt': (lines) => [...lines.slice(0, -1), 'END:VEVNET'],
  'BEGIN is missing': (lines) => lines.slice(1),
  'BEGIN stands twice': (lines) => [lines[0] as string, ...lines],
  'BEGIN stands in the middle': (lines, at) => lines.toSpliced(at, 0, lines[0] as string),
  'END stands in the middle': (lines, at) => lines.toSpliced(at, 0, lines.at(-1) as string),
  'a line is cut': (lines, at) =>
    lines.map((line, n) => (n === at && !isName(line) ? line.slice(0, line.length / 2) : line)),
  'garbage stands between the lines': (lines, at, garbage) => lines.toSpliced(at, 0, `${garbage}`),
  'garbage stands in a line': (lines, at, garbage) =>
    lines.map((line, n) => (n === at && !isName(line) ? line.slice(0, line.indexOf(':') + 2) + garbage : line)),
  'an alarm does not end': (lines, at) =>
    lines.filter((line) => line !== 'END:VALARM').toSpliced(at, 0, 'BEGIN:VALARM', 'TRIGGER:-PT5M'),
  'BEGIN is misspelt': (lines) => [`${lines[0]}X`, ...lines.slice(1)],
  'dates are wrong': (lines) =>
    lines.map((line) => (/^DT(?:START|END)/.test(line) ? line.replace(/:\d{8}/, ':99999999') : line)),
};

const garbage = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 30 })
  .map((text) => `\u00ff${text.replace(/[\r\n:;]/g, '')}`);

function read(parts: Lines[]): ReadFeed {
  return readText(textOf(parts));
}

const textOf = (parts: Lines[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...parts.flat(), 'END:VCALENDAR', ''].join('\r\n');

function readText(text: string): ReadFeed {
  return withoutPause(
    readFeed(new TextEncoder().encode(text), {
      tags,
      selfAddresses: [],
      host: 'example.org',
      budget: new WorkBudget(readingLimits),
    }),
  );
}

const isStart = (line: string) => line.startsWith('DTSTART');
const isInPart = ({ body, warnings = [] }: Item) => body.kind === 'withheld' || warnings.some(losesTime);

/** Starts of events with a length, epoch ms. */
const startsOf = (feed: ReadFeed): number[] =>
  feed.items.flatMap(({ body }) => {
    const window = { fromMs: Date.UTC(2025, 0, 1), toMs: Date.UTC(2028, 0, 1) };
    const { list } = occurrencesOf(body, 'UTC', 'UTC', window, eventLimits);
    return list.filter(({ startMs, endMs }) => endMs > startMs).map(({ startMs }) => startMs);
  });

test('a feed that is cut anywhere keeps its whole events, and has the known start of the one that is cut', () => {
  fc.assert(
    fc.property(components, fc.double({ min: 0, max: 1, noNaN: true }), (parts, where) => {
      const text = textOf(parts);
      const head = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\n'.length;
      const at = head + Math.floor(where * (text.length - head));
      const whole = readText(text);
      const events = parts.filter(([begin]) => begin === 'BEGIN:VEVENT');
      const cut = text.slice(0, at);
      const placeOf = (lines: Lines) => text.indexOf(lines.join('\r\n'));
      const known = events.filter(
        (lines) => cut.length > placeOf(lines) && cut.slice(placeOf(lines)).includes('DTSTART'),
      );
      if (known.length === 0) return;
      const after = readText(cut);
      for (const lines of events) {
        const from = placeOf(lines);
        const name = lines.find(isName)?.slice('UID:'.length);
        const now = after.items.find(({ ref }) => ref === name);
        if (at >= from + lines.join('\r\n').length + 2) {
          expect(now?.body).toEqual(whole.items.find(({ ref }) => ref === name)?.body);
        } else if (cut.slice(from).includes(`${lines.find(isStart)}\r\n`)) {
          expect(startsOf(after)).toContain(startsOf(read([lines]))[0]);
        }
      }
      expect(new Set(startsOf(whole))).toEqual(new Set([...startsOf(whole), ...startsOf(after)]));
      if (at < text.length - 'END:VCALENDAR\r\n'.length) expect(after.listing).toBe(false);
    }),
    { numRuns: runs(200) },
  );
});

test.each(Object.entries(damages))(
  'a component of a feed is damaged (%s): the others stay as they were, no known event is gone or smaller, and a start that is there blocks',
  (_, damage) => {
    fc.assert(
      fc.property(components, fc.nat(), fc.nat(), garbage, (parts, which, where, text) => {
        const before = read(parts);
        const index = which % parts.length;
        const hurt = parts[index] as Lines;
        const name = hurt.find(isName)?.slice('UID:'.length);
        const damaged = damage(hurt, 1 + (where % (hurt.length - 1)), text);
        const after = read(parts.with(index, damaged));
        const afterAs = new Map(after.items.map((item) => [item.ref, item]));
        for (const item of before.items) {
          const now = afterAs.get(item.ref);
          if (item.ref !== name) {
            expect(now?.body).toEqual(item.body);
            continue;
          }
          // absent: nothing is concluded from it; with times unknown: it is kept as it was
          if (now === undefined) expect(after.listing).toBe(false);
          else if (!isInPart(now) && !equalJson(now.body, item.body)) expect(now.body.kind).toBe(item.body.kind);
        }
        const start = hurt.find(isStart);
        if (name !== undefined && start !== undefined && damaged.includes(start))
          expect(startsOf(after)).toContain(startsOf(read([hurt]))[0]);
      }),
      { numRuns: runs(150) },
    );
  },
);
