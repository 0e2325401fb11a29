import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ConnectionId } from '#kernel/ids.ts';
import { insertBookable } from '../../../test/harness/bookable.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser } from '../../../test/harness/test-client.ts';
import { calendarContract } from '../calendar/contract.ts';
import { connectionsContract } from '../connections/contract.ts';
import { editsContract } from '../edits/contract.ts';
import { writeEdits } from '../edits/writing.ts';
import { bookingContract } from './contract.ts';

/** Bookings beside changes of events that their calendar has not taken yet. */

let server: TestApp;
beforeAll(async () => {
  // no worker: an edit waits until a test writes it
  server = await startTestApp({
    role: 'web',
    clock: fixedClock('2027-03-01T08:00:00Z'),
    http: { requestsPerMinute: 100_000 },
  });
});
afterAll(() => server.close());

const ms = (local: string) => Temporal.ZonedDateTime.from(`${local}[America/New_York]`).epochMilliseconds;

async function newHost(name: string) {
  const user = await signUpUser(server, `${name}@example.org`);
  const connections = user.as(connectionsContract);
  const { account } = await connections.connectOwn();
  const [calendar] = (await connections.listIntegrationCalendars()).calendars;
  if (calendar === undefined) throw new Error('there is no calendar');
  const { path, typeId } = await insertBookable(server, user, 'intro');
  const edits = user.as(editsContract);
  const create = async (local: string, recurrence: string | null = null) =>
    (
      await edits.createEvent({
        body: {
          calendar_id: calendar.calendarId,
          title: 'Dentist',
          when: {
            kind: 'timed',
            start: local,
            end: `${local.slice(0, 11)}${Number(local.slice(11, 13)) + 1}:00`,
            zone: 'America/New_York',
          },
          recurrence,
          description: '',
          location: '',
          meeting_link: null,
          attendees: [],
          busy: 'busy',
          private: false,
          reminders: null,
          tell_guests: false,
        },
      })
    ).edit;
  let guests = 0;
  const book = async (local: string) => {
    guests += 1;
    const response = await server.inject({
      method: 'POST',
      url: `${path}/bookings`,
      payload: {
        start: ms(local) / 60_000,
        name: 'Guest',
        email: `guest${guests}@example.net`,
        zone: 'America/New_York',
      },
      remoteAddress: `10.1.${name.length}.${guests}`,
    });
    return response.json<{ detail?: { code: string } }>().detail?.code ?? response.statusCode;
  };
  const explain = async (local: string) => {
    const { bookable, reasons } = await user
      .as(bookingContract)
      .explainSlot({ query: { event_type_id: typeId, at: ms(local) } });
    return { bookable, reasons: reasons.map(({ kind, in_the_way }) => `${kind} ${in_the_way?.title}`) };
  };
  const write = () => writeEdits(server.app, account.accountId as ConnectionId, new AbortController().signal);
  return { user, calendarId: calendar.calendarId, edits, create, book, explain, write };
}

test('a new event blocks its time from the moment it is accepted, in bookings, availability, and explanations', async () => {
  const host = await newHost('anna');
  const { edit_id } = await host.create('2027-03-08T10:00');
  expect(await host.book('2027-03-08T10:30')).toBe('SLOT_TAKEN');
  expect(await host.explain('2027-03-08T10:30')).toEqual({ bookable: false, reasons: ['busy Dentist'] });
  const calendar = host.user.as(calendarContract);
  const query = { start_time: '2027-03-08T15:00:00Z', end_time: '2027-03-08T15:30:00Z' };
  const { available, conflicts } = await calendar.checkAvailability({ query });
  expect({ available, titles: conflicts.map(({ title }) => title) }).toEqual({ available: false, titles: ['Dentist'] });
  const why = await calendar.explainBusy({ query: { at: '2027-03-08T15:30:00Z' } });
  expect({ busy: why.busy, titles: why.events.map(({ title }) => title) }).toEqual({ busy: true, titles: ['Dentist'] });

  await host.write();
  expect(await host.book('2027-03-08T10:30')).toBe('SLOT_TAKEN');
  expect((await calendar.checkAvailability({ query })).conflicts).toHaveLength(1);
  expect((await host.explain('2027-03-08T10:30')).reasons).toEqual(['busy Dentist']);
  await host.edits.undoEdit({ params: { edit_id } });
  await host.write();
  expect(await host.book('2027-03-08T10:30')).toBe(201);
});

test('a moved event blocks its old and its new time until the calendar has it, and then only the new time', async () => {
  const host = await newHost('ben');
  await host.create('2027-03-08T10:00');
  await host.write();
  const { events } = await host.user
    .as(calendarContract)
    .listEvents({ query: { from: '2027-03-08T00:00:00Z', to: '2027-03-09T00:00:00Z' } });
  const [event] = events;
  if (event === undefined) throw new Error('the event is not there');
  await host.edits.changeEvent({
    params: { id: event.event_id },
    body: {
      scope: 'all',
      version: event.version,
      tell_guests: false,
      changes: {
        when: { kind: 'timed', start: '2027-03-08T14:00', end: '2027-03-08T15:00', zone: 'America/New_York' },
      },
    },
  });
  expect(await host.book('2027-03-08T10:00')).toBe('SLOT_TAKEN');
  expect(await host.book('2027-03-08T14:00')).toBe('SLOT_TAKEN');
  await host.write();
  expect(await host.book('2027-03-08T10:00')).toBe(201);
  expect(await host.book('2027-03-08T14:00')).toBe('SLOT_TAKEN');
});

test('a waiting event that is taken back frees its time, and each date of a waiting series blocks', async () => {
  const host = await newHost('cleo');
  const { edit_id } = await host.create('2027-03-08T10:00', 'FREQ=WEEKLY;COUNT=3');
  expect(await host.book('2027-03-15T10:00')).toBe('SLOT_TAKEN');
  await host.edits.undoEdit({ params: { edit_id } });
  expect(await host.book('2027-03-15T10:00')).toBe(201);
});

test('dates of a waiting series block beyond the 400 days that the busy index has ready', async () => {
  const host = await newHost('eve');
  await host.create('2027-03-08T10:00', 'FREQ=WEEKLY');
  const calendar = host.user.as(calendarContract);
  const query = { start_time: '2028-06-05T14:00:00Z', end_time: '2028-06-05T15:00:00Z' };
  expect((await calendar.checkAvailability({ query })).conflicts).toHaveLength(1);
});

test('no booking overlaps an event that was accepted before it, while both are written', async () => {
  const host = await newHost('dan');
  const taken: unknown[] = [];
  for (let n = 0; n < 24; n += 1) {
    const day = Temporal.PlainDate.from('2027-03-08').add({ days: 7 * Math.floor(n / 6) });
    const local = `${day.toString()}T${String(9 + (n % 6)).padStart(2, '0')}:00`;
    const { edit_id } = await host.create(local);
    const [answer] = await Promise.all([host.book(local), host.write()]);
    taken.push(answer);
    if (answer !== 'SLOT_TAKEN') throw new Error(`${edit_id} at ${local}: ${answer}`);
  }
  expect(new Set(taken)).toEqual(new Set(['SLOT_TAKEN']));
});
