import fc from 'fast-check';
import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import type { Core, Duration, ExtraDate, RecId, Series, Single, When } from '#kernel/event.ts';
import { contentHash } from '#kernel/event-hash.ts';
import { normaliseBody, type WritableBody } from '#kernel/ical/normalise-body.ts';
import { parseObject } from '#kernel/ical/parse-object.ts';
import { serialiseMirror } from '#kernel/ical/serialise-mirror.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { printBasicDate, printBasicDateTime, printLocalDate, printLocalDateTime } from '#kernel/time/local.ts';
import { runs } from '../../../test/harness/law-budget.ts';

const identity = {
  key: 'ghoq99ijc0e9ivm6ng15711q8eds9g44',
  generation: 1,
  uid: 'ghoq99ijc0e9ivm6ng15711q8eds9g44-g1@holdfast.invalid',
  tag: '1:9ojcp6a67j27cj2rr9fhqubkhghhaucl',
};
const tags = { verify: (uid: string, tag: string) => uid === identity.uid && tag === identity.tag };
const stamp = { stampMs: Date.UTC(2026, 10, 20) };

const zones = [
  'UTC',
  'Etc/UTC',
  'Europe/Berlin',
  'America/New_York',
  'Africa/Casablanca',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Europe/Dublin',
];
/** Includes the gaps and overlaps of the zones above. */
const localMs = fc.oneof(
  fc.integer({ min: Date.UTC(1995, 0, 1) / 1000, max: Date.UTC(2060, 0, 1) / 1000 }).map((s) => s * 1000),
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
const wallDuration = fc.integer({ min: 1, max: 200_000 }).map((wallSeconds) => ({ wallSeconds }));
const duration: fc.Arbitrary<Duration> = fc.oneof(
  fc.integer({ min: 0, max: 400_000 }).map((seconds) => ({ seconds })),
  fc.integer({ min: 1, max: 40 }).map((days) => ({ days })),
  fc.record({ days: fc.integer({ min: 1, max: 9 }), seconds: fc.integer({ min: 1, max: 200_000 }) }),
);
const when: fc.Arbitrary<When> = fc.oneof(
  fc.tuple(localMs, fc.integer({ min: 1, max: 30 })).map(([ms, days]): When => {
    return { kind: 'all-day', start: printLocalDate(ms), end: printLocalDate(ms + days * dayMs) };
  }),
  fc.tuple(localMs, fc.constantFrom(...zones), duration).map(([ms, zone, length]): When => {
    return { kind: 'zoned', start: printLocalDateTime(ms), zone, duration: length };
  }),
  fc.tuple(localMs, fc.oneof(duration, wallDuration)).map(([ms, length]): When => {
    return { kind: 'floating', start: printLocalDateTime(ms), duration: length };
  }),
);

/** Texts that try to break out of their property, and any Unicode at all, lone surrogates included. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc
    .array(
      fc.constantFrom(
        '\r\n',
        '\n',
        '\r',
        '\u2028',
        '\u0085',
        '\v',
        'ATTENDEE:mailto:x@y.z',
        'END:VEVENT',
        ' ',
        ';',
        ',',
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join('')),
  fc
    .array(fc.constantFrom('\\', '\\n', '"', ':', '=', '\t', '😀', 'ä', '\ud800', '\0'), { maxLength: 60 })
    .map((parts) => parts.join('')),
);
const core: fc.Arbitrary<Core> = fc.record(
  {
    busy: fc.constantFrom('busy', 'tentative', 'oof', 'elsewhere', 'free', 'unknown'),
    private: fc.boolean(),
    self: fc.constantFrom('none', 'accepted', 'declined'),
    kind: fc.constantFrom('default', 'focus'),
    title: text,
    location: text,
    notes: text,
    joinUrl: fc.oneof(fc.webUrl({ withQueryParameters: true }), text),
    categories: fc.array(text, { maxLength: 4 }),
    color: fc.constantFrom('#5e53dd', '#ff0000', '#123456', 'no colour'),
  },
  { requiredKeys: ['busy', 'private', 'self', 'kind'] },
);
const rule = fc.oneof(
  fc.constantFrom(
    'FREQ=WEEKLY;INTERVAL=1;BYDAY=MO,WE',
    'FREQ=DAILY;COUNT=10',
    'FREQ=MONTHLY;BYDAY=-1FR;WKST=SU',
    'FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=28',
    'FREQ=NEVER',
  ),
  localMs.map((ms) => `FREQ=DAILY;UNTIL=${printBasicDateTime(ms)}Z`),
  localMs.map((ms) => `UNTIL=${printBasicDate(ms)};FREQ=WEEKLY`),
);
const recId: fc.Arbitrary<RecId> = fc
  .tuple(localMs, fc.constantFrom('date', 'local', 'utc'))
  .map(([ms, form]) =>
    form === 'date' ? printBasicDate(ms) : `${printBasicDateTime(ms)}${form === 'utc' ? 'Z' : ''}`,
  );
const extraDate: fc.Arbitrary<ExtraDate> = fc
  .tuple(localMs, fc.boolean(), fc.option(duration, { nil: undefined }))
  .map(([ms, isDate, length]) => {
    const start = isDate ? printLocalDate(ms) : printLocalDateTime(ms);
    return length === undefined ? { start } : { start, duration: length };
  });
const single: fc.Arbitrary<Single> = fc.record({ kind: fc.constant('single' as const), when, core });
const series: fc.Arbitrary<Series> = fc.record({
  kind: fc.constant('series' as const),
  when,
  core,
  rules: fc.array(rule, { maxLength: 3 }),
  exRules: fc.array(rule, { maxLength: 1 }),
  extraDates: fc.array(extraDate, { maxLength: 4 }),
  exdates: fc.array(recId, { maxLength: 6 }),
  overrides: fc.dictionary(recId, fc.record({ when, core }), { maxKeys: 4 }),
});
const body: fc.Arbitrary<WritableBody> = fc.oneof(single, series);

test('a written mirror reads back as the same event, with the same hash and as own', () => {
  fc.assert(
    fc.property(body, (value) => {
      const parsed = parseObject(serialiseMirror(value, identity, stamp), { selfAddresses: [], tags });
      expect(parsed.body).toEqual(normaliseBody(value));
      expect(contentHash(parsed.body)).toBe(contentHash(normaliseBody(value)));
      expect(parsed).toMatchObject({ uid: identity.uid, provenance: 'own', warnings: [] });
    }),
    { numRuns: runs(600) },
  );
});

test('a normalized body does not change when normalized again', () => {
  fc.assert(
    fc.property(body, (value) => {
      const once = normaliseBody(value);
      expect(normaliseBody(once)).toEqual(once);
    }),
    { numRuns: runs(600) },
  );
});

const ours =
  /^(BEGIN|END|VERSION|PRODID|TZID|TZOFFSETFROM|TZOFFSETTO|UID|DTSTAMP|LAST-MODIFIED|SEQUENCE|X-HOLDFAST-MIRROR|DTSTART|DTEND|DURATION|RECURRENCE-ID|RRULE|EXRULE|RDATE|EXDATE|SUMMARY|LOCATION|DESCRIPTION|URL|CATEGORIES|COLOR|CLASS|TRANSP|STATUS|X-MICROSOFT-CDO-BUSYSTATUS)[;:]/;

test('no text adds a line to a written mirror, and its lines fit 75 octets', () => {
  const encoder = new TextEncoder();
  fc.assert(
    fc.property(body, (value) => {
      const written = serialiseMirror(value, identity, stamp);
      expect(written.endsWith('\r\n')).toBe(true);
      expect(written.isWellFormed()).toBe(true);
      expect(written.replaceAll('\r\n', '')).not.toMatch(/[\r\n\v\f\u0085\u2028\u2029\0]/);
      for (const line of written.slice(0, -2).split('\r\n')) {
        expect(encoder.encode(line).length).toBeLessThanOrEqual(75);
        expect(line.startsWith(' ') || ours.test(line), line).toBe(true);
      }
      const again = serialiseMirror(value, identity, stamp);
      expect(again).toBe(written);
    }),
    { numRuns: runs(300) },
  );
});

test('ical.js reads the same texts and times from a written mirror', () => {
  fc.assert(
    fc.property(single, (value) => {
      const normal = normaliseBody(value) as Single;
      const calendar = new ICAL.Component(ICAL.parse(serialiseMirror(value, identity, stamp)) as never);
      const event = calendar.getFirstSubcomponent('vevent');
      expect(event?.getFirstPropertyValue('summary') ?? undefined).toBe(normal.core.title);
      expect(event?.getFirstPropertyValue('description') ?? undefined).toBe(normal.core.notes);
      expect(event?.getFirstPropertyValue('location') ?? undefined).toBe(normal.core.location);
      const start = String(event?.getFirstPropertyValue('dtstart'));
      expect(start).toBe(normal.when.kind === 'zoned' ? `${normal.when.start}Z` : normal.when.start);
    }),
    { numRuns: runs(300) },
  );
});
