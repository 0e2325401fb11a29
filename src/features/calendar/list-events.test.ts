import { randomUUIDv7 } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { availabilityContract } from '#features/availability/contract.ts';
import type { Core, EventBody, Item, When } from '#kernel/event.ts';
import type { CalendarId, UserId } from '#kernel/ids.ts';
import { mostAnswerBytes } from '#kernel/work-limits.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { readAlone } from '#platform/reading.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { insertOwnAccount } from '../../../test/harness/own-account.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { accountsContract } from '../accounts/contract.ts';
import { applyChanges } from './apply-changes.ts';
import { calendarContract } from './contract.ts';
import { listEvents } from './list-events.ts';
import { busyTimeReading } from './list-taken.ts';
import { rollSpans } from './roll-spans.ts';
import { spanWindow } from './rules/span-window.ts';

const clock = fixedClock('2027-03-01T09:00:00Z');
let server: TestApp;
let app: App;
beforeAll(async () => {
  server = await startTestApp({ role: 'web', clock });
  app = server.app;
});
afterAll(() => server.close());

const moveTo = (user: TestUser, timezone: string) =>
  user.as(accountsContract).changePreferences({ body: { timezone } });

/** A person with two empty calendars of their own. */
let people = 0;
async function newPerson(zone = 'Europe/Berlin') {
  people += 1;
  const user = await signUpUser(server, `person${people}@example.org`);
  await moveTo(user, zone);
  const owned = await insertOwnAccount(server, user);
  await sql`delete from sync.mirrors`.execute(app.db);
  await sql`delete from calendar.items where user_id = ${user.userId}`.execute(app.db);
  return { user, first: owned.calendarId as CalendarId, second: owned.otherCalendarId as CalendarId, zone, owned };
}
type Person = Awaited<ReturnType<typeof newPerson>>;

const core = (more: Partial<Core> = {}): Core => ({
  busy: 'busy',
  private: false,
  self: 'none',
  kind: 'default',
  title: 'Review',
  ...more,
});
const at = (start: string, seconds = 3600): When => ({ kind: 'zoned', start, zone: 'UTC', duration: { seconds } });
const single = (when: When, more: Partial<Core> = {}): EventBody => ({ kind: 'single', when, core: core(more) });
const series = (when: When, rule: string): EventBody => ({
  kind: 'series',
  when,
  core: core(),
  rules: [rule],
  exRules: [],
  extraDates: [],
  exdates: [],
  overrides: {},
});
const item = (ref: string, body: EventBody, more: Partial<Item> = {}): Item => ({
  ref,
  uid: `${ref}@x`,
  version: '1',
  provenance: 'foreign',
  body,
  ...more,
});

function store(person: Person, items: Item[], gone: string[] = [], calendarId: CalendarId = person.first) {
  const calendar = { calendarId, userId: person.user.userId, calendarZone: 'UTC', ownerZone: person.zone };
  return inTransaction(app.db, (tx) => applyChanges(tx, calendar, { items, gone }, clock.nowMs()));
}
const show = (user: TestUser, from: string, to: string, calendarIds?: string[]) =>
  user.as(calendarContract).listEvents({
    query: { from, to, ...(calendarIds === undefined ? {} : { calendar_ids: calendarIds.join(',') }) },
  });
const refsIn = async (person: Person, from: string, to: string) => {
  const { events } = await show(person.user, from, to);
  const { rows } = await sql<{ id: string; ref: string }>`select id, ref from calendar.items`.execute(app.db);
  const refOf = new Map(rows.map((row) => [row.id, row.ref]));
  return events.map((one) => refOf.get(one.item_id) ?? '?');
};
const spansOf = async (userId: UserId) => {
  const { rows } = await sql<{ line: string }>`
    select i.ref || ' ' || s.rec_id || ' ' || s.start_ms || ' ' || s.end_ms || ' ' || s.class as line
    from calendar.spans s join calendar.items i on i.id = s.item_id where s.user_id = ${userId} order by 1`.execute(
    app.db,
  );
  return rows.map((row) => row.line);
};

