import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { calendarContract } from '../calendar/contract.ts';
import { connectionsContract } from '../connections/contract.ts';
import { editsContract, type newEventShape } from './contract.ts';

/** Everything that editing does, on the calendar that Holdfast keeps itself: no provider takes part. */

const clock = fixedClock('2027-03-01T09:00:00Z');
let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ clock });
});
afterAll(() => server.close());

type NewEvent = z.input<typeof newEventShape>;
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

const eventAt = async (person: Person, day: string) => {
  const found = (await shown(person.user)).find((event) => event.start_time.startsWith(day));
  if (found === undefined) throw new Error(`nothing at ${day}`);
  return found;
};

describe('an event of the own calendar', () => {
  test('is shown at once, written, changed and deleted, and keeps its name all the time', async () => {
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
    // it waits, and is hidden meanwhile
    expect(await titles(person.user)).toEqual(['03-08T11:00 Retro']);
    const { edits } = await person.edits.listEdits({ query: range });
    expect(edits.find((one) => one.edit_id === deletion.edit_id)).toMatchObject({
      state: 'pending',
      replaces: [event.event_id],
      events: [],
    });
  });
});
