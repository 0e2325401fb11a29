import { afterAll, beforeAll, expect, test } from 'vitest';
import { calendarContract } from '../src/features/calendar/contract.ts';
import { editsContract } from '../src/features/edits/contract.ts';
import { syncContract } from '../src/features/sync/contract.ts';
import { startTestApp, type TestApp } from './harness/test-app.ts';
import { signUpUser, type TestUser } from './harness/test-client.ts';
import { type ConnectedCalendar, launchThreeProviders, type ThreeProviders } from './harness/three-providers.ts';

/** One story of a recurring event at Google, Microsoft and a CalDAV server: the same instants everywhere, and again when read. */

const publicUrl = 'http://localhost';
const zone = 'America/New_York';
let providers: ThreeProviders;
let server: TestApp;
let person: TestUser;
let calendars: Record<'google' | 'microsoft' | 'caldav', ConnectedCalendar>;

beforeAll(async () => {
  providers = await launchThreeProviders(publicUrl);
  server = await startTestApp({ config: { publicUrl, ...providers.config } });
  person = await signUpUser(server, 'story@example.org');
  calendars = {
    google: await providers.connect(server, person, 'google', 'story'),
    microsoft: await providers.connect(server, person, 'microsoft', 'story'),
    caldav: await providers.connectCaldav(person, 'story'),
  };
  await server.settle(30_000);
}, 60_000);
afterAll(async () => {
  await server.close();
  await providers.close();
});

/** Mondays around the next change of the clocks there, the second of them after it. */
const change = Temporal.Now.zonedDateTimeISO(zone).add({ days: 21 }).getTimeZoneTransition('next');
const sunday = (change ?? Temporal.Now.zonedDateTimeISO(zone)).toPlainDate();
const monday = (week: number) => sunday.subtract({ days: 6 }).add({ days: 7 * week });
const textOf = (week: number) => monday(week).toString();
const at = (day: Temporal.PlainDate, from: string, to: string) => ({
  kind: 'timed' as const,
  start: `${day.toString()}T${from}`,
  end: `${day.toString()}T${to}`,
  zone,
});
const range = {
  from: monday(0).subtract({ days: 7 }).toZonedDateTime('UTC').toInstant().toString(),
  to: monday(8).toZonedDateTime('UTC').toInstant().toString(),
};

test.each(['google', 'microsoft', 'caldav'] as const)(
  'edits of a series at %s read back as they were entered',
  { timeout: 60_000 },
  async (name) => {
    const { calendarId, accountId } = calendars[name];
    const edits = person.as(editsContract);
    const list = async () => {
      const query = { ...range, calendar_ids: calendarId };
      return (await person.as(calendarContract).listEvents({ query })).events;
    };
    const local = (iso: string) =>
      Temporal.Instant.from(iso).toZonedDateTimeISO(zone).toPlainDateTime().toString().slice(0, 16);
    const shown = async () => (await list()).map((event) => `${local(event.start_time)} ${event.title}`);
    const settled = async (editId: string) => {
      await server.settle(30_000);
      const all = (await edits.listEdits({ query: range })).edits;
      expect(all.find((one) => one.edit_id === editId)).toMatchObject({ state: 'done', message: null });
    };
    /** As it is shown after the write, and after the provider was asked for everything again. */
    const expectStory = async (story: string[]) => {
      expect(await shown()).toEqual(story);
      await person.as(syncContract).syncAccount({ params: { accountId } });
      await server.settle(30_000);
      expect(await shown()).toEqual(story);
    };
    const eventOn = async (day: Temporal.PlainDate) => {
      const found = (await list()).find((event) => local(event.start_time).startsWith(day.toString()));
      if (found === undefined) throw new Error(`nothing on ${day.toString()}`);
      return found;
    };
    const edit = async (day: Temporal.PlainDate, scope: 'this' | 'following' | 'all', changes: object) => {
      const event = await eventOn(day);
      const { edit: entered } = await edits.changeEvent({
        params: { id: event.event_id },
        body: { scope, version: event.version, tell_guests: false, changes },
      });
      await settled(entered.edit_id);
    };

    const { edit: created } = await edits.createEvent({
      body: {
        calendar_id: calendarId,
        title: 'Weekly',
        when: at(monday(0), '09:00', '09:30'),
        recurrence: 'FREQ=WEEKLY;COUNT=6',
        description: 'Agenda',
        location: 'Room 4',
        meeting_link: null,
        attendees: [],
        busy: 'busy',
        private: false,
        reminders: [10],
        tell_guests: false,
      },
    });
    await settled(created.edit_id);
    const nine = (week: number, title = 'Weekly') => `${textOf(week)}T09:00 ${title}`;
    await expectStory([0, 1, 2, 3, 4, 5].map((week) => nine(week)));

    await edit(monday(1), 'this', { title: 'Moved', when: at(monday(1).add({ days: 1 }), '15:00', '15:30') });
    const moved = `${monday(1).add({ days: 1 }).toString()}T15:00 Moved`;
    await expectStory([nine(0), moved, nine(2), nine(3), nine(4), nine(5)]);

    const dropped = await eventOn(monday(2));
    const { edit: deletion } = await edits.deleteEvent({
      params: { id: dropped.event_id },
      query: { scope: 'this', version: dropped.version, tell_guests: 'false' },
    });
    await edits.retryEdit({ params: { edit_id: deletion.edit_id } });
    await settled(deletion.edit_id);
    await expectStory([nine(0), moved, nine(3), nine(4), nine(5)]);

    await edit(monday(4), 'following', { title: 'Later', when: at(monday(4), '11:00', '12:00') });
    const eleven = (week: number) => `${textOf(week)}T11:00 Later`;
    await expectStory([nine(0), moved, nine(3), eleven(4), eleven(5)]);

    await edit(monday(0), 'all', { title: 'Early', when: at(monday(0), '08:00', '08:30') });
    const eight = (week: number) => `${textOf(week)}T08:00 Early`;
    await expectStory([eight(0), moved, eight(3), eleven(4), eleven(5)]);

    const { event } = await edits.readEvent({ params: { event_id: (await eventOn(monday(3))).event_id } });
    expect(event).toMatchObject({ description: 'Agenda', location: 'Room 4', reminders: [10], editable: true });
  },
);

