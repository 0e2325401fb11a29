import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ConnectionId } from '#kernel/ids.ts';
import { mostAnswerBytes } from '#kernel/work-limits.ts';
import { inTransaction } from '#platform/db.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { runs } from '../../../test/harness/law-budget.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser } from '../../../test/harness/test-client.ts';
import { calendarContract } from '../calendar/contract.ts';
import { listStored } from '../calendar/public.ts';
import type { EventView } from '../calendar/rules/event-view.ts';
import { connectionsContract } from '../connections/contract.ts';
import { findCalendar } from '../connections/public.ts';
import { storeChanges } from '../sync/public.ts';
import { editsContract } from './contract.ts';
import { listShown } from './store/edits.ts';
import { writeEdits } from './writing.ts';

/** No worker runs: everything waits until the test writes it. */
const clock = fixedClock('2027-03-01T09:00:00Z');
let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ clock, role: 'web' });
});
afterAll(() => server.close());

const range = { from: '2027-02-20T00:00:00Z', to: '2027-05-10T00:00:00Z' };
const { signal } = new AbortController();
let people = 0;

async function newPerson() {
  people += 1;
  const user = await signUpUser(server, `waiting${people}@example.org`);
  const connections = user.as(connectionsContract);
  const { account } = await connections.connectOwn();
  const [calendar] = (await connections.listIntegrationCalendars()).calendars;
  const edits = user.as(editsContract);
  return {
    userId: user.userId,
    calendarId: calendar?.calendarId ?? '',
    edits,
    list: async () => (await user.as(calendarContract).listEvents({ query: range })).events,
    waiting: async () => (await edits.listEdits({ query: range })).edits,
    write: () => writeEdits(server.app, account.accountId as ConnectionId, signal),
  };
}
type Person = Awaited<ReturnType<typeof newPerson>>;

/** The events of a screen: the known ones without those that are replaced, and their replacements. */
async function overlaid(person: Person, had?: EventView[]): Promise<EventView[]> {
  const edits = await person.waiting();
  const hidden = new Set(edits.flatMap((edit) => edit.replaces));
  const events = (had ?? (await person.list())).filter((event) => !hidden.has(event.event_id));
  return [...events, ...edits.flatMap((edit) => edit.events)];
}
const drawn = (events: EventView[]) =>
  events
    .map((event) => `${event.start_time} ${event.end_time} ${event.title} ${event.location} ${event.event_id}`)
    .toSorted();

const at = (day: number, quarter: number, quarters: number) => {
  const start = Temporal.PlainDateTime.from('2027-03-01').add({ days: day, minutes: quarter * 15 });
  const text = (time: Temporal.PlainDateTime) => time.toString().slice(0, 16);
  const end = start.add({ minutes: quarters * 15 });
  return { kind: 'timed' as const, start: text(start), end: text(end), zone: 'Europe/Berlin' };
};

const times = { day: fc.nat(40), quarter: fc.nat(80), quarters: fc.integer({ min: 1, max: 8 }) };
const acts = fc.oneof(
  fc.record({
    ...times,
    do: fc.constant('create' as const),
    rule: fc.constantFrom(
      null,
      'FREQ=WEEKLY;COUNT=5',
      'FREQ=DAILY;INTERVAL=2;UNTIL=20270425',
      'FREQ=WEEKLY;BYDAY=MO,FR',
    ),
  }),
  fc.record({
    ...times,
    do: fc.constant('change' as const),
    pick: fc.nat(99),
    scope: fc.constantFrom('this', 'following', 'all'),
    what: fc.constantFrom('title', 'location', 'time', 'both'),
  }),
  fc.record({
    do: fc.constant('delete' as const),
    pick: fc.nat(99),
    scope: fc.constantFrom('this', 'following', 'all'),
  }),
  fc.record({ do: fc.constant('undo' as const) }),
  fc.record({ do: fc.constant('write' as const) }),
);
type Act = typeof acts extends fc.Arbitrary<infer A> ? A : never;

let names = 0;
async function play(person: Person, act: Act): Promise<void> {
  const shown = (await overlaid(person)).toSorted((a, b) => (a.start_time < b.start_time ? -1 : 1));
  if (act.do === 'write') {
    await person.write();
    return;
  }
  if (act.do === 'create') {
    names += 1;
    const body = { calendar_id: person.calendarId, title: `E${names}`, when: at(act.day, act.quarter, act.quarters) };
    const rest = { description: '', location: '', meeting_link: null, attendees: [], busy: 'busy' as const };
    const flags = { private: false, reminders: null, tell_guests: false, recurrence: act.rule };
    await person.edits.createEvent({ body: { ...body, ...rest, ...flags } });
    return;
  }
  if (act.do === 'undo') {
    const last = (await person.waiting()).findLast((edit) => edit.can_undo);
    if (last !== undefined) await person.edits.undoEdit({ params: { edit_id: last.edit_id } });
    return;
  }
  const event = shown[act.pick % Math.max(1, shown.length)];
  if (event === undefined) return;
  const scope = event.recurring ? act.scope : 'all';
  if (act.do === 'delete') {
    const query = { scope, version: event.version, tell_guests: 'false' as const };
    await person.edits.deleteEvent({ params: { id: event.event_id }, query });
    return;
  }
  names += 1;
  const changes = {
    ...(act.what === 'title' || act.what === 'both' ? { title: `E${names}` } : {}),
    ...(act.what === 'location' ? { location: `Room ${names}` } : {}),
    ...(act.what === 'time' || act.what === 'both' ? { when: at(act.day, act.quarter, act.quarters) } : {}),
  };
  await person.edits.changeEvent({
    params: { id: event.event_id },
    body: { scope, version: event.version, tell_guests: false, changes },
  });
}