describe('events in a range', () => {
  test('a range shows events that overlap it, without events that end at its start or begin at its end', async () => {
    const person = await newPerson();
    await store(person, [
      item('ends as it begins', single(at('2027-03-09T23:00:00'))),
      item('ends just after', single(at('2027-03-09T23:00:00', 3601))),
      item('inside', single(at('2027-03-10T12:00:00'))),
      item('without length', single(at('2027-03-10T00:00:00', 0))),
      item('begins just before', single(at('2027-03-10T23:59:59'))),
      item('begins as it ends', single(at('2027-03-11T00:00:00'))),
      item('around all of it', single(at('2027-02-01T00:00:00', 90 * 86_400))),
      item('over before it', single(at('2027-02-01T00:00:00', 2 * 86_400))),
    ]);
    expect(await refsIn(person, '2027-03-10T00:00:00Z', '2027-03-11T00:00:00Z')).toEqual([
      'around all of it',
      'ends just after',
      'without length',
      'inside',
      'begins just before',
    ]);
  });

  test('a range is read with its UTC offset, and an all-day event lies in the zone of its owner', async () => {
    const person = await newPerson('Pacific/Auckland');
    await store(person, [item('day', single({ kind: 'all-day', start: '2027-03-10', end: '2027-03-11' }))]);
    const { events } = await show(person.user, '2027-03-10T00:00:00+13:00', '2027-03-10T00:00:01+13:00');
    expect(events).toMatchObject([
      { all_day: true, start_date: '2027-03-10', end_date: '2027-03-11', start_time: '2027-03-09T11:00:00.000Z' },
    ]);
    expect(await refsIn(person, '2027-03-11T00:00:00+13:00', '2027-03-12T00:00:00+13:00')).toEqual([]);
  });

  test('a range across the edge of the stored window shows every instance of a series once', async () => {
    const person = await newPerson();
    const { fromMs, toMs } = spanWindow(clock.nowMs());
    await store(person, [item('daily', series(at('2020-01-01T23:30:00', 7_200), 'FREQ=DAILY'))]);
    for (const edgeMs of [fromMs, toMs]) {
      const text = (days: number) => Temporal.Instant.fromEpochMilliseconds(edgeMs + days * 86_400_000).toString();
      const { events } = await show(person.user, text(-3), text(3));
      expect(events.map((one) => one.start_time)).toEqual(
        [-4, -3, -2, -1, 0, 1, 2].map((days) =>
          Temporal.Instant.fromEpochMilliseconds(edgeMs + days * 86_400_000 + 84_600_000).toString({
            fractionalSecondDigits: 3,
          }),
        ),
      );
      expect(new Set(events.map((one) => one.event_id)).size).toBe(7);
    }
    const { events } = await show(person.user, '2040-01-01T00:00:00Z', '2040-01-03T00:00:00Z');
    expect(events).toHaveLength(3);
  });

  test('an instance without duration is shown once, at the edge of the stored window too', async () => {
    const person = await newPerson();
    const { fromMs, toMs } = spanWindow(clock.nowMs());
    await store(person, [item('midnight', series(at('2020-01-01T00:00:00', 0), 'FREQ=DAILY'))]);
    for (const edgeMs of [fromMs, toMs]) {
      const text = (days: number) => Temporal.Instant.fromEpochMilliseconds(edgeMs + days * 86_400_000).toString();
      const { events } = await show(person.user, text(-2), text(2));
      expect(events.map((one) => Date.parse(one.start_time) - edgeMs)).toEqual(
        [-2, -1, 0, 1].map((days) => days * 86_400_000),
      );
    }
  });

  test('a series shows each instance once between midnight and the hour at which the stored window moves', async () => {
    const person = await newPerson();
    await store(person, [item('daily', series(at('2020-01-01T10:00:00'), 'FREQ=DAILY'))]);
    clock.advance({ hours: 26 });
    try {
      const { fromMs, toMs } = spanWindow(clock.nowMs());
      for (const edgeMs of [fromMs, toMs]) {
        const text = (days: number) => Temporal.Instant.fromEpochMilliseconds(edgeMs + days * 86_400_000).toString();
        const { events } = await show(person.user, text(-4), text(4));
        expect(events.map((one) => (Date.parse(one.start_time) - edgeMs) / 3_600_000)).toEqual(
          [-4, -3, -2, -1, 0, 1, 2, 3].map((days) => days * 24 + 10),
        );
      }
    } finally {
      clock.set('2027-03-01T09:00:00Z');
    }
  });

  test('a range with more than ten thousand events is cut and marked as truncated', async () => {
    const person = await newPerson();
    const many = Array.from({ length: 10_001 }, (_, n) =>
      item(`n${n}`, single(at(`2027-03-${String(2 + (n % 28)).padStart(2, '0')}T10:00:00`))),
    );
    for (let from = 0; from < many.length; from += 2_500) await store(person, many.slice(from, from + 2_500));
    const { events, truncated } = await show(person.user, '2027-03-01T00:00:00Z', '2027-04-01T00:00:00Z');
    expect([events.length, truncated]).toEqual([10_000, true]);
    const starts = events.map((one) => one.start_time);
    expect(starts).toEqual(starts.toSorted());
    const some = await show(person.user, '2027-03-01T00:00:00Z', '2027-03-05T00:00:00Z');
    expect(some.truncated).toBe(false);
  });

  test('a range with more than five thousand series is marked as truncated', async () => {
    const person = await newPerson();
    const many = Array.from({ length: 5_001 }, (_, n) =>
      item(`s${n}`, series(at('2045-03-01T10:00:00'), 'FREQ=YEARLY;COUNT=1')),
    );
    for (let from = 0; from < many.length; from += 2_500) await store(person, many.slice(from, from + 2_500));
    const { events, truncated } = await show(person.user, '2045-03-01T00:00:00Z', '2045-03-02T00:00:00Z');
    expect([events.length, truncated]).toEqual([5_000, true]);
    await store(person, [], ['s0']);
    const whole = await show(person.user, '2045-03-01T00:00:00Z', '2045-03-02T00:00:00Z');
    expect([whole.events.length, whole.truncated]).toEqual([5_000, false]);
  });

  test.each([
    ['2027-03-10T00:00:00Z', '2027-03-10T00:00:00Z'],
    ['2027-03-10T00:00:00Z', '2027-03-09T00:00:00Z'],
    ['2027-03-10T00:00:00Z', '2027-06-18T00:00:01Z'],
  ])('the range from %s to %s is refused', async (from, to) => {
    const person = await newPerson();
    await expect(show(person.user, from, to)).rejects.toMatchObject({ code: 'RANGE', status: 400 });
  });
});

