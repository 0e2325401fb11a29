import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Attendee, Core, Duration, ExtraDate, Series, Single, When } from '#kernel/event.ts';
import type { WritableBody } from '#kernel/ical/normalise-body.ts';
import { parseObject } from '#kernel/ical/parse-object.ts';
import { patchObject, writeObject } from '#kernel/ical/patch-object.ts';
import { occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { printBasicDateTime, printLocalDate, printLocalDateTime } from '#kernel/time/local.ts';
import { runs } from '../../../test/harness/law-budget.ts';

/** On a machine that is busy with other things. */
const deadlineMs = 30_000;
const owner = 'ann@example.com';
const context = { selfAddresses: [owner], tags: { verify: () => false } };
const stamp = { stampMs: Date.UTC(2026, 10, 20), owner };

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia'];
/** Half of them at changes of the clock in the zones above, gaps and repeated hours among them. */
const localMs = fc.oneof(
  fc.integer({ min: Date.UTC(2020, 0, 1) / 1000, max: Date.UTC(2035, 0, 1) / 1000 }).map((s) => s * 1000),
  fc
    .tuple(
      fc.constantFrom(
        Date.UTC(2027, 2, 28, 2, 30),
        Date.UTC(2027, 9, 31, 2, 30),
        Date.UTC(2027, 2, 14, 2, 30),
        Date.UTC(2027, 10, 7, 1, 30),
        Date.UTC(2027, 3, 4, 1, 45),
      ),
      fc.integer({ min: -120, max: 120 }),
    )
    .map(([ms, minutes]) => ms + minutes * 60_000),
);
const duration: fc.Arbitrary<Duration> = fc.oneof(
  fc.integer({ min: 0, max: 200_000 }).map((seconds) => ({ seconds })),
  fc.integer({ min: 1, max: 9 }).map((days) => ({ days })),
);
const allDay = fc.tuple(localMs, fc.integer({ min: 1, max: 9 })).map(([ms, days]): When => {
  return { kind: 'all-day', start: printLocalDate(ms), end: printLocalDate(ms + days * dayMs) };
});
const zoned = fc.tuple(localMs, fc.constantFrom(...zones), duration).map(([ms, zone, length]): When => {
  return { kind: 'zoned', start: printLocalDateTime(ms), zone, duration: length };
});
const wallDuration = fc.integer({ min: 1, max: 200_000 }).map((wallSeconds) => ({ wallSeconds }));
const floating = fc.tuple(localMs, fc.oneof(duration, wallDuration)).map(([ms, length]): When => {
  return { kind: 'floating', start: printLocalDateTime(ms), duration: length };
});
const when = fc.oneof({ weight: 3, arbitrary: zoned }, allDay, floating);

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 120 }),
  fc
    .array(fc.constantFrom('\r\n', '\n', '\u2028', 'END:VEVENT', 'RRULE:FREQ=DAILY', ' ', ';', ',', '\\n', '"', '😀'), {
      maxLength: 20,
    })
    .map((parts) => parts.join('')),
);
const attendee: fc.Arbitrary<Attendee> = fc.record(
  {
    email: fc.constantFrom('bob@example.com', 'cem@example.org', 'dana@example.net', 'eve@example.org'),
    name: fc.oneof(fc.constantFrom('Bob', 'Dana, of "Work"', 'a:b;c^n'), text),
    response: fc.constantFrom('accepted', 'declined', 'tentative', 'needs-action'),
  },
  { requiredKeys: ['email', 'response'] },
);
const core: fc.Arbitrary<Core> = fc.record(
  {
    busy: fc.constantFrom('busy', 'tentative', 'oof', 'elsewhere', 'free'),
    private: fc.boolean(),
    self: fc.constant('none' as const),
    kind: fc.constant('default' as const),
    title: text,
    location: text,
    notes: text,
    joinUrl: fc.constantFrom('https://zoom.us/j/1', 'https://video.example.com/a,b;c?d=\\n', 'https://example.com/x'),
    attendees: fc.uniqueArray(attendee, { selector: ({ email }) => email, maxLength: 3 }),
    categories: fc.array(text, { maxLength: 3 }),
    color: fc.constantFrom('#ff0000', '#0000ff'),
    reminders: fc.uniqueArray(fc.constantFrom(0, 5, 15, 90, 1_440), { maxLength: 3 }),
  },
  { requiredKeys: ['busy', 'private', 'self', 'kind'] },
);
const rule = fc.oneof(
  fc.constantFrom('FREQ=WEEKLY;BYDAY=MO,WE', 'FREQ=DAILY;COUNT=10', 'FREQ=MONTHLY;BYDAY=-1FR', 'FREQ=YEARLY'),
  localMs.map((ms) => `FREQ=DAILY;UNTIL=${printBasicDateTime(ms)}Z`),
);
const single: fc.Arbitrary<Single> = fc.record({ kind: fc.constant('single' as const), when, core });
const extraDate: fc.Arbitrary<ExtraDate> = fc
  .tuple(localMs, fc.option(duration, { nil: undefined }))
  .map(([ms, length]) => ({ start: printLocalDateTime(ms), ...(length === undefined ? {} : { duration: length }) }));
