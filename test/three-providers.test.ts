import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { syncContract } from '../src/features/sync/contract.ts';
import { startTestApp, type TestApp } from './harness/test-app.ts';
import { signUpUser, type TestUser } from './harness/test-client.ts';
import { type ConnectedCalendar, launchThreeProviders, type ThreeProviders } from './harness/three-providers.ts';

/** The real adapters together: one calendar each at Google, Microsoft and a CalDAV server, all mirrored to all. */

const publicUrl = 'http://localhost';
const future = 20;
let providers: ThreeProviders;
let server: TestApp;
let person: TestUser;
let calendars: Record<'google' | 'microsoft' | 'caldav', ConnectedCalendar>;

afterEach(async () => {
  await server.close();
  await providers.close();
});

async function start(): Promise<void> {
  providers = await launchThreeProviders(publicUrl);
  server = await startTestApp({ config: { publicUrl, ...providers.config } });
  person = await signUpUser(server, 'mesh@example.org');
  calendars = {
    google: await providers.connect(server, person, 'google', 'mesh'),
    microsoft: await providers.connect(server, person, 'microsoft', 'mesh'),
    caldav: await providers.connectCaldav(person, 'mesh'),
  };
  await person.as(syncContract).createGroup({
    body: {
      name: 'All',
      enabled: true,
      rule: { futureDays: future },
      members: Object.values(calendars).map(({ calendarId }) => ({ calendarId, isSource: true, isTarget: true })),
      pairs: [],
    },
  });
}

async function pass(): Promise<void> {
  for (const { accountId } of Object.values(calendars)) {
    await person.as(syncContract).syncAccount({ params: { accountId } });
  }
  await server.settle(30_000);
}

const today = Temporal.Now.plainDateISO('UTC');
const day = (offset: number) => today.add({ days: offset });
const basic = (offset: number) => day(offset).toString().replaceAll('-', '');

/** Returns the content of each calendar, one word per kind. */
async function standing() {
  const [google, microsoft, caldav] = await Promise.all([
    providers.google.control.snapshot(),
    providers.microsoft.control.snapshot(),
    providers.caldav.snapshot(),
  ]);
  const atGoogle = google.accounts['mesh@google.example']?.calendars['mesh@google.example']?.events ?? [];
  const atMicrosoft = microsoft.accounts['mesh@microsoft.example']?.calendars.calendar?.events ?? [];
  const atCaldav = Object.values(caldav.users.mesh?.calendars.work?.objects ?? {});
  const isGoogleBlock = (event: Record<string, unknown>) =>
    JSON.stringify(event.extendedProperties ?? {}).includes('holdfast');
  return {
    google: {
      own: atGoogle.filter((event) => !isGoogleBlock(event) && event.recurringEventId === undefined).length,
      series: atGoogle.filter((event) => isGoogleBlock(event) && event.recurrence !== undefined),
      singles: atGoogle.filter((event) => isGoogleBlock(event) && event.recurrence === undefined),
    },
    microsoft: {
      own: atMicrosoft.filter((event) => event.transactionId === null).length,
      blocks: atMicrosoft.filter((event) => event.transactionId !== null),
    },
    caldav: {
      own: atCaldav.filter(({ body }) => !body.includes('X-HOLDFAST-MIRROR')).length,
      series: atCaldav.filter(({ body }) => body.includes('X-HOLDFAST-MIRROR') && body.includes('RRULE')),
      singles: atCaldav.filter(({ body }) => body.includes('X-HOLDFAST-MIRROR') && !body.includes('RRULE')),
    },
  };
}

async function countWrites(): Promise<{ google: string[]; microsoft: string[]; caldav: string[] }> {
  const writes = (list: { method: string; path: string }[]) =>
    list
      .filter(({ method, path }) => ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method) && /event|\.ics/.test(path))
      .map(({ method }) => method);
  const [google, microsoft, caldav] = await Promise.all([
    providers.google.control.ledger(seen.google),
    providers.microsoft.control.ledger(seen.microsoft),
    providers.caldav.ledger(seen.caldav),
  ]);
  seen = {
    google: seen.google + google.length,
    microsoft: seen.microsoft + microsoft.length,
    caldav: seen.caldav + caldav.length,
  };
  return { google: writes(google), microsoft: writes(microsoft), caldav: writes(caldav) };
}
let seen = { google: 0, microsoft: 0, caldav: 0 };
const nothing = { google: [], microsoft: [], caldav: [] };