describe('calendars in a range', () => {
  test('CVE-2026-45281: a range shows only calendars of the caller, whatever ids are requested', async () => {
    const [mine, theirs] = [await newPerson(), await newPerson()];
    await store(mine, [item('mine', single(at('2027-03-10T12:00:00')))]);
    await store(theirs, [item('theirs', single(at('2027-03-10T12:00:00')))]);
    const day = ['2027-03-10T00:00:00Z', '2027-03-11T00:00:00Z'] as const;
    expect((await show(mine.user, ...day, [theirs.first, theirs.second])).events).toEqual([]);
    const both = await show(mine.user, ...day, [mine.first, theirs.first]);
    expect(both.events.map((one) => one.calendar_id)).toEqual([mine.first]);
    expect((await show(mine.user, ...day, ['no id at all', "'; drop table calendar.items; --"])).events).toEqual([]);
    expect((await show(mine.user, ...day, [''])).events).toEqual([]);
  });

  test('a range shows visible calendars by default, and hidden calendars when they are named', async () => {
    const person = await newPerson();
    await store(person, [item('a', single(at('2027-03-10T12:00:00')))]);
    await store(person, [item('b', single(at('2027-03-10T13:00:00')))], [], person.second);
    await sql`update connections.calendars set visible = false where id = ${person.second}`.execute(app.db);
    const day = ['2027-03-10T00:00:00Z', '2027-03-11T00:00:00Z'] as const;
    expect((await show(person.user, ...day)).events.map((one) => one.calendar_id)).toEqual([person.first]);
    expect((await show(person.user, ...day, [person.second])).events.map((one) => one.calendar_id)).toEqual([
      person.second,
    ]);
  });

  test('a range takes as many queries for thirty calendars as for two', async () => {
    const person = await newPerson();
    const queries = async () => {
      let count = 0;
      const db = app.db.withPlugin({
        transformQuery: ({ node }) => {
          count += 1;
          return node;
        },
        transformResult: async ({ result }) => result,
      });
      const query = { from: '2027-03-01T00:00:00Z', to: '2027-05-01T00:00:00Z' };
      const { events } = await listEvents({ ...app, db }, { userId: person.user.userId } as never, query);
      return { count, events: events.length };
    };
    await store(person, [item('a', single(at('2027-03-10T12:00:00')))]);
    const two = await queries();
    for (let n = 0; n < 28; n += 1) {
      const id = randomUUIDv7() as string as CalendarId;
      await sql`insert into connections.calendars (id, connection_id, user_id, ref, name, color, writable)
        values (${id}, ${person.owned.accountId}, ${person.user.userId}, ${id}, 'More', '#336699', true)`.execute(
        app.db,
      );
      await store(person, [item(`n${n}`, series(at('2027-03-10T12:00:00'), 'FREQ=WEEKLY;COUNT=3'))], [], id);
    }
    expect(two.events).toBe(1);
    expect(await queries()).toEqual({ count: two.count, events: 1 + 28 * 3 });
    expect(two.count).toBeLessThanOrEqual(6);
  });
});

