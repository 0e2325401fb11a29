import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Core, Series, When } from '#kernel/event.ts';
import { contentHash } from '#kernel/event-hash.ts';
import { canonicalRule } from '#kernel/ical/canonical-rule.ts';
import { occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import { dayMs, hourMs, minuteMs } from '#kernel/time/civil.ts';
import { parseLocal, printLocalDate, printLocalDateTime } from '#kernel/time/local.ts';
import { loadZone, utc } from '#kernel/time/zones.ts';
import { runs } from '../../../../test/harness/law-budget.ts';
import { answerEvent, withAnswers } from './answer.ts';
import { changeEvent, deleteEvent, type EditableBody, instanceOf } from './event.ts';
import { fieldsOf } from './event-fields.ts';
import { dayOf, inputOf, localOfRecId, slotOf, startOf, type WhenInput } from './event-time.ts';
import { mergeEdit } from './merge.ts';
import { EditRefused } from './refusal.ts';

/** Both changes of the clocks of 2027 lie within the months that these series run through, north and south. */
const calendarZone = 'Europe/Berlin';
const ownerZone = 'America/New_York';
const zones = ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/Sao_Paulo', 'UTC', null] as const;
const rules = [
  'FREQ=DAILY',
  'FREQ=DAILY;INTERVAL=3',
  'FREQ=WEEKLY',
  'FREQ=WEEKLY;BYDAY=MO,WE,SU',
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SA',
  'FREQ=MONTHLY',
] as const;

const core: Core = { busy: 'busy', private: false, self: 'none', kind: 'default', title: 'Standup', notes: 'x' };

interface Sample {
  series: Series;
  /** One of its instances. */
  recId: string;
}

/** A finite or endless series with excluded, retitled and moved instances, and one instance to edit it at. */
const samples = (kind: 'timed' | 'all-day' | 'any' = 'any', given: readonly string[] = rules): fc.Arbitrary<Sample> =>
  fc
    .record({
      zone: fc.constantFrom(...zones),
      allDay: kind === 'any' ? fc.boolean() : fc.constant(kind === 'all-day'),
      day: fc.integer({ min: 0, max: 300 }),
      minute: fc.integer({ min: 0, max: 95 }).map((n) => n * 15),
      length: fc.constantFrom(30, 60, 90, 24 * 60),
      rule: fc.constantFrom(...given),
      end: fc.oneof(
        fc.record({ count: fc.integer({ min: 2, max: 40 }) }),
        fc.record({ days: fc.integer({ min: 5, max: 260 }) }),
        fc.constant(null),
      ),
      exceptions: fc.array(
        fc.record({
          at: fc.nat(30),
          what: fc.constantFrom('out', 'title', 'moved'),
          by: fc.integer({ min: -40, max: 40 }),
        }),
        { maxLength: 5 },
      ),
      pick: fc.nat(60),
    })
    .map((given) => {
      const firstMs =
        (parseLocal('2027-02-20') ?? 0) + given.day * dayMs + (given.allDay ? 0 : given.minute * minuteMs);
      const when: When = given.allDay
        ? { kind: 'all-day', start: printLocalDate(firstMs), end: printLocalDate(firstMs + dayMs) }
        : given.zone === null
          ? { kind: 'floating', start: printLocalDateTime(firstMs), duration: { seconds: given.length * 60 } }
          : {
              kind: 'zoned',
              start: printLocalDateTime(firstMs),
              zone: given.zone,
              duration: { seconds: given.length * 60 },
            };
      const end =
        given.end === null
          ? ''
          : 'count' in given.end
            ? `;COUNT=${given.end.count}`
            : `;UNTIL=${printLocalDate(firstMs + given.end.days * dayMs).replaceAll('-', '')}`;
      const series: Series = {
        kind: 'series',
        when,
        core,
        rules: [canonicalRule(`${given.rule}${end}`, when, calendarZone) ?? ''],
        exRules: [],
        extraDates: [],
        exdates: [],
        overrides: {},
      };
      const names = listOf(series).map((one) => one.recId);
      for (const { at, what, by } of given.exceptions) {
        const recId = names[at % names.length] ?? '';
        const slot = slotOf(series, recId);
        if (slot === null || series.exdates.includes(recId) || names.length < 3) continue;
        if (what === 'out') {
          if (names.length - series.exdates.length < 3) continue;
          series.exdates.push(recId);
          delete series.overrides[recId];
        } else if (what === 'title') series.overrides[recId] = { when: slot, core: { ...core, title: 'Special' } };
        else if (slot.kind !== 'all-day' && by !== 0)
          series.overrides[recId] = {
            when: { ...slot, start: printLocalDateTime(startOf(slot) + by * 15 * minuteMs) },
            core,
          };
      }
      series.exdates.sort();
      const left = listOf(series).flatMap((one) => (one.startMs < window.toMs - 40 * dayMs ? one.recId : []));
      return { series, recId: left[given.pick % left.length] ?? names[0] ?? '' };
    });

const window = { fromMs: Date.UTC(2027, 0), toMs: Date.UTC(2028, 11) };
function listOf(body: EditableBody | null) {
  if (body === null) return [];
  return occurrencesOf(body, calendarZone, ownerZone, window, { instances: 5_000, steps: 50_000 }).list;
}
/** Instances of an endless series that a move takes over the edge of the window are left out. */
const inside = (listMs: number[]) => listMs.filter((ms) => ms < window.toMs - 40 * dayMs).sort((a, b) => a - b);
const shown = (body: EditableBody | null) =>
  listOf(body)
    .map(({ startMs, endMs, core }) => `${startMs} ${endMs} ${core.title}`)
    .sort();

/** A change that an edge case of the calendar makes impossible to say is refused, never half made. */
function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof EditRefused) return null;
    throw error;
  }
}