test.each(['google', 'microsoft', 'caldav'] as const)(
  'an undone split of an endless series at %s makes it one series again',
  { timeout: 60_000 },
  async (name) => {
    const { calendarId } = calendars[name];
    const edits = person.as(editsContract);
    const from = monday(10);
    const later = {
      from: from.toZonedDateTime('UTC').toInstant().toString(),
      to: monday(14).toZonedDateTime('UTC').toInstant().toString(),
    };
    const list = async () =>
      (await person.as(calendarContract).listEvents({ query: { ...later, calendar_ids: calendarId } })).events;
    const titles = async () => (await list()).map((event) => event.title);
    const settled = async (editId: string) => {
      await server.settle(30_000);
      const all = (await edits.listEdits({ query: later })).edits;
      expect(all.find((one) => one.edit_id === editId)).toMatchObject({ state: 'done', message: null });
    };
    const { edit: created } = await edits.createEvent({
      body: {
        calendar_id: calendarId,
        title: 'Endless',
        when: at(from, '09:00', '09:30'),
        recurrence: 'FREQ=WEEKLY',
        description: 'Agenda',
        location: '',
        meeting_link: 'https://call.example/1',
        attendees: [],
        busy: 'busy',
        private: false,
        reminders: null,
        tell_guests: false,
      },
    });
    await settled(created.edit_id);
    const third = (await list())[2];
    const { edit: split } = await edits.changeEvent({
      params: { id: third?.event_id ?? '' },
      body: { scope: 'following', version: third?.version ?? '', tell_guests: false, changes: { title: 'Split' } },
    });
    await settled(split.edit_id);
    expect(await titles()).toEqual(['Endless', 'Endless', 'Split', 'Split']);
    const { edit: undone } = await edits.undoEdit({ params: { edit_id: split.edit_id } });
    await settled(undone.edit_id);
    expect(await titles()).toEqual(['Endless', 'Endless', 'Endless', 'Endless']);
    const { event } = await edits.readEvent({ params: { event_id: (await list())[3]?.event_id ?? '' } });
    expect(event).toMatchObject({ description: 'Agenda', meeting_link: 'https://call.example/1' });
  },
);