const standup = (moved: string) => `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Test//EN
BEGIN:VEVENT
UID:standup
DTSTAMP:20260101T000000Z
SUMMARY:Standup
DTSTART:${basic(1)}T080000Z
DTEND:${basic(1)}T083000Z
RRULE:FREQ=DAILY;COUNT=6
END:VEVENT${moved}
END:VCALENDAR
`;
const movedTo = (hour: number) => `
BEGIN:VEVENT
UID:standup
DTSTAMP:20260101T000000Z
SUMMARY:Standup
RECURRENCE-ID:${basic(3)}T080000Z
DTSTART:${basic(3)}T${hour}0000Z
DTEND:${basic(3)}T${hour}3000Z
END:VEVENT`;
const putStandup = (moved: string) =>
  providers.caldav.act([
    {
      user: 'mesh',
      calendar: 'work',
      do: 'put',
      name: 'standup.ics',
      body: standup(moved).replaceAll(/\r?\n/g, '\r\n'),
    },
  ]);

test('a changed instance of a series updates the blocks at each provider with the fewest writes', async () => {
  await start();
  await putStandup('');
  await pass();
  let all = await standing();
  expect(all.google.series).toHaveLength(1);
  expect(all.google.singles).toHaveLength(0);
  expect(all.microsoft.blocks).toHaveLength(6);
  expect(all.microsoft.blocks.every(({ recurrence }) => recurrence === null)).toBe(true);
  await countWrites();

  // an instance is moved: the single block first, then the series lets go of it; Outlook's is moved in place
  await putStandup(movedTo(15));
  await pass();
  expect(await countWrites()).toEqual({ google: ['POST', 'PATCH'], microsoft: ['PATCH'], caldav: [] });
  all = await standing();
  expect(all.google.series[0]?.recurrence).toEqual([
    expect.stringContaining('RRULE:FREQ=DAILY;COUNT=6'),
    expect.stringMatching(new RegExp(`EXDATE.*${basic(3)}`)),
  ]);
  expect(all.google.singles).toHaveLength(1);
  const { id } = all.google.singles[0] ?? {};

  // moved again: one write each
  await putStandup(movedTo(16));
  await pass();
  expect(await countWrites()).toEqual({ google: ['PATCH'], microsoft: ['PATCH'], caldav: [] });
  expect((await standing()).google.singles[0]?.id).toBe(id);

  // put back: the series has it again before the single block goes
  await putStandup('');
  await pass();
  expect(await countWrites()).toEqual({ google: ['PATCH', 'DELETE'], microsoft: ['PATCH'], caldav: [] });
  all = await standing();
  expect(all.google.series[0]?.recurrence).toEqual([expect.stringContaining('RRULE')]);
  expect(all.google.singles).toEqual([]);
  expect(all.microsoft.blocks).toHaveLength(6);
  await pass();
  expect(await countWrites()).toEqual(nothing);
});

test('every event is blocked once in each other calendar, and a repeated sync writes nothing', async () => {
  await start();
  await providers.google.control.seed({
    account: 'mesh@google.example',
    calendars: [
      {
        events: [
          { summary: 'Dentist', start: `${day(2).toString()}T10:00:00` },
          {
            summary: 'Run',
            start: `${day(1).toString()}T07:00:00`,
            recurrence: ['RRULE:FREQ=DAILY;COUNT=4'],
            instances: { [`${day(2).toString()}T07:00:00`]: { start: `${day(2).toString()}T18:00:00` } },
          },
        ],
      },
    ],
  });
  await providers.microsoft.control.seed({
    account: 'mesh@microsoft.example',
    calendars: [
      {
        key: 'calendar',
        name: 'Calendar',
        isDefault: true,
        events: [
          { subject: 'Review', start: `${day(3).toString()}T13:00:00`, minutes: 30 },
          {
            subject: 'Planning',
            start: `${day(1).toString()}T11:00:00`,
            minutes: 30,
            repeat: { type: 'daily', count: 3 },
          },
        ],
      },
    ],
  });
  await putStandup(movedTo(15));
  for (let n = 0; n < 3; n += 1) await pass();
  const all = await standing();
  expect([all.google.own, all.microsoft.own, all.caldav.own]).toEqual([2, 2, 1]);
  // from Microsoft a single and a series, from CalDAV a series and its moved instance
  expect([all.google.series.length, all.google.singles.length]).toEqual([2, 2]);
  // from Google a single and four instances, from CalDAV six
  expect(all.microsoft.blocks).toHaveLength(11);
  expect([all.caldav.series.length, all.caldav.singles.length]).toEqual([2, 2]);
  await countWrites();
  await pass();
  expect(await countWrites()).toEqual(nothing);

  // every block is read back as if for the first time: nothing is taken for an event of its own
  await sql`update sync.pulls set cursor = null, want_listing = true`.execute(server.app.db);
  await pass();
  await pass();
  expect(await countWrites()).toEqual(nothing);
  const { rows } = await sql<{ state: string }>`select distinct state from sync.mirrors`.execute(server.app.db);
  expect(rows).toEqual([{ state: 'created' }]);
});
