import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../../test/harness/test-client.ts';
import {
  type ConnectedCalendar,
  launchThreeProviders,
  type ThreeProviders,
} from '../../../../test/harness/three-providers.ts';
import { guestBusyContract } from './contract.ts';

let providers: ThreeProviders;
let server: TestApp;
let person: TestUser;
let calendars: Record<'google' | 'microsoft' | 'caldav', ConnectedCalendar>;

beforeAll(async () => {
  providers = await launchThreeProviders('http://localhost');
  server = await startTestApp({ config: { publicUrl: 'http://localhost', ...providers.config } });
  person = await signUpUser(server, 'asks@example.org');
  calendars = {
    google: await providers.connect(server, person, 'google', 'asks'),
    microsoft: await providers.connect(server, person, 'microsoft', 'asks'),
    caldav: await providers.connectCaldav(person, 'asks'),
  };
  await providers.microsoft.control.seed({
    account: ben,
    calendars: [
      {
        key: 'calendar',
        name: 'Calendar',
        isDefault: true,
        events: [{ subject: 'Secret', start: '2027-03-09T09:00:00', minutes: 60, zone: 'UTC' }],
      },
    ],
  });
}, 60_000);
afterAll(async () => {
  await server.close();
  await providers.close();
});

const ben = 'ben@microsoft.example';
const stranger = 'nobody@elsewhere.example';
const at = (text: string) => Temporal.Instant.from(`2027-03-${text}:00Z`).epochMilliseconds;
const ask = (calendar: ConnectedCalendar, guests: string[]) =>
  person.as(guestBusyContract).guestBusy({
    body: { calendar_id: calendar.calendarId, from: at('08T00:00'), to: at('15T00:00'), guests },
  });
const meeting = [{ start: at('09T09:00'), end: at('09T10:00') }];

test('the account of the event tells when a colleague is busy, and nothing of a stranger', async () => {
  expect((await ask(calendars.microsoft, [stranger, ben])).guests).toEqual([
    { address: stranger, busy: null },
    { address: ben, busy: meeting },
  ]);
});

test('for an event elsewhere, the account at the domain of the guest is asked', async () => {
  expect((await ask(calendars.caldav, [ben])).guests).toEqual([{ address: ben, busy: meeting }]);
});

test('a provider that refuses tells nothing, and the form has an answer', async () => {
  await providers.microsoft.control.addFaults({ name: 'F3', op: 'get-schedule' });
  expect((await ask(calendars.microsoft, [ben])).guests).toEqual([{ address: ben, busy: null }]);
});

test('a range that no provider takes is refused', async () => {
  const body = { calendar_id: calendars.microsoft.calendarId, from: at('08T00:00'), to: at('08T00:00'), guests: [ben] };
  await expect(person.as(guestBusyContract).guestBusy({ body })).rejects.toMatchObject({ code: 'BAD_TIME' });
});
