import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LaunchedEmulator, launch } from '../src/emulators/caldav/launch.ts';
import { calendarContract } from '../src/features/calendar/contract.ts';
import { connectionsContract } from '../src/features/connections/contract.ts';
import { editsContract } from '../src/features/edits/contract.ts';
import { type Holdfast, killAll, spawnHoldfast } from './harness/spawn-holdfast.ts';
import { startTestApp, type TestApp } from './harness/test-app.ts';
import { signUpUser, type TestUser } from './harness/test-client.ts';

/** A real worker dies at the n-th write of what a person entered, before the server has taken it or after. */

let emulator: LaunchedEmulator;
let server: TestApp;
let worker: Holdfast;
let person: TestUser;
const keys = `test:${randomBytes(32).toString('base64')}`;

beforeAll(async () => {
  emulator = await launch();
  const { host } = new URL(emulator.url);
  server = await startTestApp({ role: 'web', encryptionKeys: keys, config: { caldavAllowPrivate: [host] } });
  worker = await startWorker();
  person = await signUpUser(server, 'crash@example.org');
}, 60_000);
afterAll(async () => {
  killAll();
  await server.close();
  await emulator.stop();
});

const startWorker = () =>
  spawnHoldfast({
    args: ['--role', 'worker'],
    env: {
      DATABASE_URL: server.database.url,
      ENCRYPTION_KEYS: keys,
      CALDAV_ALLOW_PRIVATE: new URL(emulator.url).host,
    },
  });

const today = Temporal.Now.plainDateISO('UTC');
const day = (offset: number) => today.add({ days: offset }).toString();
const object = (name: string, offset: number, more = '') => ({
  name: `${name}.ics`,
  body: [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Test//EN',
    'BEGIN:VEVENT',
    `UID:${name}`,
    'DTSTAMP:20260101T000000Z',
    `SUMMARY:${name}`,
    `DTSTART:${day(offset).replaceAll('-', '')}T100000Z`,
    `DTEND:${day(offset).replaceAll('-', '')}T110000Z${more}`,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n'),
});

/** Enters edits that take five writes: a creation, a change, a split of a series, a deletion. */
async function enter(calendarId: string): Promise<void> {
  const edits = person.as(editsContract);
  const range = { from: `${day(0)}T00:00:00Z`, to: `${day(40)}T00:00:00Z` };
  const list = async () =>
    (await person.as(calendarContract).listEvents({ query: { ...range, calendar_ids: calendarId } })).events;
  await expect.poll(async () => (await list()).length, { timeout: 30_000, interval: 50 }).toBe(6);
  const events = await list();
  const find = (title: string, nth = 0) => {
    const event = events.filter((one) => one.title === title)[nth];
    if (event === undefined) throw new Error(`no ${title}`);
    return event;
  };
  const change = (event: (typeof events)[number], scope: 'all' | 'following', changes: object) =>
    edits.changeEvent({
      params: { id: event.event_id },
      body: { scope, version: event.version, tell_guests: false, changes },
    });
  await edits.createEvent({
    body: {
      calendar_id: calendarId,
      title: 'new',
      when: { kind: 'timed', start: `${day(5)}T09:00`, end: `${day(5)}T10:00`, zone: 'UTC' },
      recurrence: null,
      description: '',
      location: '',
      meeting_link: null,
      attendees: [],
      busy: 'busy',
      private: false,
      reminders: null,
      tell_guests: false,
    },
  });
  await change(find('plain'), 'all', { title: 'renamed' });
  await change(find('weekly', 2), 'following', { title: 'other' });
  const gone = find('gone');
  const { edit } = await edits.deleteEvent({
    params: { id: gone.event_id },
    query: { scope: 'all', version: gone.version, tell_guests: 'false' },
  });
  await edits.retryEdit({ params: { edit_id: edit.edit_id } });
}

/** The calendar as its server has it, without what differs between any two runs. */
async function standing(user: string): Promise<string[]> {
  const { users } = await emulator.snapshot();
  const objects = Object.values(users[user]?.calendars.work?.objects ?? {});
  return objects
    .map(({ body }) =>
      body
        .split('\r\n')
        .filter((line) => /^(SUMMARY|DTSTART|RRULE)/.test(line))
        .sort()
        .join(' '),
    )
    .sort();
}

async function run(user: string, crash: { nth: number; phase: 'before' | 'after' }): Promise<string[]> {
  const objects = [object('plain', 2), object('gone', 3), object('weekly', 4, '\r\nRRULE:FREQ=WEEKLY;COUNT=4')];
  await emulator.seed([{ user, calendar: 'work', objects }]);
  const { account } = await person.as(connectionsContract).connectCaldav({
    body: { profile: 'generic', url: emulator.url, username: user, password: 'secret' },
  });
  const { calendars } = await person.as(connectionsContract).listIntegrationCalendars();
  const calendarId = calendars.find((one) => one.accountId === account.accountId)?.calendarId ?? '';
  const path = `/calendars/${user}/`;
  const hold = await emulator.hold({ op: 'write', path, nth: crash.nth });
  await enter(calendarId);
  await hold.parked();
  worker.kill('SIGKILL');
  await worker.exited;
  await hold.release(crash.phase === 'before' ? 'drop' : 'apply-and-reset');
  worker = await startWorker();
  const range = { from: `${day(0)}T00:00:00Z`, to: `${day(40)}T00:00:00Z` };
  const states = async () => {
    const { edits } = await person.as(editsContract).listEdits({ query: range });
    return edits.filter((one) => one.calendar_id === calendarId).map((one) => one.state);
  };
  await expect.poll(states, { timeout: 30_000, interval: 50 }).toEqual(['done', 'done', 'done', 'done']);
  return standing(user);
}

test('an edit whose worker is killed at a write is neither lost nor done twice', {
  timeout: 180_000,
}, async () => {
  // the creation, the new half of the series, the end of its old half, the deletion
  const crashes = [
    { nth: 1, phase: 'after' },
    { nth: 3, phase: 'before' },
    { nth: 4, phase: 'after' },
    { nth: 5, phase: 'after' },
  ] as const;
  for (const crash of crashes) {
    const what = JSON.stringify(crash);
    const left = (await run(`c${crash.nth}`, crash)).map((one) => one.replaceAll(/DTSTART[^:]*:/g, 'at '));
    const at = (offset: number, time: string) => `at ${day(offset).replaceAll('-', '')}T${time}0000Z`;
    expect(left, what).toEqual([
      `${at(2, '10')} SUMMARY:renamed`,
      `${at(4, '10')} RRULE:FREQ=WEEKLY;COUNT=2 SUMMARY:weekly`,
      `${at(5, '09')} SUMMARY:new`,
      `${at(18, '10')} RRULE:FREQ=WEEKLY;COUNT=2 SUMMARY:other`,
    ]);
  }
});
