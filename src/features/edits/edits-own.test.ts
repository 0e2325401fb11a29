import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import type { ItemId } from '#kernel/ids.ts';
import { inTransaction } from '#platform/db.ts';
import { takeAllowances } from '#platform/limits.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { calendarContract } from '../calendar/contract.ts';
import { keptContract } from '../calendar/kept/contract.ts';
import { readEventId } from '../calendar/public.ts';
import { connectionsContract } from '../connections/contract.ts';
import { changedText, mostOwn } from './calendar-events.ts';
import { type changesShape, editsContract, type newEventShape } from './contract.ts';
import { editingWanted } from './events.ts';
import { listDueConnections, listOfItem } from './store/edits.ts';

/** Everything that editing does, on the calendar that Holdfast keeps itself: no provider takes part. */

const clock = fixedClock('2027-03-01T09:00:00Z');
let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ clock });
});
afterAll(() => server.close());

type NewEvent = z.output<typeof newEventShape>;
type Person = Awaited<ReturnType<typeof newPerson>>;

let people = 0;
async function newPerson() {
  people += 1;
  const user = await signUpUser(server, `editor${people}@example.org`);
  const connections = user.as(connectionsContract);
  await connections.connectOwn();
  const [calendar] = (await connections.listIntegrationCalendars()).calendars;
  await server.settle();
  if (calendar === undefined) throw new Error('there is no calendar');
  return { user, calendarId: calendar.calendarId, edits: user.as(editsContract) };
}

const timed = (start: string, end: string, zone = 'Europe/Berlin') => ({ kind: 'timed' as const, start, end, zone });
const draft = (person: Person, more: Partial<NewEvent> = {}): NewEvent => ({
  calendar_id: person.calendarId,
  title: 'Review',
  when: timed('2027-03-08T10:00', '2027-03-08T11:00'),
  recurrence: null,
  description: '',
  location: '',
  meeting_link: null,
  attendees: [],
  busy: 'busy',
  private: false,
  reminders: null,
  tell_guests: false,
  ...more,
});

const range = { from: '2027-03-01T00:00:00Z', to: '2027-05-01T00:00:00Z' };
async function shown(user: TestUser) {
  const { events } = await user.as(calendarContract).listEvents({ query: range });
  return events;
}
const titles = async (user: TestUser) =>
  (await shown(user)).map((event) => `${event.start_time.slice(5, 16)} ${event.title}`);

async function create(person: Person, more: Partial<NewEvent> = {}) {
  const { edit } = await person.edits.createEvent({ body: draft(person, more) });
  await server.settle();
  return edit;
}
type Changes = z.input<typeof changesShape>;
async function change(person: Person, day: string, scope: 'this' | 'following' | 'all', changes: Changes) {
  const event = await eventAt(person, day);
  const { edit } = await person.edits.changeEvent({
    params: { id: event.event_id },
    body: { scope, version: event.version, tell_guests: false, changes },
  });
  await server.settle();
  return edit;
}
async function remove(person: Person, day: string, scope: 'this' | 'following' | 'all') {
  const event = await eventAt(person, day);
  const query = { scope, version: event.version, tell_guests: 'false' as const };
  return (await person.edits.deleteEvent({ params: { id: event.event_id }, query })).edit;
}
/** Ten seconds and a little later, as the heartbeat has it. */
async function later() {
  clock.advance({ seconds: 11 });
  await inTransaction(server.app.db, async (tx) => {
    for (const connectionId of await listDueConnections(tx, clock.nowMs()))
      await server.app.news.announce(tx, editingWanted, { connectionId });
  });
  await server.settle();
}
const undo = async (person: Person, editId: string) => {
  const { edit } = await person.edits.undoEdit({ params: { edit_id: editId } });
  await server.settle();
  return edit;
};
const edit = async (person: Person, editId: string) => {
  const { edits } = await person.edits.listEdits({ query: range });
  return edits.find((one) => one.edit_id === editId);
};
const eventAt = async (person: Person, day: string) => {
  const found = (await shown(person.user)).find((event) => event.start_time.startsWith(day));
  if (found === undefined) throw new Error(`nothing at ${day}`);
  return found;
};