describe('mirror blocks in a range', () => {
  const blocksOnly = { provenance: 'own' } as const;
  const days = (text: string) => Temporal.PlainDate.from(text).toZonedDateTime('UTC').epochMilliseconds / 86_400_000;
  /** Around both changes of the clocks in Berlin and New York. */
  const around = [days('2027-03-10'), days('2027-03-30'), days('2027-10-29'), days('2027-11-09')];
  const arbitraryDay = fc
    .record({ middle: fc.constantFrom(...around), off: fc.integer({ min: -4, max: 4 }) })
    .map(({ middle, off }) => Temporal.PlainDate.from('1970-01-01').add({ days: middle + off }));
  const duration = fc.oneof(
    fc.constantFrom(0, 900, 3_600, 23 * 3_600, 26 * 3_600, 26 * 3_600 + 1, 4 * 86_400).map((seconds) => ({ seconds })),
    fc.integer({ min: 1, max: 3 }).map((length) => ({ days: length })),
  );
  const start = fc
    .record({ day: arbitraryDay, hour: fc.integer({ min: 0, max: 23 }), half: fc.constantFrom('00', '30') })
    .map(({ day, hour, half }) => `${day.toString()}T${String(hour).padStart(2, '0')}:${half}:00`);
  const when: fc.Arbitrary<When> = fc.oneof(
    fc.record({
      kind: fc.constant('zoned' as const),
      start,
      zone: fc.constantFrom('Europe/Berlin', 'America/New_York', 'UTC'),
      duration,
    }),
    fc.record({ kind: fc.constant('floating' as const), start, duration }),
    fc.record({ day: arbitraryDay, length: fc.integer({ min: 1, max: 3 }) }).map(({ day, length }) => ({
      kind: 'all-day' as const,
      start: day.toString(),
      end: day.add({ days: length }).toString(),
    })),
  );
  const body = fc
    .record({ when, rule: fc.constantFrom(null, null, 'FREQ=DAILY;COUNT=5', 'FREQ=WEEKLY') })
    .map(({ when: time, rule }) => (rule === null ? single(time) : series(time, rule)));

  test('a mirror block is shown in the same ranges as an equal event, also after its owner changes zone', async () => {
    const person = await newPerson();
    const shownIn = async (calendarId: CalendarId, from: Temporal.PlainDate, length: number) => {
      const { events } = await show(
        person.user,
        `${from.toString()}T00:00:00Z`,
        `${from.add({ days: length }).toString()}T00:00:00Z`,
        [calendarId],
      );
      return events
        .map((one) => `${one.start_time} ${one.end_time} ${one.all_day} ${one.start_date} ${one.recurring}`)
        .toSorted();
    };
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(body, { minLength: 1, maxLength: 6 }),
        fc.constantFrom('Pacific/Kiritimati', 'America/New_York', 'Pacific/Pago_Pago', 'Europe/Berlin'),
        arbitraryDay,
        fc.integer({ min: 1, max: 9 }),
        async (bodies, zone, from, length) => {
          await moveTo(person.user, 'Europe/Berlin');
          await sql`delete from calendar.items where user_id = ${person.user.userId}`.execute(app.db);
          await store(
            person,
            bodies.map((one, n) => item(`e${n}`, one)),
          );
          await store(
            person,
            bodies.map((one, n) => item(`b${n}`, one, blocksOnly)),
            [],
            person.second,
          );
          expect(await shownIn(person.second, from, length)).toEqual(await shownIn(person.first, from, length));
          await moveTo(person.user, zone);
          await rollSpans(app, person.user.userId, new AbortController().signal);
          const events = await shownIn(person.first, from, length);
          expect(await shownIn(person.second, from, length)).toEqual(events);
          seen += events.length;
        },
      ),
      { numRuns: 60 },
    );
    // some seventy as a rule: that hardly any is in sight would prove little
    expect(seen).toBeGreaterThan(10);
    expect((await spansOf(person.user.userId)).filter((line) => line.startsWith('b'))).toEqual([]);
  });

  test('mirror blocks count toward the limit of a range, and the earliest ones are kept', async () => {
    const person = await newPerson();
    const many = Array.from({ length: 10_001 }, (_, n) =>
      item(`n${n}`, single(at(`2027-03-${String(2 + (n % 28)).padStart(2, '0')}T10:00:00`)), blocksOnly),
    );
    for (let from = 0; from < many.length; from += 2_500) await store(person, many.slice(from, from + 2_500));
    const { events, truncated } = await show(person.user, '2027-03-01T00:00:00Z', '2027-04-01T00:00:00Z');
    expect([events.length, truncated]).toEqual([10_000, true]);
    const starts = events.map((one) => one.start_time);
    expect(starts).toEqual(starts.toSorted());
    expect(starts.at(-1)).toBe('2027-03-29T10:00:00.000Z');
    expect((await show(person.user, '2027-03-01T00:00:00Z', '2027-03-05T00:00:00Z')).truncated).toBe(false);
  });

  test('the explanation of a busy instant lists single and recurring mirror blocks as ignored', async () => {
    const person = await newPerson();
    await store(person, [
      item('event', single(at('2027-03-10T15:00:00'))),
      item('ours', single(at('2027-03-10T15:00:00')), blocksOnly),
      item('our series', series(at('2027-03-03T15:00:00'), 'FREQ=WEEKLY'), blocksOnly),
    ]);
    const answer = await person.user.as(calendarContract).explainBusy({ query: { at: '2027-03-10T15:30:00Z' } });
    expect(answer.busy).toBe(true);
    expect(answer.events.map((one) => one.class)).toEqual(['busy', 'ignore', 'ignore']);
  });
});