test('an event pulled before its edit is confirmed is shown once, also on a screen with older events', async () => {
  const person = await newPerson();
  await play(person, { do: 'create', day: 7, quarter: 36, quarters: 4, rule: 'FREQ=WEEKLY;COUNT=5' });
  await person.write();
  const had = await person.list();
  await play(person, { do: 'change', pick: 1, scope: 'all', what: 'title', day: 0, quarter: 0, quarters: 1 });
  const promised = drawn(await overlaid(person));
  expect(promised).not.toEqual(drawn(had));

  // as a pull does that comes between the write and its outcome
  const { db } = server.app;
  const pending = (await listShown(db, person.userId, 0)).find(({ state }) => state === 'pending');
  const [step] = pending?.steps ?? [];
  const [stored] = step ? await listStored(db, person.userId, { ids: [step.itemId] }) : [];
  const calendar = step && (await findCalendar(db, step.calendarId));
  if (!step?.after || !stored || !calendar) throw new Error('nothing waits');
  const { provenance, ref } = stored;
  const items = [{ id: step.itemId, ref, provenance, body: step.after, version: 'read meanwhile' }];
  await inTransaction(db, (tx) => storeChanges(server.app, tx, calendar, { items, gone: [], absent: [] }));

  expect(drawn(await person.list())).toEqual(promised);
  expect((await person.waiting()).at(-1)).toMatchObject({ state: 'pending' });
  expect(drawn(await overlaid(person))).toEqual(promised);
  expect(drawn(await overlaid(person, had))).toEqual(promised);
});

/** An event that is created, deleted by an undo, created again, and so on, each written at once. */
const undoneTimes = (times: number): [Act[]] => [
  [
    { do: 'create', day: 0, quarter: 0, quarters: 1, rule: null },
    ...Array.from({ length: times }, (): Act[] => [{ do: 'write' }, { do: 'undo' }]).flat(),
  ],
];

test('events shown with pending edits equal the events after those edits are written', {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(acts, { minLength: 2, maxLength: 8 }), async (list) => {
      const person = await newPerson();
      const had = [await person.list()];
      for (const act of list) {
        await play(person, act);
        had.push(await person.list());
      }
      const promised = drawn(await overlaid(person));
      // nor does a screen that has not asked for its events again since any of it show something else
      for (const events of had) expect(drawn(await overlaid(person, events))).toEqual(promised);
      clock.advance({ seconds: 11 });
      await person.write();
      expect((await person.waiting()).filter((edit) => edit.state !== 'done')).toEqual([]);
      expect(drawn(await person.list())).toEqual(promised);
      // and a screen that hears of it late draws nothing twice
      expect(drawn(await overlaid(person))).toEqual(promised);
    }),
    {
      numRuns: runs(12),
      examples: [undoneTimes(2), undoneTimes(4)],
    },
  );
});

test('a new series of 5,000 instances with a description of 32,000 characters has a bounded answer', async () => {
  const person = await newPerson();
  const all = (count: number) => [...Array(count).keys()].join();
  const recurrence = `FREQ=DAILY;BYHOUR=${all(24)};BYMINUTE=${all(60)};COUNT=5000`;
  const when = { kind: 'timed' as const, start: '2027-03-01T00:00', end: '2027-03-01T00:01', zone: 'UTC' };
  const body = { calendar_id: person.calendarId, title: 'Bomb', when, description: 'a'.repeat(32_000), location: '' };
  const rest = { meeting_link: null, attendees: [], busy: 'busy' as const, private: false, reminders: null };
  await person.edits.createEvent({ body: { ...body, ...rest, tell_guests: false, recurrence } });
  const edits = await person.waiting();
  expect(edits.map(({ title, state }) => [title, state])).toEqual([['Bomb', 'pending']]);
  expect(Buffer.byteLength(JSON.stringify(edits))).toBeLessThan(mostAnswerBytes);
  await person.write();
  expect(Buffer.byteLength(JSON.stringify(await person.waiting()))).toBeLessThan(mostAnswerBytes);
  // where its events are not shown before they are written, none of those that are listed is taken away
  const hidden = new Set((await person.waiting()).flatMap((edit) => edit.replaces));
  expect(hidden.size).toBe(0);
});
