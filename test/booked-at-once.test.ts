import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectionsContract } from '../src/features/connections/contract.ts';
import type { CalendarId } from '../src/kernel/ids.ts';
import { type Bookable, insertBookable } from './harness/bookable.ts';
import { startRadicale, startXandikos, whyMissing } from './harness/caldav-servers.ts';
import { startTestApp, type TestApp } from './harness/test-app.ts';
import { signUpUser, type TestUser } from './harness/test-client.ts';
import { launchThreeProviders, type ThreeProviders } from './harness/three-providers.ts';

/** A guest never gets a time that a provider has already accepted for another event, however short ago. */

const minute = 60_000;
let providers: ThreeProviders;
beforeAll(async () => {
  providers = await launchThreeProviders('http://localhost');
  // notifications would have the calendars read without a booking
  for (const { control } of [providers.google, providers.microsoft]) await control.deliver({ do: 'lose', share: 1 });
}, 60_000);
afterAll(async () => providers.close());

interface Place {
  server: TestApp;
  host: TestUser;
  calendarId: CalendarId;
  /** Stores a busy half hour at the provider. Resolves once the provider has accepted it. */
  put(startMs: number): Promise<void>;
  close(): Promise<void>;
}

const isoOf = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString({ smallestUnit: 'second' });
const fileOf = (startMs: number) => {
  const at = (ms: number) => isoOf(ms).replaceAll(/[-:]/g, '');
  const uid = randomUUID();
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//t//t//EN', 'BEGIN:VEVENT', `UID:${uid}`];
  lines.push(
    `DTSTAMP:${at(startMs)}`,
    `DTSTART:${at(startMs)}`,
    `DTEND:${at(startMs + 30 * minute)}`,
    'SUMMARY:Dentist',
  );
  return { uid, text: `${[...lines, 'END:VEVENT', 'END:VCALENDAR'].join('\r\n')}\r\n` };
};

async function atCaldav(launch: typeof startXandikos): Promise<Place> {
  const caldav = await launch();
  const url = await caldav.createCalendar('Work');
  const server = await startTestApp({ config: { caldavAllowPrivate: [new URL(caldav.url).host] } });
  const host = await signUpUser(server, 'host@example.org');
  const connections = host.as(connectionsContract);
  const { username, password } = caldav;
  await connections.connectCaldav({ body: { profile: 'generic', url: caldav.url, username, password } });
  const { calendars } = await connections.listIntegrationCalendars();
  const calendar = calendars.find(({ name }) => name === 'Work');
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  return {
    server,
    host,
    calendarId: calendar?.calendarId as CalendarId,
    put: async (startMs) => {
      const { uid, text } = fileOf(startMs);
      const headers = { authorization, 'content-type': 'text/calendar' };
      const { status } = await fetch(`${url}${uid}.ics`, { method: 'PUT', headers, body: text });
      expect(status).toBe(201);
    },
    close: async () => {
      await server.close();
      await caldav.stop();
    },
  };
}

async function atOAuth(provider: 'google' | 'microsoft'): Promise<Place> {
  const server = await startTestApp({ config: { publicUrl: 'http://localhost', ...providers.config } });
  const host = await signUpUser(server, 'host@example.org');
  const { calendarId } = await providers.connect(server, host, provider, 'host');
  const account = `host@${provider}.example`;
  const put = async (startMs: number) => {
    // the seeded Google account is in Berlin, and the mailbox in UTC
    const zone = provider === 'google' ? 'Europe/Berlin' : 'UTC';
    const at = Temporal.Instant.fromEpochMilliseconds(startMs).toZonedDateTimeISO(zone);
    const start = at.toPlainDateTime().toString({ smallestUnit: 'second' });
    if (provider === 'google') {
      const event = { summary: 'Dentist', start, minutes: 30 };
      await providers.google.control.act({ account, do: 'create', event });
    } else {
      const event = { subject: 'Dentist', start, minutes: 30, zone: 'UTC' };
      await providers.microsoft.control.act({ account, do: 'create', calendar: 'calendar', event });
    }
  };
  return { server, host, calendarId, put, close: () => server.close() };
}

async function atFeed(): Promise<Place> {
  const starts: number[] = [];
  const publisher = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/calendar' });
    const events = starts.map((startMs) => /BEGIN:VEVENT.*END:VEVENT\r\n/s.exec(fileOf(startMs).text)?.[0]);
    response.end(`BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//t//EN\r\n${events.join('')}END:VCALENDAR\r\n`);
  });
  await new Promise<void>((resolve) => publisher.listen(0, '127.0.0.1', resolve));
  const { port } = publisher.address() as { port: number };
  const server = await startTestApp({ config: { caldavAllowPrivate: [`127.0.0.1:${port}`] } });
  const host = await signUpUser(server, 'host@example.org');
  const connections = host.as(connectionsContract);
  await connections.connectFeed({ body: { url: `http://127.0.0.1:${port}/rota.ics` } });
  const { calendars } = await connections.listIntegrationCalendars();
  return {
    server,
    host,
    calendarId: calendars[0]?.calendarId as CalendarId,
    put: (startMs) => Promise.resolve(void starts.push(startMs)),
    close: async () => {
      await server.close();
      await new Promise((resolve) => publisher.close(resolve));
    },
  };
}

const places: [string, string | null, () => Promise<Place>][] = [
  ['radicale', whyMissing('radicale'), () => atCaldav(startRadicale)],
  ['xandikos', whyMissing('xandikos'), () => atCaldav(startXandikos)],
  ['google', null, () => atOAuth('google')],
  ['microsoft', null, () => atOAuth('microsoft')],
  ['feed', null, atFeed],
];

async function offered({ server }: Place, { path }: Bookable): Promise<number[]> {
  const from = Math.floor(Temporal.Now.instant().epochMilliseconds / minute) + 14 * 1_440;
  const answer = await server.inject({ url: `${path}/slots?from=${from}&to=${from + 7 * 1_440}` });
  return answer.json<{ starts: number[] }>().starts;
}

let guests = 0;
async function book({ server }: Place, { path }: Bookable, start: number): Promise<number> {
  guests += 1;
  const payload = { start, name: `Guest ${guests}`, email: `guest-${guests}@example.net`, zone: 'UTC' };
  const { statusCode } = await server.inject({
    method: 'POST',
    url: `${path}/bookings`,
    payload,
    remoteAddress: `10.0.0.${guests}`,
  });
  return statusCode;
}

test.each(places)('what %s accepted just before is not booked over', { timeout: 60_000 }, async (_, missing, open) => {
  if (missing !== null) return;
  const place = await open();
  try {
    await place.server.settle(30_000);
    const bookable = await insertBookable(place.server, place.host, 'intro', {
      blocking_calendar_ids: [place.calendarId],
    });
    const starts = await offered(place, bookable);
    const [first = 0, second = 0, third = 0, free = 0] = starts.filter((_, n) => n % 2 === 0);
    await place.put(first * minute);
    expect(await book(place, bookable, first)).toBe(409);
    // within the second of the reading before
    await place.put(second * minute);
    expect(await book(place, bookable, second)).toBe(409);
    expect(await book(place, bookable, free)).toBe(201);
    // beside a reading that began before the event was there
    const beside = book(place, bookable, starts.at(-1) ?? 0);
    await place.put(third * minute);
    const [status] = await Promise.all([book(place, bookable, third), beside]);
    expect(status).toBe(409);
  } finally {
    await place.close();
  }
});