/** Writes since the ledger was cleared: method, and what says whether guests are told. */
const told = {
  google: async () =>
    (await providers.google.control.ledger())
      .filter(({ operation }) => /^events\.(?:insert|patch|delete)$/.test(operation))
      .map(({ operation, query }) => `${operation} ${new URLSearchParams(query).get('sendUpdates')}`),
  microsoft: async () =>
    (await providers.microsoft.control.ledger())
      .filter(({ method, path }) => method !== 'GET' && !/subscriptions|\$batch|oauth|token/.test(path))
      .map(({ method, query, prefer }) => `${method} ${query}${/send|notif|silent/i.test(prefer ?? '') ? prefer : ''}`),
  caldav: async () =>
    (await providers.caldav.ledger())
      .filter(({ method }) => method === 'PUT' || method === 'DELETE')
      .map(({ method, query }) => `${method} ${query}`),
};
const clearLedgers = () =>
  Promise.all([
    providers.google.control.clearLedger(),
    providers.microsoft.control.clearLedger(),
    providers.caldav.clearLedger(),
  ]);

/** Creates, renames, moves, undoes, deletes, and brings back an event with a guest. Each write is settled before the next. */
async function writesWithGuest(name: keyof typeof told, tell: boolean): Promise<string[]> {
  const { calendarId } = calendars[name];
  const edits = person.as(editsContract);
  await clearLedgers();
  const day = monday(0).subtract({ days: tell ? 1 : 2 });
  const title = `Guests ${tell}`;
  const settled = async ({ edit_id }: { edit_id: string }) => {
    await server.settle(30_000);
    const all = (await edits.listEdits({ query: range })).edits;
    expect(all.find((one) => one.edit_id === edit_id)?.state).toMatch(/^(?:done|undone)$/);
  };
  const event = async () => {
    const { events } = await person.as(calendarContract).listEvents({ query: { ...range, calendar_ids: calendarId } });
    const found = events.find((one) => one.title.startsWith(title));
    if (found === undefined) throw new Error('the event is not there');
    return found;
  };
  const change = async (changes: object) => {
    const { event_id, version } = await event();
    const body = { scope: 'all' as const, version, tell_guests: tell, changes };
    const { edit } = await edits.changeEvent({ params: { id: event_id }, body });
    await settled(edit);
    return edit;
  };
  const undo = async ({ edit_id }: { edit_id: string }) =>
    settled((await edits.undoEdit({ params: { edit_id } })).edit);

  const { edit: created } = await edits.createEvent({
    body: {
      calendar_id: calendarId,
      title,
      when: at(day, '12:00', '13:00'),
      recurrence: null,
      description: '',
      location: '',
      meeting_link: null,
      attendees: [{ email: 'ana@guest.example', name: 'Ana' }],
      busy: 'busy',
      private: false,
      reminders: null,
      tell_guests: tell,
    },
  });
  await settled(created);
  await change({ title: `${title}, renamed` });
  await undo(await change({ when: at(day, '14:00', '15:00') }));
  const { event_id, version } = await event();
  const query = { scope: 'all' as const, version, tell_guests: tell ? ('true' as const) : ('false' as const) };
  const { edit: deleted } = await edits.deleteEvent({ params: { id: event_id }, query });
  await edits.retryEdit({ params: { edit_id: deleted.edit_id } });
  await settled(deleted);
  await undo(deleted);
  return told[name]();
}

// Google Calendar API, "sendUpdates" of Events: insert, patch, delete
test.each([
  [true, 'all'],
  [false, 'none'],
])('Google mails guests of each write if told to, the undo included: %s', { timeout: 60_000 }, async (tell, mode) => {
  expect(await writesWithGuest('google', tell)).toEqual([
    `events.insert ${mode}`,
    `events.patch ${mode}`,
    `events.patch ${mode}`,
    `events.patch ${mode}`,
    `events.delete ${mode}`,
    `events.insert ${mode}`,
  ]);
});

// Graph has no parameter for it. RFC 6638, 3.2.1.2: a SCHEDULE-AGENT that turns from SERVER to NONE sends a CANCEL, and
// Schedule-Reply (8.1) is about the reply of an attendee.
test.each(['microsoft', 'caldav'] as const)(
  '%s decides on the mails to guests: both choices write the same',
  { timeout: 60_000 },
  async (name) => {
    const loud = await writesWithGuest(name, true);
    expect(loud.map((write) => write.split(' ')[0])).toEqual(
      name === 'caldav'
        ? ['PUT', 'PUT', 'PUT', 'PUT', 'DELETE', 'PUT']
        : ['POST', 'PATCH', 'PATCH', 'PATCH', 'DELETE', 'POST'],
    );
    expect(await writesWithGuest(name, false)).toEqual(loud);
    const stands = await providers.caldav.snapshot();
    expect(JSON.stringify(stands)).not.toContain('SCHEDULE-AGENT');
  },
);
