import { afterEach, beforeEach, expect, test } from 'vitest';
import { inTransaction } from '#platform/db.ts';
import { type Side, type SyncWorld, startSyncWorld } from '../../../test/harness/sync-world.ts';
import { connectRemote } from '../../emulators/caldav/remote.ts';
import type { Effect } from '../../emulators/kit/faults.ts';
import { calendarContract } from '../calendar/contract.ts';
import { connectionsContract } from '../connections/contract.ts';
import { pullCalendar } from '../sync/pull.ts';
import { editsContract } from './contract.ts';
import { editingWanted } from './events.ts';

/** Edits of two accounts of an emulated CalDAV server that mirror each other. */

let world: SyncWorld;
beforeEach(async () => {
  world = await startSyncWorld();
});
afterEach(() => world.close());

const range = { from: '2027-03-01T00:00:00Z', to: '2027-05-01T00:00:00Z' };
const edits = () => world.person.as(editsContract);
const line = (side: Side, name: string) =>
  side
    .objects()
    .flatMap(({ body }) => body.split('\r\n').filter((one) => one.startsWith(name)))
    .join(' ');
const blockStarts = (side: Side) => side.blocks().map(({ body }) => /DTSTART[^:]*:(\S+)/.exec(body)?.[1] ?? '');

async function eventOf(side: Side, day: string) {
  const { events } = await world.person.as(calendarContract).listEvents({ query: range });
  const event = events.find(
    (one) => one.calendar_id === side.calendarId && !one.is_holdfast_block && one.start_time.startsWith(day),
  );
  if (event === undefined) throw new Error(`nothing at ${day}`);
  return event;
}
const put = (side: Side, more = '') =>
  side.put('a.ics', `UID:a@x\nSUMMARY:Review\nX-KEPT:yes\nDTSTART:20270303T100000Z\nDTEND:20270303T110000Z${more}`);
async function change(side: Side, changes: object, scope: 'this' | 'following' | 'all' = 'all', day = '2027-03-03') {
  const event = await eventOf(side, day);
  const { edit } = await edits().changeEvent({
    params: { id: event.event_id },
    body: { scope, version: event.version, tell_guests: false, changes },
  });
  return edit.edit_id;
}
const stateOf = async (editId: string) =>
  (await edits().listEdits({ query: range })).edits.find((one) => one.edit_id === editId);
const at = (start: string, end: string) => ({ when: { kind: 'timed', start, end, zone: 'America/New_York' } });

test('an edit is written to its calendar, keeps unknown properties, and updates its mirrors at once', async () => {
  const { left, right } = world;
  const { edit } = await edits().createEvent({
    body: {
      calendar_id: left.calendarId,
      title: 'Lunch, with Ana',
      when: { kind: 'timed', start: '2027-03-05T12:00', end: '2027-03-05T13:00', zone: 'America/New_York' },
      recurrence: null,
      description: '',
      location: '',
      meeting_link: null,
      attendees: [],
      busy: 'busy',
      private: false,
      reminders: [15],
      tell_guests: false,
    },
  });
  await world.server.settle();
  // no pull has run since: the block follows from the write itself
  expect(blockStarts(right)).toEqual(['20270305T170000Z']);
  expect(line(left, 'SUMMARY')).toBe(String.raw`SUMMARY:Lunch\, with Ana`);
  expect((await eventOf(left, '2027-03-05')).item_id).toBe(edit.item_id);

  put(left);
  await world.pass();
  expect(blockStarts(right).toSorted()).toEqual(['20270303T100000Z', '20270305T170000Z']);
  await change(left, at('2027-03-03T15:00', '2027-03-03T16:00'));
  await world.server.settle();
  expect(blockStarts(right).toSorted()).toEqual(['20270303T200000Z', '20270305T170000Z']);
  expect(line(left, 'X-KEPT')).toBe('X-KEPT:yes');
  // the mesh comes to rest: our own write is no change by somebody else
  world.writes();
  await world.pass();
  expect(world.writes()).toBe(0);

  const event = await eventOf(left, '2027-03-03');
  await edits().deleteEvent({
    params: { id: event.event_id },
    query: { scope: 'all', version: event.version, tell_guests: 'false' },
  });
  world.clock.advance({ seconds: 11 });
  const { app } = world.server;
  await inTransaction(app.db, (tx) => app.news.announce(tx, editingWanted, { connectionId: left.accountId }));
  await world.server.settle();
  expect(blockStarts(right)).toEqual(['20270305T170000Z']);
});