describe('busy time', () => {
  const read = async (people: Person[], from: string, to: string) => {
    const range = {
      fromMs: Temporal.Instant.from(from).epochMilliseconds,
      toMs: Temporal.Instant.from(to).epochMilliseconds,
    };
    const userIds = people.map((one) => one.user.userId);
    const busy = await readAlone(app.db, busyTimeReading(userIds, range));
    return [...busy.values()]
      .flat()
      .map((one) => Temporal.Instant.fromEpochMilliseconds(one.startMs).toString())
      .toSorted();
  };

  test('busy time includes tentative holds only down to the requested rank', async () => {
    const one = await newPerson();
    await one.user.as(availabilityContract).setHold({ body: { kind: 'title-prefix', value: 'gym', rank: 3 } });
    await store(one, [item('gym', single(at('2027-03-10T10:00:00'), { title: 'Gym' }))]);
    const range = { fromMs: Date.UTC(2027, 2, 10), toMs: Date.UTC(2027, 2, 11) };
    const counts = await Promise.all(
      [undefined, 2, 3, 4].map(async (upTo) => {
        const filter = upTo === undefined ? {} : { holds: { upTo, nowMs: 0 } };
        const busy = await readAlone(app.db, busyTimeReading([one.user.userId], range, filter));
        return busy.get(one.user.userId)?.length ?? 0;
      }),
    );
    expect(counts).toEqual([0, 0, 1, 1]);
  });

  test('busy time of several people has every blocking event, and no mirror, free, declined or empty event', async () => {
    const [one, other, stranger] = [await newPerson(), await newPerson(), await newPerson()];
    await store(one, [
      item('busy', single(at('2027-03-10T10:00:00'))),
      item('tentative', single(at('2027-03-10T11:00:00'), { busy: 'tentative' })),
      item('free', single(at('2027-03-10T12:00:00'), { busy: 'free' })),
      item('declined', single(at('2027-03-10T13:00:00'), { self: 'declined' })),
      item('empty', single(at('2027-03-10T14:00:00', 0))),
      item('ours', single(at('2027-03-10T15:00:00')), { provenance: 'own' }),
      item('our series', series(at('2027-03-10T15:30:00'), 'FREQ=DAILY'), { provenance: 'own' }),
      item('week', single(at('2027-03-05T00:00:00', 7 * 86_400))),
      item('withheld', { kind: 'withheld', reason: 'start-missing' }),
    ]);
    await store(other, [item('weekly', series(at('2027-03-03T16:00:00'), 'FREQ=WEEKLY'))]);
    await store(stranger, [item('busy', single(at('2027-03-10T10:00:00')))]);
    expect(await read([one, other], '2027-03-10T00:00:00Z', '2027-03-11T00:00:00Z')).toEqual([
      '2027-03-05T00:00:00Z',
      '2027-03-10T10:00:00Z',
      '2027-03-10T11:00:00Z',
      '2027-03-10T16:00:00Z',
    ]);
    expect(await read([one], '2027-03-10T11:00:00Z', '2027-03-10T11:00:01Z')).toEqual([
      '2027-03-05T00:00:00Z',
      '2027-03-10T11:00:00Z',
    ]);
    expect(await read([one], '2027-03-12T00:00:00Z', '2027-03-13T00:00:00Z')).toEqual([]);
  });
});