const inputAt = ({ series, recId }: Sample) => inputOf(instanceOf(series, recId).when, calendarZone);
const shifted = (input: WhenInput, byMs: number): WhenInput => {
  const move = (text: string) => {
    const ms = (parseLocal(text.length === 10 ? text : `${text}:00`) ?? 0) + byMs;
    return input.kind === 'all-day' ? printLocalDate(ms) : printLocalDateTime(ms).slice(0, 16);
  };
  return { ...input, start: move(input.start), end: move(input.end) };
};

const zoneOfWhen = (when: When) =>
  loadZone(when.kind === 'zoned' ? when.zone : when.kind === 'floating' ? calendarZone : ownerZone) ?? utc;

describe('splits of a series', () => {
  test('a split series loses and doubles no instance', () => {
    fc.assert(
      fc.property(samples(), ({ series, recId }) => {
        const parts = changeEvent(series, recId, { scope: 'following', changes: {}, leaves: false }, calendarZone);
        const both = [...shown(parts.rest), ...shown(parts.made)].sort();
        expect(both).toEqual(shown(series));
        const names = (body: EditableBody | null) => listOf(body).map((one) => one.recId);
        if (parts.made !== null) {
          expect(names(parts.rest).every((name) => name < recId)).toBe(true);
          expect(names(parts.made).every((name) => name >= recId)).toBe(true);
          expect(names(parts.made)).toContain(recId);
        }
      }),
      { numRuns: runs(400) },
    );
  });

  test('a deletion of the following instances leaves exactly the earlier ones', () => {
    fc.assert(
      fc.property(samples(), ({ series, recId }) => {
        const rest = deleteEvent(series, recId, 'following');
        expect(listOf(rest).map((one) => one.recId)).toEqual(
          listOf(series)
            .map((one) => one.recId)
            .filter((name) => name < recId),
        );
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('edits of one instance', () => {
  test('a deleted instance is gone, and no other instance is', () => {
    fc.assert(
      fc.property(samples(), ({ series, recId }) => {
        const rest = deleteEvent(series, recId, 'this');
        const others = listOf(series).filter((one) => one.recId !== recId);
        expect(listOf(rest).map((one) => `${one.recId} ${one.startMs}`)).toEqual(
          others.map((one) => `${one.recId} ${one.startMs}`),
        );
      }),
      { numRuns: runs(300) },
    );
  });

  test('a moved and renamed instance is where it was put, and no other instance changes', () => {
    fc.assert(
      fc.property(samples('timed'), fc.integer({ min: -300, max: 300 }), (sample, quarters) => {
        const { series, recId } = sample;
        const when = shifted(inputAt(sample), quarters * 15 * minuteMs);
        const result = attempt(() =>
          changeEvent(series, recId, { scope: 'this', changes: { when, title: 'Mine' }, leaves: false }, calendarZone),
        );
        if (result === null) return; // a time that the clocks jump over ends before it begins
        expect(result.made).toBeNull();
        const split = (body: EditableBody | null) => Map.groupBy(listOf(body), (one) => one.recId === recId);
        const before = split(series);
        const after = split(result.rest);
        expect(after.get(false)).toEqual(before.get(false));
        const [own] = after.get(true) ?? [];
        expect(own?.core.title).toBe('Mine');
        const zone = zoneOfWhen(series.when);
        expect(own?.startMs).toBe(zone.toInstant(parseLocal(`${when.start}:00`) ?? 0));
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('edits of a whole series', () => {
  test('a series moved within the day moves every instance by the same local time, across clock changes', () => {
    fc.assert(
      fc.property(samples('timed'), fc.integer({ min: 0, max: 95 }), (sample, quarter) => {
        const { series, recId } = sample;
        const slot = slotOf(series, recId);
        // the day that the rule gave it: where this one was moved to does not say where all go
        const day = (slot?.start ?? '').slice(0, 10);
        const input = inputAt(sample);
        const length = (parseLocal(`${input.end}:00`) ?? 0) - (parseLocal(`${input.start}:00`) ?? 0);
        const startMs = (parseLocal(day) ?? 0) + quarter * 15 * minuteMs;
        const when: WhenInput = {
          ...input,
          start: printLocalDateTime(startMs).slice(0, 16),
          end: printLocalDateTime(startMs + length).slice(0, 16),
        };
        const result = attempt(() =>
          changeEvent(series, recId, { scope: 'all', changes: { when }, leaves: false }, calendarZone),
        );
        if (result === null || when.start === input.start) return;
        const zone = zoneOfWhen(series.when);
        const byMs = startMs - startOf(slot ?? series.when);
        const expected = listOf({ ...series, overrides: {} }).map(({ recId: name }) => {
          const own = series.overrides[name];
          const place = slotOf(series, name);
          const stays = own !== undefined && name !== recId && own.when.start !== place?.start;
          const localMs = stays ? startOf(own.when) : (localOfRecId(series.when, name) ?? 0) + byMs;
          return zone.toInstant(localMs);
        });
        expect(inside(listOf(result.rest).map((one) => one.startMs))).toEqual(inside(expected));
      }),
      { numRuns: runs(500) },
    );
  });

  test('a daily or weekly series moved to other days keeps the number and distances of its instances', () => {
    fc.assert(
      fc.property(samples('any', rules.slice(0, 5)), fc.integer({ min: -9, max: 9 }), (sample, days) => {
        const { recId } = sample;
        const series = { ...sample.series, overrides: {} };
        const when = shifted(inputAt({ series, recId }), days * dayMs);
        const result = attempt(() =>
          changeEvent(series, recId, { scope: 'all', changes: { when }, leaves: false }, calendarZone),
        );
        if (result === null) return;
        const local = (body: EditableBody | null, ms: number) => zoneOfWhen((body ?? series).when).toLocal(ms);
        // instances that the clocks jump over begin an hour later; their neighbours say where they belong
        const days0 = listOf(series).map((one) => Math.floor((local(series, one.startMs) - hourMs) / dayMs));
        const days1 = listOf(result.rest).map((one) => Math.floor((local(result.rest, one.startMs) - hourMs) / dayMs));
        const finite = /COUNT|UNTIL/.test(series.rules[0] ?? '');
        const upTo = Math.min(days0.length, days1.length) - (finite ? 0 : 10);
        if (finite) expect(days1).toHaveLength(days0.length);
        expect(days1.slice(0, Math.max(0, upTo))).toEqual(days0.slice(0, Math.max(0, upTo)).map((day) => day + days));
      }),
      { numRuns: runs(400) },
    );
  });

  test('a series made longer has the same new duration in every instance', () => {
    fc.assert(
      fc.property(samples('timed'), (sample) => {
        const { series, recId } = sample;
        const input = inputAt(sample);
        const when = { ...input, end: shifted(input, 45 * minuteMs).end };
        const result = attempt(() =>
          changeEvent(series, recId, { scope: 'all', changes: { when }, leaves: false }, calendarZone),
        );
        if (result === null) return;
        const before = listOf(series);
        const after = new Map(listOf(result.rest).map((one) => [one.recId, one]));
        for (const { recId: name, startMs } of before)
          if (name !== recId) expect(after.get(name)?.startMs).toBe(startMs);
        const lengths = new Set([...after.values()].map((one) => one.endMs - one.startMs));
        expect(lengths.size).toBe(1);
      }),
      { numRuns: runs(300) },
    );
  });

  // the clocks of Berlin change in the night of 25 March 2028
  const nightly = (start: string, more: Partial<Series> = {}): Series => ({
    kind: 'series',
    when: { kind: 'floating', start, duration: { wallSeconds: 8 * 3_600 } },
    core,
    rules: ['FREQ=DAILY;COUNT=8'],
    exRules: [],
    extraDates: [],
    exdates: [],
    overrides: {},
    ...more,
  });
  const until = (day: string, end: string): WhenInput => ({
    kind: 'timed',
    start: `${day}T22:00`,
    end: `2028-03-${Number(day.slice(-2)) + 1}T${end}`,
    zone: calendarZone,
  });
  const hoursOf = (series: EditableBody | null) => listOf(series).map((one) => (one.endMs - one.startMs) / hourMs);

  test('a floating instance is shown as long as it is in the week', () => {
    expect(
      inputOf(instanceOf(nightly('2028-03-20T22:00:00'), '20280325T220000', calendarZone).when, calendarZone),
    ).toEqual(until('2028-03-25', '07:00'));
  });

  test('an answer to one instance of a floating series keeps its length in the night of a clock change', () => {
    const series = nightly('2028-03-20T22:00:00', { core: { ...core, self: 'needs-action' } });
    const said = { answer: 'accepted', scope: 'this', setsBusy: false } as const;
    const { after, parts } = answerEvent(series, '20280325T220000', said, calendarZone);
    expect(hoursOf(series)).toEqual(Array(8).fill(8));
    expect(hoursOf(after)).toEqual(Array(8).fill(8));
    expect(hoursOf(withAnswers(series, after, parts))).toEqual(Array(8).fill(8));
  });

  test('a floating series gets the length that was given to one instance, also in the night of a clock change', () => {
    const retitled = { when: nightly('2028-03-25T22:00:00').when, core: { ...core, title: 'Special' } };
    const moved = { when: nightly('2028-03-25T21:30:00').when, core };
    const changed: Series['overrides'][] = [{}, { '20280325T220000': retitled }, { '20280324T220000': moved }];
    for (const overrides of changed) {
      const edit = { scope: 'all', changes: { when: until('2028-03-21', '06:45') }, leaves: false } as const;
      const { rest } = changeEvent(
        nightly('2028-03-20T22:00:00', { overrides }),
        '20280321T220000',
        edit,
        calendarZone,
      );
      expect(hoursOf(rest)).toEqual(Array(8).fill(8.75));
    }
  });

  test('a floating series that begins in the night of a clock change gets the length that was given on another day', () => {
    const series = nightly('2028-03-25T22:00:00');
    expect(hoursOf(series)).toEqual(Array(8).fill(7));
    const edit = { scope: 'all', changes: { when: until('2028-03-27', '06:00') }, leaves: false } as const;
    expect(hoursOf(changeEvent(series, '20280327T220000', edit, calendarZone).rest)).toEqual(Array(8).fill(8));
  });

  test('a series made all-day and timed again stays on the same days', () => {
    fc.assert(
      fc.property(samples('timed'), (sample) => {
        const { recId } = sample;
        const series = { ...sample.series, overrides: {} };
        const input = inputAt({ series, recId });
        const day = input.start.slice(0, 10);
        const next = printLocalDate((parseLocal(day) ?? 0) + dayMs);
        const when: WhenInput = { kind: 'all-day', start: day, end: next };
        const whole = attempt(() =>
          changeEvent(series, recId, { scope: 'all', changes: { when }, leaves: false }, calendarZone),
        )?.rest;
        if (whole == null) return;
        const daysOf = (body: EditableBody) =>
          inside(listOf(body).map((one) => dayOf(localOfRecId(body.when, one.recId) ?? 0))).map(printLocalDate);
        const days = daysOf(series);
        expect(daysOf(whole)).toEqual(days);
        const back = attempt(() =>
          changeEvent(
            whole,
            day.replaceAll('-', ''),
            { scope: 'all', changes: { when: input }, leaves: false },
            calendarZone,
          ),
        )?.rest;
        if (back == null) return;
        expect(daysOf(back)).toEqual(days);
      }),
      { numRuns: runs(200) },
    );
  });

  test('a series that is sent back as it was shown does not change', () => {
    fc.assert(
      fc.property(samples(), fc.constantFrom('this', 'all'), (sample, scope) => {
        const { series, recId } = sample;
        const { core: own } = instanceOf(series, recId);
        const { self: _self, attendees, ...fields } = fieldsOf(own);
        const changes = {
          ...fields,
          attendees: attendees.map(({ email, name }) => ({ email, name })),
          when: inputAt(sample),
        };
        const result = changeEvent(series, recId, { scope, changes, leaves: false }, calendarZone);
        expect(result.made).toBeNull();
        expect(shown(result.rest)).toEqual(shown(series));
        if (scope === 'all') expect(result.rest).toEqual(series);
      }),
      { numRuns: runs(300) },
    );
  });

  test('a series with a new rule has the instances of that rule, and keeps exceptions among them', () => {
    fc.assert(
      fc.property(samples('timed', ['FREQ=DAILY']), ({ series, recId }) => {
        const changes = { recurrence: 'FREQ=WEEKLY;BYDAY=FR;COUNT=6' };
        const { rest } = changeEvent(series, recId, { scope: 'all', changes, leaves: false }, calendarZone);
        if (rest?.kind !== 'series') throw new Error('no series');
        const names = new Set(listOf({ ...rest, overrides: {}, exdates: [] }).map((one) => one.recId));
        expect(names.size).toBe(6);
        for (const name of [...rest.exdates, ...Object.keys(rest.overrides)]) expect(names).toContain(name);
      }),
      { numRuns: runs(100) },
    );
  });
});

describe('mergeEdit', () => {
  const edits: fc.Arbitrary<{ before: Series; after: EditableBody }> = fc
    .record({
      sample: samples(),
      scope: fc.constantFrom('this', 'all'),
      by: fc.integer({ min: -8, max: 8 }),
      title: fc.constantFrom(undefined, 'Mine'),
    })
    .map(({ sample, scope, by, title }) => {
      const { series, recId } = sample;
      const when = series.when.kind === 'all-day' ? undefined : shifted(inputAt(sample), by * 15 * minuteMs);
      const changes = { ...(title === undefined ? {} : { title }), ...(when === undefined ? {} : { when }) };
      const after = attempt(() => changeEvent(series, recId, { scope, changes, leaves: false }, calendarZone))?.rest;
      return { before: series, after: after ?? series };
    });

  test('an edit is written when nothing changed meanwhile, and not when it is already done', () => {
    fc.assert(
      fc.property(edits, ({ before, after }) => {
        const fresh = mergeEdit(before, after, before);
        if (fresh.kind === 'write') expect(contentHash(fresh.after)).toBe(contentHash(after));
        else expect(shown(after)).toEqual(shown(before));
        expect(mergeEdit(before, after, after)).toEqual({ kind: 'done' });
        expect(mergeEdit(before, before, after)).toEqual({ kind: 'done' });
      }),
      { numRuns: runs(300) },
    );
  });

  test('an edit keeps what somebody else changed in other fields', () => {
    fc.assert(
      fc.property(edits, ({ before, after }) => {
        const current = { ...before, core: { ...before.core, location: 'Room 4' } };
        const merged = mergeEdit(before, after, current);
        if (merged.kind !== 'write') {
          expect(shown(after)).toEqual(shown(before));
          return;
        }
        expect(merged.after.core.location).toBe('Room 4');
        expect(shown(merged.after)).toEqual(shown(after));
        // and comes to rest
        expect(mergeEdit(before, after, merged.after)).toEqual({ kind: 'done' });
      }),
      { numRuns: runs(300) },
    );
  });

  test('an edit is a conflict when both changed the same field differently', () => {
    const single = (title: string, start = '2027-03-08T09:00:00'): EditableBody => ({
      kind: 'single',
      when: { kind: 'zoned', start, zone: 'Europe/Berlin', duration: { seconds: 3_600 } },
      core: { ...core, title },
    });
    expect(mergeEdit(single('A'), single('B'), single('C'))).toEqual({ kind: 'conflict', parts: ['title'] });
    expect(mergeEdit(single('A'), single('A', '2027-03-08T10:00:00'), single('A', '2027-03-08T11:00:00'))).toEqual({
      kind: 'conflict',
      parts: ['start'],
    });
    // the same wish of two is none
    expect(mergeEdit(single('A'), single('B'), single('B'))).toEqual({ kind: 'done' });
  });
});