describe('events of the Holdfast calendar', () => {
  test('an event of the Holdfast calendar is shown, changed and hidden at once, and keeps its id', async () => {
    const person = await newPerson();
    const { edit } = await person.edits.createEvent({ body: draft(person) });
    expect(edit).toMatchObject({ kind: 'create', state: 'pending', title: 'Review', can_undo: true });
    await server.settle();
    expect(await titles(person.user)).toEqual(['03-08T09:00 Review']);
    const event = await eventAt(person, '2027-03-08');
    expect(event).toMatchObject({
      item_id: edit.item_id,
      editable: true,
      not_editable_reason: null,
      zone: 'Europe/Berlin',
    });
    const { event: details } = await person.edits.readEvent({ params: { event_id: event.event_id } });
    expect(details).toMatchObject({
      title: 'Review',
      when: timed('2027-03-08T10:00', '2027-03-08T11:00'),
      recurrence: null,
      series: null,
      version: event.version,
      editable: true,
      attendees: [],
      reminders: null,
      busy: 'busy',
    });

    await person.edits.changeEvent({
      params: { id: event.event_id },
      body: {
        scope: 'all',
        version: event.version,
        tell_guests: false,
        changes: { title: 'Retro', when: timed('2027-03-08T12:00', '2027-03-08T12:30'), reminders: [10] },
      },
    });
    await server.settle();
    expect(await titles(person.user)).toEqual(['03-08T11:00 Retro']);

    const after = await eventAt(person, '2027-03-08');
    expect(after.event_id).toBe(event.event_id);
    const { edit: deletion } = await person.edits.deleteEvent({
      params: { id: event.event_id },
      query: { scope: 'all', version: after.version, tell_guests: 'false' },
    });
    expect(deletion.undo_until).toBe('2027-03-01T09:00:10.000Z');
    await server.settle();
    // the deletion waits, and the event is hidden meanwhile
    expect(await titles(person.user)).toEqual(['03-08T11:00 Retro']);
    const { edits } = await person.edits.listEdits({ query: range });
    expect(edits.find((one) => one.edit_id === deletion.edit_id)).toMatchObject({
      state: 'pending',
      replaces: [event.event_id],
      events: [],
    });
  });
});

