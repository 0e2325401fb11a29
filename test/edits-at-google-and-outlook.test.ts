import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calendarContract } from '../src/features/calendar/contract.ts';
import { editsContract } from '../src/features/edits/contract.ts';
import { startTestApp, type TestApp } from './harness/test-app.ts';
import { signUpUser, type TestUser } from './harness/test-client.ts';
import { type ConnectedCalendar, launchThreeProviders, type ThreeProviders } from './harness/three-providers.ts';

/** A person edits a series that stands at Google, and one at Outlook, through the calls that the screens use. */

const publicUrl = 'http://localhost';
let providers: ThreeProviders;
let server: TestApp;
let person: TestUser;

beforeAll(async () => {
  providers = await launchThreeProviders(publicUrl);
  server = await startTestApp({ config: { publicUrl, ...providers.config } });
  person = await signUpUser(server, 'editor@example.org');
});
afterAll(async () => {
  await server.close();
  await providers.close();
});

const first = Temporal.Now.plainDateISO('UTC').add({ days: 3 });
const week = (n: number) => first.add({ weeks: n }).toString();
const range = { from: `${first.toString()}T00:00:00Z`, to: `${first.add({ weeks: 10 }).toString()}T00:00:00Z` };
const at = (day: string, from: string, to: string) => ({
  kind: 'timed' as const,
  start: `${day}T${from}`,
  end: `${day}T${to}`,
  zone: 'UTC',
});

async function standsAt(provider: 'google' | 'microsoft'): Promise<number> {
  const { control } = providers[provider];
  const { accounts } = await control.snapshot();
  const calendars = Object.values(accounts[`editor-${provider}@${provider}.example`]?.calendars ?? {}) as {
    events: { recurringEventId?: string }[];
  }[];
  return calendars.flatMap(({ events }) => events).filter((event) => event.recurringEventId === undefined).length;
}

describe.each(['google', 'microsoft'] as const)('a series at %s', (provider) => {
  let calendar: ConnectedCalendar;

  const shown = async () => {
    const { events } = await person.as(calendarContract).listEvents({ query: range });
    return events.filter((event) => event.calendar_id === calendar.calendarId);
  };
  const lines = async () =>
    (await shown()).map(({ start_time, title }) => `${weekOf(start_time)} ${start_time.slice(11, 16)} ${title}`);
  const weekOf = (instant: string) => first.until(Temporal.PlainDate.from(instant.slice(0, 10))).total('days') / 7;
  const on = async (n: number) => {
    const found = (await shown()).find(({ start_time }) => start_time.startsWith(week(n)));
    if (found === undefined) throw new Error(`nothing in week ${n}`);
    return found;
  };
  const edits = () => person.as(editsContract);
  const settled = async (edit_id: string) => {
    await server.settle(30_000);
    const found = (await edits().listEdits({ query: range })).edits.find((edit) => edit.edit_id === edit_id);
    expect(found?.message ?? null).toBeNull();
    expect(found?.state ?? 'done').toBe('done');
  };
  const change = async (n: number, scope: 'this' | 'following' | 'all', changes: object) => {
    const { event_id, version } = await on(n);
    const body = { scope, version, tell_guests: false, changes };
    const { edit } = await edits().changeEvent({ params: { id: event_id }, body });
    await settled(edit.edit_id);
    return edit.edit_id;
  };

  test('is made, changed in one instance, split, moved as a whole, and put together again', async () => {
    calendar = await providers.connect(server, person, provider, `editor-${provider}`);
    const { edit } = await edits().createEvent({
      body: {
        calendar_id: calendar.calendarId,
        title: 'Review',
        when: at(week(0), '10:00', '11:00'),
        recurrence: 'FREQ=WEEKLY',
        description: 'Agenda',
        location: '',
        meeting_link: 'https://call.example/1',
        attendees: [],
        busy: 'busy',
        private: false,
        reminders: [10],
        tell_guests: false,
      },
    });
    await settled(edit.edit_id);
    expect((await lines()).slice(0, 2)).toEqual(['0 10:00 Review', '1 10:00 Review']);
    expect(await standsAt(provider)).toBe(1);

    await change(1, 'this', { title: 'Demo', when: at(week(1), '14:00', '15:00') });
    expect((await lines()).slice(0, 3)).toEqual(['0 10:00 Review', '1 14:00 Demo', '2 10:00 Review']);

    const split = await change(3, 'following', { title: 'Retro' });
    expect((await lines()).slice(0, 5)).toEqual([
      '0 10:00 Review',
      '1 14:00 Demo',
      '2 10:00 Review',
      '3 10:00 Retro',
      '4 10:00 Retro',
    ]);
    expect(await standsAt(provider)).toBe(2);

    const { edit: undone } = await edits().undoEdit({ params: { edit_id: split } });
    await settled(undone.edit_id);
    expect((await lines()).slice(0, 5)).toEqual([
      '0 10:00 Review',
      '1 14:00 Demo',
      '2 10:00 Review',
      '3 10:00 Review',
      '4 10:00 Review',
    ]);
    expect(await standsAt(provider)).toBe(1);

    await change(0, 'all', { when: at(week(0), '09:00', '09:30') });
    expect((await lines()).slice(0, 3)).toEqual(['0 09:00 Review', '1 14:00 Demo', '2 09:00 Review']);
    const { event } = await edits().readEvent({ params: { event_id: (await on(2)).event_id } });
    expect(event).toMatchObject({
      description: 'Agenda',
      meeting_link: 'https://call.example/1',
      reminders: [10],
      editable: true,
    });
  });
});