test('an edit is merged with changes in other fields, and is a conflict with changes in the same field', async () => {
  const { left } = world;
  put(left);
  await world.pass();
  // the store does not know of this yet
  put(left, '\nLOCATION:Room 4');
  const merged = await change(left, { title: 'Retro' });
  await world.server.settle();
  expect((await stateOf(merged))?.state).toBe('done');
  expect(`${line(left, 'SUMMARY')} ${line(left, 'LOCATION')}`).toBe('SUMMARY:Retro LOCATION:Room 4');

  const clash = async () => {
    left.put('a.ics', 'UID:a@x\nSUMMARY:Theirs\nDTSTART:20270303T100000Z\nDTEND:20270303T110000Z');
    const editId = await change(left, { title: 'Mine', location: 'Here' });
    await world.server.settle();
    expect(line(left, 'SUMMARY')).toBe('SUMMARY:Theirs');
    const conflict = await stateOf(editId);
    expect(conflict).toMatchObject({ state: 'conflict', replaces: [], events: [] });
    expect([conflict?.mine?.title, conflict?.theirs?.title]).toEqual(['Mine', 'Theirs']);
    return editId;
  };
  const first = await clash();
  await edits().chooseEdit({ params: { edit_id: first }, body: { keep: 'theirs' } });
  await world.pass();
  expect(line(left, 'SUMMARY')).toBe('SUMMARY:Theirs');
  left.put('a.ics', 'UID:a@x\nSUMMARY:Before\nDTSTART:20270303T100000Z\nDTEND:20270303T110000Z');
  await world.pass();
  const second = await clash();
  await edits().chooseEdit({ params: { edit_id: second }, body: { keep: 'mine' } });
  await world.server.settle();
  expect(`${line(left, 'SUMMARY')} ${line(left, 'LOCATION')}`).toBe('SUMMARY:Mine LOCATION:Here');
});

test('an event deleted elsewhere is recreated when its person keeps the edit', async () => {
  const { left } = world;
  put(left);
  await world.pass();
  const event = await eventOf(left, '2027-03-03');
  left.remove('a.ics');
  const { edit } = await edits().changeEvent({
    params: { id: event.event_id },
    body: { scope: 'all', version: event.version, tell_guests: false, changes: { title: 'Still on' } },
  });
  await world.server.settle();
  expect(await stateOf(edit.edit_id)).toMatchObject({ state: 'conflict', theirs: null });
  expect(left.objects().filter(({ body }) => body.includes('Still on'))).toEqual([]);
  await edits().chooseEdit({ params: { edit_id: edit.edit_id }, body: { keep: 'mine' } });
  await world.server.settle();
  expect(line(left, 'SUMMARY')).toBe('SUMMARY:Still on');
});

test('an event moved to another calendar leaves its old one, and its mirror changes sides', async () => {
  const { left, right } = world;
  put(left);
  await world.pass();
  expect([left.blocks().length, right.blocks().length]).toEqual([0, 1]);
  await change(left, { calendar_id: right.calendarId });
  await world.server.settle();
  await world.pass();
  expect(right.objects().filter(({ body }) => body.includes('SUMMARY:Review'))).toHaveLength(1);
  expect(left.objects().filter(({ body }) => body.includes('SUMMARY:Review'))).toHaveLength(0);
  expect([left.blocks().length, right.blocks().length]).toEqual([1, 0]);
});

test('mirrors follow an edit of one instance and an edit of the following instances', async () => {
  const { left, right } = world;
  left.put(
    's.ics',
    'UID:s@x\nSUMMARY:Weekly\nDTSTART;TZID=America/New_York:20270303T100000\nDTEND;TZID=America/New_York:20270303T110000\nRRULE:FREQ=WEEKLY;COUNT=4',
  );
  await world.pass();
  await change(left, at('2027-03-10T12:00', '2027-03-10T13:00'), 'this', '2027-03-10');
  await change(left, at('2027-03-17T16:00', '2027-03-17T17:00'), 'following', '2027-03-17');
  await world.server.settle();
  const shown = async (block: boolean) =>
    (await world.person.as(calendarContract).listEvents({ query: range })).events
      .filter((one) => one.is_holdfast_block === block)
      .map((one) => one.start_time.slice(5, 16))
      .toSorted();
  const wanted = ['03-03T15:00', '03-10T17:00', '03-17T20:00', '03-24T20:00'];
  expect(await shown(false)).toEqual(wanted);
  expect(await shown(true)).toEqual(wanted);
  await world.pass();
  expect(await shown(false)).toEqual(wanted);
  expect(right.blocks().length).toBeGreaterThan(0);
});