test('a repeated request with the same edit id makes no second event', async () => {
  const person = await newPerson();
  const body = draft(person, { edit_id: '0197a1b2-0000-7000-8000-00000000000a' });
  const first = await person.edits.createEvent({ body });
  await server.settle();
  const second = await person.edits.createEvent({ body });
  expect(second.edit).toMatchObject({ edit_id: first.edit.edit_id, state: 'done' });
  expect(await titles(person.user)).toEqual(['03-08T09:00 Review']);
  const other = await newPerson();
  const taken = { ...draft(other), edit_id: first.edit.edit_id };
  await expect(other.edits.createEvent({ body: taken })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});

/** Fills a calendar up to its last place. */
async function fill(person: Person, events: number, bytes: number) {
  await sql`insert into calendar.items (id, calendar_id, user_id, ref, version, provenance, body, hash)
    select gen_random_uuid(), ${person.calendarId}, ${person.user.userId}, 'filler ' || n, '1', 'foreign', repeat('x', ${bytes}), ''
    from generate_series(1, ${events}) n`.execute(server.app.db);
}

test.each([
  { of: 'events', events: mostOwn.events - 1, bytes: 1 },
  { of: 'text', events: 1, bytes: mostOwn.megabytes * 1024 * 1024 - 1_000 },
])(
  'a Holdfast calendar that is full of $of takes no more, still loses some, and leaves other people alone',
  async (full) => {
    const person = await newPerson();
    await fill(person, full.events, full.bytes);
    await create(person);
    await expect(create(person, { description: 'y'.repeat(1_000) })).rejects.toMatchObject({ code: 'CALENDAR_FULL' });
    const [event] = await shown(person.user);
    const query = { scope: 'all' as const, version: event?.version ?? '', tell_guests: 'false' as const };
    await person.edits.deleteEvent({ params: { id: event?.event_id ?? '' }, query });
    await later();
    expect((await create(person)).state).toBe('pending');
    expect((await create(await newPerson())).state).toBe('pending');
  },
);

test('a person changes 20 MB of events a day, and nothing is taken past that', async () => {
  const person = await newPerson();
  const kilobytes = changedText.burst - 40;
  await takeAllowances(server.app.db, { ...changedText, burst: changedText.burst / kilobytes }, [person.user.userId]);
  const long = { description: 'y'.repeat(32_000) };
  await create(person, long);
  await expect(create(person, long)).rejects.toMatchObject({ code: 'TOO_MANY_EDITS' });
  expect(await shown(person.user)).toHaveLength(1);
  // another person, and the rest of the day
  await create(await newPerson(), long);
  await create(person);
});

describe('series of the Holdfast calendar', () => {
  const weekly = { recurrence: 'FREQ=WEEKLY;COUNT=5' };
  const at = (day: string, from: string, to: string) => ({ when: timed(`${day}T${from}`, `${day}T${to}`) });

  test('a series is edited at one instance, from one on, and as a whole, across a clock change', async () => {
    const person = await newPerson();
    await create(person, weekly);
    const before = ['03-08T09:00', '03-15T09:00', '03-22T09:00', '03-29T08:00', '04-05T08:00'];
    expect(await titles(person.user)).toEqual(before.map((one) => `${one} Review`));

    await change(person, '2027-03-15', 'this', { title: 'Special', ...at('2027-03-16', '10:00', '11:00') });
    expect((await titles(person.user))[1]).toBe('03-16T09:00 Special');

    await change(person, '2027-03-29', 'following', { title: 'Late', ...at('2027-03-29', '17:00', '18:00') });
    expect(await titles(person.user)).toEqual([
      '03-08T09:00 Review',
      '03-16T09:00 Special',
      '03-22T09:00 Review',
      '03-29T15:00 Late',
      '04-05T15:00 Late',
    ]);

    await change(person, '2027-03-22', 'all', at('2027-03-22', '12:00', '12:30'));
    expect((await titles(person.user)).slice(0, 3)).toEqual([
      '03-08T11:00 Review',
      '03-16T09:00 Special',
      '03-22T11:00 Review',
    ]);
  });

  test('a series loses one instance, the following ones, and itself, ten seconds later', async () => {
    const person = await newPerson();
    await create(person, weekly);
    await remove(person, '2027-03-15', 'this');
    await later();
    await remove(person, '2027-04-05', 'following');
    await later();
    expect(await titles(person.user)).toEqual(['03-08T09:00 Review', '03-22T09:00 Review', '03-29T08:00 Review']);
    await remove(person, '2027-03-08', 'all');
    await later();
    expect(await titles(person.user)).toEqual([]);
  });

  test('an edit of a missing instance, or with an invalid time or rule, is refused', async () => {
    const person = await newPerson();
    await create(person, { recurrence: 'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=2' });
    const event = await eventAt(person, '2027-03-08');
    const ask = (id: string, changes: Changes, scope: 'this' | 'all' = 'all') =>
      person.edits.changeEvent({
        params: { id },
        body: { scope, version: event.version, tell_guests: false, changes },
      });
    await expect(ask(`${event.item_id}_20270309T090000Z`, { title: 'x' }, 'this')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(ask(event.event_id, at('2027-03-09', '10:00', '11:00'))).rejects.toMatchObject({
      code: 'BAD_RECURRENCE',
    });
    await expect(ask(event.event_id, at('2027-03-08', '11:00', '10:00'))).rejects.toMatchObject({ code: 'BAD_TIME' });
    await expect(ask(event.event_id, { recurrence: 'FREQ=SECONDLY' })).rejects.toMatchObject({
      code: 'BAD_RECURRENCE',
    });
    const body = draft(person, { recurrence: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' });
    await expect(person.edits.createEvent({ body })).rejects.toMatchObject({ code: 'BAD_RECURRENCE' });
    expect(await titles(person.user)).toEqual(['03-08T09:00 Review', '04-12T08:00 Review']);
  });
});

describe('undo', () => {
  test('an undo within ten seconds stops a deletion, and a later undo restores the event', async () => {
    const person = await newPerson();
    await create(person);
    const first = await remove(person, '2027-03-08', 'all');
    expect(await undo(person, first.edit_id)).toMatchObject({ edit_id: first.edit_id, state: 'undone' });
    await later();
    expect(await titles(person.user)).toEqual(['03-08T09:00 Review']);
    const second = await remove(person, '2027-03-08', 'all');
    await later();
    expect(await titles(person.user)).toEqual([]);
    expect(await undo(person, second.edit_id)).toMatchObject({ kind: 'create', title: 'Review' });
    expect(await titles(person.user)).toEqual(['03-08T09:00 Review']);
    await expect(undo(person, second.edit_id)).rejects.toMatchObject({ code: 'TOO_LATE' });
  });

  test('an undo reverses a change or a split of a series, and keeps later changes', async () => {
    const person = await newPerson();
    const created = await create(person, { recurrence: 'FREQ=WEEKLY;COUNT=3' });
    const whole = await titles(person.user);
    const parted = await change(person, '2027-03-15', 'following', { title: 'Other' });
    expect(await titles(person.user)).toEqual([whole[0], '03-15T09:00 Other', '03-22T09:00 Other']);
    await undo(person, parted.edit_id);
    expect(await titles(person.user)).toEqual(whole);
    const renamed = await change(person, '2027-03-08', 'all', { title: 'Again' });
    // later changes stay
    await change(person, '2027-03-08', 'all', { location: 'Room 4' });
    await undo(person, renamed.edit_id);
    expect(await titles(person.user)).toEqual(whole);
    expect((await eventAt(person, '2027-03-15')).location).toBe('Room 4');
    await undo(person, created.edit_id).catch(() => undefined);
    // the creation is undone only while the event still is what was created: somebody may need it by now
    expect(await titles(person.user)).toEqual(whole);
  });

  test('an undo is possible for ten minutes', async () => {
    const person = await newPerson();
    const created = await create(person);
    expect(await edit(person, created.edit_id)).toMatchObject({ state: 'done', can_undo: true });
    clock.advance({ minutes: 11 });
    expect(await edit(person, created.edit_id)).toBeUndefined();
    await expect(undo(person, created.edit_id)).rejects.toMatchObject({ code: 'TOO_LATE' });
    expect(await titles(person.user)).toEqual(['03-08T09:00 Review']);
  });
});

describe('a new event as the specification sends it', () => {
  const send = (person: Person, body: object) =>
    server.inject({
      method: 'POST',
      url: '/events',
      headers: { authorization: `Bearer ${person.user.token}` },
      payload: { calendar_id: person.calendarId, title: 'Lunch', ...body },
    });

  test('the specified body creates the event it says', async () => {
    const person = await newPerson();
    const answer = await send(person, {
      start_time: '2027-03-08T10:00:00.000Z',
      end_time: '2027-03-08T12:00:00+01:00',
      attendees: ['ana@example.org', 'Ana@example.org', 'ben@example.org'],
      description: 'Bring the plan',
      meeting_link: 'https://meet.example.org/lunch',
    });
    expect(answer.statusCode).toBe(202);
    await server.settle();
    const event = await eventAt(person, '2027-03-08');
    expect(event).toMatchObject({
      title: 'Lunch',
      calendar_id: person.calendarId,
      start_time: '2027-03-08T10:00:00.000Z',
      end_time: '2027-03-08T11:00:00.000Z',
      description: 'Bring the plan',
      meeting_link: 'https://meet.example.org/lunch',
    });
    expect(event.attendees).toHaveLength(2);
    const { event: details } = await person.edits.readEvent({ params: { event_id: event.event_id } });
    expect(details).toMatchObject({
      recurrence: null,
      location: '',
      busy: 'busy',
      private: false,
      reminders: null,
      self: 'organizer',
    });
  });

  test('title, calendar and two instants are enough', async () => {
    const person = await newPerson();
    expect(
      (await send(person, { start_time: '2027-03-08T10:00:30Z', end_time: '2027-03-08T10:20:00Z' })).statusCode,
    ).toBe(202);
    await server.settle();
    expect(await eventAt(person, '2027-03-08')).toMatchObject({
      start_time: '2027-03-08T10:00:30.000Z',
      end_time: '2027-03-08T10:20:00.000Z',
      attendees: [],
    });
  });

  test('both of two equal hours keep their instants', async () => {
    const person = await newPerson();
    await sql`update connections.calendars set zone = 'Europe/Berlin' where id = ${person.calendarId}`.execute(
      server.app.db,
    );
    for (const start of ['2027-10-31T00:30:00Z', '2027-10-31T01:30:00Z'])
      await send(person, { start_time: start, end_time: start.replace(':30:', ':45:') });
    await server.settle();
    const { events } = await person.user
      .as(calendarContract)
      .listEvents({ query: { from: '2027-10-30T00:00:00Z', to: '2027-11-01T00:00:00Z' } });
    expect(events.map((event) => [event.start_time, event.end_time])).toEqual([
      ['2027-10-31T00:30:00.000Z', '2027-10-31T00:45:00.000Z'],
      ['2027-10-31T01:30:00.000Z', '2027-10-31T01:45:00.000Z'],
    ]);
  });

  test('a body without a time, with two kinds of time or with a blank title is refused', async () => {
    const person = await newPerson();
    const times = { start_time: '2027-03-08T10:00:00Z', end_time: '2027-03-08T11:00:00Z' };
    const fieldsOf = async (body: object) => {
      const answer = await send(person, body);
      expect(answer.statusCode).toBe(400);
      return Object.keys(answer.json().detail.fields ?? {});
    };
    expect(await fieldsOf({})).toEqual(['when']);
    expect(await fieldsOf({ start_time: times.start_time })).toEqual(['when']);
    expect(await fieldsOf({ ...times, when: timed('2027-03-08T10:00', '2027-03-08T11:00') })).toEqual(['when']);
    expect(await fieldsOf({ ...times, title: '   ' })).toEqual(['title']);
    expect(await fieldsOf({ ...times, attendees: ['nobody'] })).toEqual(['attendees.0']);
    const backwards = await send(person, { start_time: times.end_time, end_time: times.start_time });
    expect(backwards.json().detail.code).toBe('BAD_TIME');
    expect(await shown(person.user)).toEqual([]);
  });
});

describe('pending edits', () => {
  test('pending edits of one event build on each other, and the last one shows the event', async () => {
    const person = await newPerson();
    // a deletion holds up what comes after it on the same event
    await create(person, { recurrence: 'FREQ=WEEKLY;COUNT=3' });
    const [first, second, third] = await shown(person.user);
    const dropped = await remove(person, '2027-03-08', 'this');
    const { edit: renamed } = await person.edits.changeEvent({
      params: { id: third?.event_id ?? '' },
      // as the screen had it before the deletion: its own edit is no change by somebody else
      body: { scope: 'all', version: third?.version ?? '', tell_guests: false, changes: { title: 'New name' } },
    });
    await server.settle();
    const { edits } = await person.edits.listEdits({ query: range });
    const waiting = edits.filter((one) => one.state === 'pending');
    expect(waiting.map((one) => one.edit_id)).toEqual([dropped.edit_id, renamed.edit_id]);
    expect(waiting[0]).toMatchObject({ replaces: [], events: [] });
    expect(waiting[1]?.replaces).toEqual([first, second, third].map((event) => event?.event_id));
    expect(waiting[1]?.events.map((event) => `${event.start_time.slice(5, 10)} ${event.title}`)).toEqual([
      '03-15 New name',
      '03-22 New name',
    ]);
    await later();
    expect(await titles(person.user)).toEqual(['03-15T09:00 New name', '03-22T09:00 New name']);
    expect((await edit(person, renamed.edit_id))?.state).toBe('done');
  });

  test('an edit of an outdated version is refused, and nothing is written over', async () => {
    const person = await newPerson();
    await create(person);
    const event = await eventAt(person, '2027-03-08');
    await expect(
      person.edits.changeEvent({
        params: { id: event.event_id },
        body: { scope: 'all', version: 'another', tell_guests: false, changes: { title: 'x' } },
      }),
    ).rejects.toMatchObject({ code: 'CHANGED_MEANWHILE', fields: { version: event.version } });
  });
});

test('events that only Holdfast has are deleted with their calendar only after a confirmation, and can be downloaded first', async () => {
  const person = await newPerson();
  await create(person, { title: 'My only copy' });
  await create(person, { title: 'Weekly', recurrence: 'RRULE:FREQ=WEEKLY;COUNT=5' });
  const connections = person.user.as(connectionsContract);
  const [account] = (await connections.listAccounts()).accounts;
  const params = { accountId: account?.accountId ?? '' };
  await expect(connections.disconnect({ params })).rejects.toMatchObject({ code: 'DELETES_EVENTS' });
  await server.settle();
  expect(await titles(person.user)).toContain('03-08T09:00 My only copy');
  const kept = { params: { calendarId: person.calendarId } };
  expect(await person.user.as(keptContract).countKept(kept)).toEqual({ events: 2 });
  const file = await server.inject({
    method: 'GET',
    url: `/api/calendars/${person.calendarId}/file`,
    headers: { authorization: `Bearer ${person.user.token}` },
  });
  expect(file.headers['content-type']).toBe('text/calendar; charset=utf-8');
  expect(file.body).toContain('SUMMARY:My only copy\r\n');
  expect(file.body).toContain('RRULE:FREQ=WEEKLY;COUNT=5\r\n');
  await connections.disconnect({ params, query: { delete_events: '1' } });
  await server.settle();
  expect(await titles(person.user)).toEqual([]);
});

test('of many edits of an event the newest ten are remembered, and no more than a megabyte of them', async () => {
  const person = await newPerson();
  await create(person, { description: 'x'.repeat(32_000) });
  for (let n = 0; n < 12; n += 1) await change(person, '2027-03-08', 'all', { title: `Review ${n}` });
  const { event_id: id } = await eventAt(person, '2027-03-08');
  const { itemId } = readEventId(id);
  const since = clock.nowMs() - 600_000;
  const edits = await listOfItem(server.app.db, person.user.userId, itemId as ItemId, since);
  expect(edits.map(({ state }) => state)).toEqual(Array.from({ length: 10 }, () => 'done'));
  expect(edits.at(-1)?.steps[0]?.after).toMatchObject({ core: { title: 'Review 11' } });
  expect(JSON.stringify(edits).length).toBeLessThan(1_100_000);
  const { event } = await person.edits.readEvent({ params: { event_id: id } });
  expect(event).toMatchObject({ title: 'Review 11' });
});
