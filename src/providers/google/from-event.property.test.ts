import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Core, When } from '#kernel/event.ts';
import { normaliseBody } from '#kernel/ical/normalise-body.ts';
import { runs } from '../../../test/harness/law-budget.ts';
import { conformanceIdentity, conformanceTags } from '../conformance.ts';
import type { MirrorBody } from '../port.ts';
import { insertOf } from './from-event.ts';
import { eventIdOf } from './mirror-id.ts';
import { readEvent } from './resource.ts';
import { itemOf } from './to-event.ts';

const zones = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'UTC', 'Australia/Lord_Howe');
const day = fc.integer({ min: 0, max: 3_000 }).map((n) => Temporal.PlainDate.from('2024-01-01').add({ days: n }));

const when: fc.Arbitrary<When> = fc.oneof(
  fc
    .record({
      day,
      minute: fc.integer({ min: 0, max: 1_439 }),
      zone: zones,
      minutes: fc.integer({ min: 1, max: 3_000 }),
    })
    .map(
      (at): When => ({
        kind: 'zoned',
        start: at.day.toPlainDateTime().add({ minutes: at.minute }).toString({ smallestUnit: 'second' }),
        zone: at.zone,
        duration: { seconds: at.minutes * 60 },
      }),
    ),
  fc
    .record({ day, days: fc.integer({ min: 1, max: 30 }) })
    .map((at): When => ({ kind: 'all-day', start: at.day.toString(), end: at.day.add({ days: at.days }).toString() })),
);

const text = fc.string({ unit: 'grapheme', maxLength: 60 });
const core: fc.Arbitrary<Core> = fc.record(
  {
    busy: fc.constantFrom('busy', 'tentative', 'oof', 'elsewhere', 'free', 'unknown'),
    private: fc.boolean(),
    self: fc.constant('none'),
    kind: fc.constantFrom('default', 'out-of-office'),
    title: text,
    location: text,
    notes: text,
    color: fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`),
  },
  { requiredKeys: ['busy', 'private', 'self', 'kind'] },
);

const anyBody: fc.Arbitrary<MirrorBody> = fc.oneof(
  fc.record({ kind: fc.constant('single'), when, core }),
  fc
    .record({
      when,
      core,
      rule: fc.constantFrom('FREQ=DAILY;COUNT=9', 'FREQ=WEEKLY;BYDAY=MO,TH', 'FREQ=MONTHLY;BYMONTHDAY=-1;INTERVAL=2'),
      excluded: fc.array(fc.integer({ min: 0, max: 8 }), { maxLength: 3 }),
      extra: fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 2 }),
    })
    .map(({ when: at, core: of, rule, excluded, extra }): MirrorBody => {
      const later = (days: number) =>
        at.kind === 'all-day'
          ? Temporal.PlainDate.from(at.start).add({ days }).toString()
          : Temporal.PlainDateTime.from(at.start).add({ days }).toString({ smallestUnit: 'second' });
      const recId = (days: number) => later(days).replaceAll(/[-:]/g, '');
      return {
        kind: 'series',
        when: at,
        core: of,
        rules: [rule],
        exRules: [],
        extraDates: extra.map((days) => ({ start: later(days) })),
        exdates: excluded.map(recId),
        overrides: {},
      };
    }),
);

/** A wall-clock time that the clocks of its zone show. */
const isShown = ({ when: at }: MirrorBody) =>
  at.kind !== 'zoned' ||
  Temporal.PlainDateTime.from(at.start).toZonedDateTime(at.zone).toPlainDateTime().equals(at.start);
const body = anyBody.filter((given) => given.kind === 'single' || isShown(given));

describe('mirrors at Google', () => {
  it('a mirror is read back as written, whatever zone Google answers in', () => {
    const identity = conformanceIdentity(1);
    fc.assert(
      fc.property(body, zones, (given, answered) => {
        const sent = insertOf(identity, eventIdOf(identity), given);
        const edge = (time: Record<string, string>) =>
          time.dateTime === undefined
            ? time
            : {
                ...time,
                dateTime: Temporal.Instant.from(time.dateTime).toString({ timeZone: answered, smallestUnit: 'second' }),
              };
        const answer = {
          ...sent,
          etag: '"1"',
          start: edge(sent.start as Record<string, string>),
          end: edge(sent.end as Record<string, string>),
        };
        const master = readEvent(JSON.parse(JSON.stringify(answer)));
        const item = itemOf(
          { ref: eventIdOf(identity), master, exceptions: [] },
          { self: new Set(), tags: conformanceTags, calendarZone: answered },
        );
        expect(item.provenance).toBe('own');
        expect(item.body).toEqual(normaliseBody(given));
      }),
      { numRuns: runs(300) },
    );
  });

  it('a series that begins in a daylight saving gap is refused, and a single event is written', () => {
    const identity = conformanceIdentity(1);
    const inGap = fc.constantFrom<[string, string]>(
      ['Europe/Berlin', '2027-03-28T02:00:00'],
      ['America/New_York', '2032-03-14T02:59:59'],
      ['Australia/Lord_Howe', '2027-10-03T02:15:00'],
    );
    fc.assert(
      fc.property(anyBody, inGap, fc.integer({ min: -1, max: 1 }), (given, [zone, start], days) => {
        const at = Temporal.PlainDateTime.from(start).add({ days }).toString({ smallestUnit: 'second' });
        const moved: MirrorBody = { ...given, when: { kind: 'zoned', start: at, zone, duration: { seconds: 1_800 } } };
        const insert = () => insertOf(identity, eventIdOf(identity), moved);
        if (days === 0 && given.kind === 'series') expect(insert).toThrow('at a time skipped when the clocks change');
        else expect(insert()).toHaveProperty('start');
      }),
    );
  });

  it('a mirror never has attendees, email, reminders or a conference', () => {
    const identity = conformanceIdentity(1);
    fc.assert(
      fc.property(body, (given) => {
        const sent = insertOf(identity, eventIdOf(identity), given);
        expect(sent).not.toHaveProperty('attendees');
        expect(sent).not.toHaveProperty('conferenceData');
        expect(sent.reminders).toEqual({ useDefault: false, overrides: [] });
        expect(JSON.stringify(sent)).not.toContain(':null');
      }),
    );
  });
});