describe('pages of changes', () => {
  const page = [
    item('a', single(at('2027-03-10T10:00:00'))),
    item('s', series(at('2027-03-10T16:00:00'), 'FREQ=WEEKLY;COUNT=5')),
    item('ours', single(at('2027-03-10T15:00:00')), { provenance: 'own' }),
  ];
  const unplanned = async (person: Person) => {
    const { rows } = await sql<{ ref: string; version: number }>`
      select i.ref, u.version from calendar.unplanned u join calendar.items i on i.id = u.item_id
      where u.user_id = ${person.user.userId} order by 1`.execute(app.db);
    return rows.map((row) => `${row.ref} ${row.version}`);
  };

  const idsOf = async (person: Person) => {
    const { rows } = await sql<{ id: string }>`
      select id from calendar.items where user_id = ${person.user.userId} order by 1`.execute(app.db);
    return rows.map((row) => row.id);
  };

  test('a page of changes that is applied twice changes nothing the second time', async () => {
    const person = await newPerson();
    await store(person, page);
    const ids = await idsOf(person);
    const [spans, listed] = [await spansOf(person.user.userId), await unplanned(person)];
    expect(spans).toHaveLength(6);
    expect(listed).toEqual(['a 1', 's 1']);
    await store(person, page);
    expect(await idsOf(person)).toEqual(ids);
    expect(await spansOf(person.user.userId)).toEqual(spans);
    expect(await unplanned(person)).toEqual(listed);
  });

  test('a new version of an event is planned again only when its content differs', async () => {
    const person = await newPerson();
    await store(person, page);
    await sql`delete from calendar.unplanned`.execute(app.db);
    await store(
      person,
      page.map((one) => ({ ...one, version: '2' })),
    );
    expect(await unplanned(person)).toEqual([]);
    await store(person, [item('a', single(at('2027-03-10T11:00:00')), { version: '3' })]);
    expect(await unplanned(person)).toEqual(['a 1']);
  });

  test('a page that names an object twice stores the last one', async () => {
    const person = await newPerson();
    await store(person, [item('a', single(at('2027-03-10T10:00:00'))), item('a', single(at('2027-03-10T12:00:00')))]);
    expect(await spansOf(person.user.userId)).toHaveLength(1);
    expect((await spansOf(person.user.userId))[0]).toContain(String(Date.UTC(2027, 2, 10, 12)));
  });

  test('a deleted event disappears from ranges at once, waits for the planner, and may come back', async () => {
    const person = await newPerson();
    await store(person, page);
    await store(person, [], ['a', 'ours', 'never heard of']);
    expect(await refsIn(person, '2027-03-10T00:00:00Z', '2027-03-11T00:00:00Z')).toEqual(['s']);
    expect(await unplanned(person)).toEqual(['a 2', 's 1']);
    await store(person, [], ['a']);
    expect(await unplanned(person)).toEqual(['a 2', 's 1']);
    await store(person, page.slice(0, 1));
    expect(await refsIn(person, '2027-03-10T00:00:00Z', '2027-03-11T00:00:00Z')).toEqual(['a', 's']);
    expect(await unplanned(person)).toEqual(['a 3', 's 1']);
  });
});