const recId = localMs.map((ms) => `${printBasicDateTime(ms)}Z`);
const series: fc.Arbitrary<Series> = fc.record({
  kind: fc.constant('series' as const),
  when,
  core,
  rules: fc.array(rule, { minLength: 1, maxLength: 2 }),
  exRules: fc.array(rule, { maxLength: 1 }),
  extraDates: fc.uniqueArray(extraDate, { selector: ({ start }) => start, maxLength: 3 }),
  exdates: fc.array(recId, { maxLength: 4 }),
  overrides: fc.dictionary(recId, fc.record({ when, core }), { maxKeys: 3 }),
});
const anyBody: fc.Arbitrary<WritableBody> = fc.oneof(single, { weight: 2, arbitrary: series });

/** Properties of other apps that our model lacks. */
const foreignTexts = [
  'X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC',
  'X-MOZ-GENERATION;X-OLD=1:4',
  'ATTACH;FMTTYPE="a/b":https://files.example.com/x,y',
  'x-lower;P="q;r:s":kept as it is \\, with\r\n  a fold',
  'COMMENT:one\\ntwo',
  'BEGIN:X-COMPONENT\r\nX-INNER:1\r\nSUMMARY:not this\r\nEND:X-COMPONENT',
  'BEGIN:VALARM\r\nACTION:EMAIL\r\nTRIGGER:-PT15M\r\nX-ID:7\r\nEND:VALARM',
];

function read(given: string): WritableBody {
  expect(parseObject(given, context).warnings).toEqual([]);
  return readLoosely(given);
}

function readLoosely(given: string): WritableBody {
  const { body } = parseObject(given, context);
  if (body.kind !== 'single' && body.kind !== 'series') throw new Error(`${body.kind}: ${given}`);
  return body;
}

/** A body and its text, with what is not ours strewn into its events. */
const object = fc
  .tuple(anyBody, fc.array(fc.tuple(fc.constantFrom(...foreignTexts), fc.nat()), { maxLength: 6 }), fc.boolean())
  .map(([body, strewn, bare]) => {
    let given = writeObject('event@example.com', body, stamp) ?? '';
    given = writeObject('event@example.com', readLoosely(given), stamp) ?? '';
    for (const [line, at] of strewn) {
      const places = [...given.matchAll(/^(?:BEGIN:VALARM|END:VEVENT|SUMMARY|DTSTART|UID|RRULE)/gm)].map(
        (match) => match.index,
      );
      const place = places[at % places.length] ?? 0;
      if (given.lastIndexOf('BEGIN:VEVENT', place) > given.lastIndexOf('BEGIN:VTIMEZONE', place)) {
        given = `${given.slice(0, place)}${line}\r\n${given.slice(place)}`;
      }
    }
    return bare ? given.replaceAll('\r\n', '\n') : given;
  });