test('an edit survives an outage and a lost response, and a refused edit has a message', async () => {
  const { left } = world;
  put(left);
  await world.pass();
  const path = '/calendars/left/';
  const fault = (phase: 'before' | 'after', effect: Effect, times = 1) =>
    world.emulator.addFault({ op: 'write', path, phase, times, effect });
  const again = async (editId: string) => {
    await edits().retryEdit({ params: { edit_id: editId } });
    await world.server.settle();
    return stateOf(editId);
  };
  fault('before', { kind: 'status', status: 503 }, 2);
  const late = await change(left, { title: 'Later' });
  await world.server.settle();
  expect(await stateOf(late)).toMatchObject({ state: 'pending', message: expect.stringMatching(/try again shortly/) });
  expect(await again(late)).toMatchObject({ state: 'pending' });
  expect(await again(late)).toMatchObject({ state: 'done', message: null });
  expect(line(left, 'SUMMARY')).toBe('SUMMARY:Later');

  world.writes();
  fault('after', { kind: 'reset' });
  const lost = await change(left, { title: 'Lost' });
  await world.server.settle();
  expect(await stateOf(lost)).toMatchObject({ state: 'pending' });
  expect(await again(lost)).toMatchObject({ state: 'done' });
  expect(line(left, 'SUMMARY')).toBe('SUMMARY:Lost');
  expect(world.emulator.ledger.filter((entry) => entry.method === 'PUT' && entry.path.startsWith(path))).toHaveLength(
    4,
  );

  fault('before', { kind: 'status', status: 403 });
  const refused = await change(left, { title: 'Refused' });
  await world.server.settle();
  const failed = await stateOf(refused);
  expect(failed).toMatchObject({ state: 'failed', replaces: [], events: [], can_undo: true, can_retry: true });
  expect(failed?.message).toMatch(/./);
  expect(await again(refused)).toMatchObject({ state: 'done' });
  expect(line(left, 'SUMMARY')).toBe('SUMMARY:Refused');

  fault('before', { kind: 'status', status: 413 });
  const tooLarge = await change(left, { title: 'Too large' });
  await world.server.settle();
  expect(await stateOf(tooLarge)).toMatchObject({ state: 'failed', can_retry: false });
});

test('an edit waits for its account to be reconnected, and is deleted with a disconnected account', async () => {
  const { left } = world;
  put(left);
  await world.pass();
  world.emulator.addFault({ path: '/calendars/left/', times: 0, effect: { kind: 'status', status: 401 } });
  const editId = await change(left, { title: 'Waits' });
  await world.server.settle();
  expect(await stateOf(editId)).toMatchObject({
    state: 'pending',
    message: expect.stringMatching(/to be reconnected/),
  });
  const { event } = await edits().readEvent({ params: { event_id: (await eventOf(left, '2027-03-03')).event_id } });
  expect(event).toMatchObject({ title: 'Waits', editable: false, not_editable_reason: 'reconnect' });
  world.emulator.faults = [];
  const connections = world.person.as(connectionsContract);
  await connections.reconnect({ params: { accountId: left.accountId }, body: { password: 'secret' } });
  await edits().retryEdit({ params: { edit_id: editId } });
  await world.server.settle();
  expect(await stateOf(editId)).toMatchObject({ state: 'done' });
  expect(line(left, 'SUMMARY')).toBe('SUMMARY:Waits');

  const event2 = await eventOf(left, '2027-03-03');
  await edits().deleteEvent({
    params: { id: event2.event_id },
    query: { scope: 'all', version: event2.version, tell_guests: 'false' },
  });
  await connections.disconnect({ params: { accountId: left.accountId } });
  await expect.poll(async () => (await connections.listAccounts()).accounts).toHaveLength(1);
  expect((await edits().listEdits({ query: range })).edits).toEqual([]);
  expect(line(left, 'SUMMARY')).toBe('SUMMARY:Waits');
});

test.each([
  ['changed', 'SUMMARY:Theirs'],
  ['deleted', ''],
])('an event %s by others before its write is confirmed stays as they left it', async (_, theirs) => {
  const { left, right, server, emulatorUrl } = world;
  put(left);
  await world.pass();
  // read, written, and read again as the server keeps it
  const hold = await connectRemote(emulatorUrl).hold({ path: '/calendars/left/', op: 'get', nth: 2, phase: 'after' });
  const editId = await change(left, at('2027-03-03T15:00', '2027-03-03T16:00'));
  await hold.parked();
  if (theirs === '') left.remove('a.ics');
  else left.put('a.ics', `UID:a@x\n${theirs}\nDTSTART:20270303T120000Z\nDTEND:20270303T130000Z`);
  await pullCalendar(server.app, left.calendarId, AbortSignal.timeout(10_000));
  await hold.release('answer');
  await server.settle();
  expect((await stateOf(editId))?.state).toBe('done');
  const { events } = await world.person.as(calendarContract).listEvents({ query: range });
  const shown = events.filter((one) => one.calendar_id === left.calendarId).map((one) => one.title);
  expect(shown).toEqual(theirs === '' ? [] : ['Theirs']);
  expect(blockStarts(right)).toEqual(theirs === '' ? [] : ['20270303T120000Z']);
});