describe('the rolling window', () => {
  const signal = new AbortController().signal;

  test('the rolling window moves every series with the day, is idempotent, and leaves single events alone', async () => {
    const person = await newPerson();
    await store(person, [
      item('s', series(at('2027-01-01T16:00:00'), 'FREQ=WEEKLY')),
      item('a', single(at('2026-01-10T10:00:00'))),
    ]);
    const before = await spansOf(person.user.userId);
    clock.advance({ hours: 24 * 70 });
    try {
      await rollSpans(app, null, signal);
      const after = await spansOf(person.user.userId);
      const { fromMs, toMs } = spanWindow(clock.nowMs());
      const weekMs = 7 * 86_400_000;
      const ofSeries = after.filter((line) => line.startsWith('s ')).map((line) => Number(line.split(' ')[2]));
      expect(ofSeries.every((ms) => ms + 3_600_000 > fromMs && ms < toMs)).toBe(true);
      expect(Math.max(...ofSeries)).toBeGreaterThan(toMs - weekMs);
      expect(after).not.toEqual(before);
      expect(after.filter((line) => line.startsWith('a '))).toEqual(before.filter((line) => line.startsWith('a ')));
      await rollSpans(app, null, signal);
      expect(await spansOf(person.user.userId)).toEqual(after);
    } finally {
      clock.set('2027-03-01T09:00:00Z');
    }
  });

  test('a person who changes zone gets new all-day spans, and only their events are planned again', async () => {
    const [person, other] = [await newPerson('Europe/Berlin'), await newPerson('Europe/Berlin')];
    const day = item('day', single({ kind: 'all-day', start: '2027-03-10', end: '2027-03-11' }));
    await store(person, [day]);
    await store(other, [day]);
    const others = await spansOf(other.user.userId);
    await sql`delete from calendar.unplanned`.execute(app.db);
    await moveTo(person.user, 'Asia/Tokyo');
    await rollSpans(app, person.user.userId, signal);
    expect(await spansOf(person.user.userId)).toEqual([
      `day  ${Date.UTC(2027, 2, 9, 15)} ${Date.UTC(2027, 2, 10, 15)} busy`,
    ]);
    expect(await spansOf(other.user.userId)).toEqual(others);
    const { rows } = await sql<{ userId: string }>`select user_id as "userId" from calendar.unplanned`.execute(app.db);
    expect(rows).toEqual([{ userId: person.user.userId }]);
  });
});

describe('the size of an answer', () => {
  const everyMinute = `FREQ=DAILY;BYHOUR=${[...Array(24).keys()].join()};BYMINUTE=${[...Array(60).keys()].join()};COUNT=5000`;
  const bytesOf = (answer: unknown) => Buffer.byteLength(JSON.stringify(answer));

  test.each(['a', '日'])(
    '10,000 instances with a description of 32,000 characters (%s) are cut by bytes',
    async (letter) => {
      const person = await newPerson();
      const bomb = series(at('2027-03-02T00:00:00', 60), everyMinute);
      const heavy = { ...bomb, core: core({ notes: letter.repeat(32_000) }) } as EventBody;
      await store(person, [item('one', heavy), item('two', heavy)]);
      const answer = await show(person.user, '2027-03-02T00:00:00Z', '2027-03-06T04:00:00Z');
      expect(answer.truncated).toBe(true);
      expect(bytesOf(answer)).toBeLessThan(mostAnswerBytes * 1.1);
      expect(answer.events.length).toBeGreaterThan(1_000);
      expect(answer.events[0]?.description).toBe(`${letter.repeat(1_999)}…`);
    },
  );

  test('10,000 instances with ordinary texts are all listed', async () => {
    const person = await newPerson();
    const light = series(at('2027-03-02T00:00:00', 60), everyMinute);
    await store(person, [item('one', light), item('two', light)]);
    const answer = await show(person.user, '2027-03-02T00:00:00Z', '2027-03-06T04:00:00Z');
    expect([answer.events.length, answer.truncated]).toEqual([10_000, false]);
  });

  test('events that are stored with more than 32 MB are cut, and the answer says so', async () => {
    const person = await newPerson();
    const notes = '日'.repeat(32_000);
    const events = Array.from({ length: 360 }, (_, n) =>
      item(`long-${n}`, single(at(`2027-03-02T${String(n % 24).padStart(2, '0')}:00:00`), { notes })),
    );
    await store(person, events);
    const { events: listed, truncated } = await show(person.user, '2027-03-02T00:00:00Z', '2027-03-03T00:00:00Z');
    expect(truncated).toBe(true);
    expect(listed.length).toBeGreaterThan(300);
    expect(listed.length).toBeLessThan(360);
  });
});