/** A body without the order of its attendees and rules, and without what only a server makes of them. */
function settled(body: WritableBody): unknown {
  const tidy = (core: Core) => ({
    ...core,
    self: undefined,
    attendees: [...(core.attendees ?? [])].sort((a, b) => (a.email < b.email ? -1 : 1)),
  });
  if (body.kind === 'single') return { ...body, core: tidy(body.core) };
  const overrides = Object.entries(body.overrides).map(([key, one]) => [key, { ...one, core: tidy(one.core) }]);
  const rules = body.rules.toSorted();
  return { ...body, rules, core: tidy(body.core), overrides: Object.fromEntries(overrides) };
}

/** Some parts of one body, the others of another; the times and the recurrence go together. */
function mixed(from: WritableBody, to: WritableBody, parts: number): WritableBody {
  const chosen = <T extends object>(a: T, b: T): T => {
    const keys = [
      'title',
      'location',
      'notes',
      'joinUrl',
      'attendees',
      'categories',
      'color',
      'private',
      'busy',
      'reminders',
    ];
    const result = { ...a } as Record<string, unknown>;
    for (const [bit, key] of keys.entries()) {
      if ((parts & (1 << bit)) === 0) continue;
      if (key in b) result[key] = b[key as keyof T];
      else delete result[key];
    }
    return result as T;
  };
  const timed = (parts & 1_024) === 0 ? from : to;
  return { ...timed, core: chosen(from.core, to.core) };
}

/** The master's lines that are not ours, in order, byte for byte. */
function foreignOf(given: string): string[] {
  const lineEnd = given.includes('\r\n') ? '\r\n' : '\n';
  const lines = given.split(lineEnd);
  const events: string[][] = [];
  for (const [at, line] of lines.entries()) {
    if (line === 'BEGIN:VEVENT') events.push(lines.slice(at, lines.indexOf('END:VEVENT', at)));
  }
  const master = events.find((event) => !event.some((line) => line.startsWith('RECURRENCE-ID'))) ?? [];
  return master.flatMap((_, at) => {
    const rest = [...master.slice(at), ''].join(lineEnd);
    return foreignTexts.map((one) => one.replaceAll('\r\n', lineEnd)).filter((one) => rest.startsWith(one + lineEnd));
  });
}

test(
  'a new object keeps its instances, and is the same when written again',
  () => {
    fc.assert(
      fc.property(anyBody, (body) => {
        const written = writeObject('event@example.com', body, stamp) ?? '';
        const back = readLoosely(written);
        expect(settled(read(writeObject('event@example.com', back, stamp) ?? ''))).toEqual(settled(back));
        // dates of other kinds than their series' are brought into its frame
        if (body.when.kind === 'zoned') expect(instancesOf(back)).toEqual(instancesOf(body));
        expect(written).not.toContain('HOLDFAST-MIRROR');
        expect(written.replaceAll('\r\n', '')).not.toMatch(/[\r\n\v\f\u0085\u2028\u2029\0]/);
      }),
      { numRuns: runs(150) },
    );
  },
  deadlineMs,
);

function instancesOf(body: WritableBody): string[] {
  const exdates = body.kind === 'series' ? body.exdates.filter((recId) => !(recId in body.overrides)) : [];
  const given = body.kind === 'series' ? { ...body, exdates } : body;
  const window = { fromMs: Date.UTC(2026, 0, 1), toMs: Date.UTC(2028, 0, 1) };
  const { list } = occurrencesOf(given, 'UTC', 'UTC', window, { instances: 2_000, steps: 50_000 });
  return list.map(({ startMs, endMs, core }) => `${startMs} ${endMs} ${core.busy}`).sort();
}

test(
  'an object patched from any event to any other reads back as the other and keeps foreign properties',
  () => {
    fc.assert(
      fc.property(object, object, fc.integer({ min: 0, max: 2_047 }), (from, to, parts) => {
        const before = read(from);
        const after = mixed(before, read(to), parts);
        const patched = patchObject(from, before, after, stamp) ?? '';
        expect(settled(read(patched))).toEqual(settled(after));
        expect(foreignOf(patched)).toEqual(foreignOf(from));
        expect(patchObject(patched, read(patched), read(patched), stamp)).toBe(patched);
      }),
      { numRuns: runs(200) },
    );
  },
  deadlineMs,
);
