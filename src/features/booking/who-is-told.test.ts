import ICAL from 'ical.js';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BookingId, CalendarId, EventTypeId, TeamId, UserId } from '#kernel/ids.ts';
import { inTransaction } from '#platform/db.ts';
import { insertBookable } from '../../../test/harness/bookable.ts';
import { insertTeam, insertTeamType } from '../../../test/harness/bookable-team.ts';
import { builtPages } from '../../../test/harness/built-pages.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { type ReceivedMail, startSmtpServer, type TestSmtpServer } from '../../../test/harness/smtp-server.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { availabilityContract } from '../availability/contract.ts';
import { defaultHours, type Hours, weekdays } from '../availability/rules/hours.ts';
import { connectionsContract } from '../connections/contract.ts';
import { inboxContract } from '../inbox/contract.ts';
import { refreshNotices } from '../inbox/notices.ts';
import { writeInviteToken } from './brought/links.ts';
import { bookingContract } from './contract.ts';
import { expireBookings } from './expire-bookings.ts';
import { followEvent } from './follow-event.ts';
import { remindPeople } from './remind-people.ts';
import { bookingTokenPlace } from './rules/booking-address.ts';
import type { TypeSettings } from './rules/type-settings.ts';
import { findBooking } from './store/bookings.ts';
import { keepHosts } from './store/hosts.ts';
import { listWatchedIn } from './store/watched.ts';
import { writeProof } from './write-proof.ts';

/**
 * Readers of every mail about a booking, over a real SMTP server: every act by everybody who may do it. Hosts who get one
 * find the booking in their notifications too.
 */

const minute = 60_000;
const day = 86_400_000;
const began = '2027-03-01T08:00:00Z';
const clock = fixedClock(began);
/** Where the meeting is: known to guests while it is confirmed. */
const joinUrl = 'https://whereby.com/panel-8842';
/** A Monday, 9:00 in New York. */
const nine = Date.UTC(2027, 2, 8, 14);

/**
 * Guests read in the zone and language of the booker, everybody else in their own. No two zones show the same hour.
 * Hugo and Hana host. Hiro can take over. Olga owns the team, Adam is an admin of it, and Vera may only look.
 */
const readers = {
  hugo: { role: 'editor', zone: 'Europe/Berlin', locale: 'de' },
  hana: { role: 'editor', zone: 'Asia/Tokyo', locale: 'ja' },
  hiro: { role: 'viewer', zone: 'Asia/Dubai', locale: 'fr' },
  olga: { role: 'owner', zone: 'America/Chicago', locale: 'en' },
  adam: { role: 'admin', zone: 'Pacific/Auckland', locale: 'en' },
  vera: { role: 'viewer', zone: 'America/Sao_Paulo', locale: 'en' },
} as const;
type Member = keyof typeof readers;
const members = Object.keys(readers) as Member[];
const booker = { zone: 'Asia/Kolkata', locale: 'es' } as const;
const guests = ['one', 'two', 'three'] as const;
type Reader = 'booker' | (typeof guests)[number] | Member;

/**
 * A row of the matrix. `given` leads up to the `act`. `hears` has all who get mails about the act, by the kind of their
 * mail and the method of its calendar part; `guests` stands for each of the three whom the booker brings. No other
 * reader gets a mail. `wants` are those who want no reminders.
 */
interface Row {
  act: string;
  given?: string[];
  hears: Partial<Record<Reader | 'guests', string>>;
  settings?: Partial<TypeSettings>;
  kind?: 'collective' | 'round-robin';
  silent?: Member[];
}

const asks = { confirmation: true } as const;
const weekly = { recurring: { max: 3, every: 'week' } } as const;
const single = 'round-robin' as const;
const booked = ['book'];
const accepted = ['book', 'confirm by hugo'];
/** Confirmed once, and moved by the guest to a time that nobody has confirmed. */
const waiting = [...accepted, 'move by guest'];

const rows: Row[] = [
  // the first mail proves the address; nobody else hears of an address that nobody proved
  { act: 'ask', hears: { booker: 'mail-wanted' } },
  { act: 'cancel by guest', given: ['ask'], hears: {} },
  { act: 'expire', given: ['ask'], hears: {} },

  {
    act: 'book',
    hears: { booker: 'confirmed REQUEST', guests: 'confirmed REQUEST', hugo: 'confirmed', hana: 'confirmed' },
  },
  { act: 'book', settings: asks, hears: { booker: 'requested', hugo: 'requested', hana: 'requested' } },
  {
    act: 'book 3 times',
    settings: weekly,
    hears: { booker: 'confirmed REQUEST', guests: 'confirmed REQUEST', hugo: 'confirmed', hana: 'confirmed' },
  },

  // the second time is Hiro's
  {
    act: 'book 2 times',
    given: ['hugo is off next week'],
    kind: single,
    settings: weekly,
    hears: { booker: 'confirmed REQUEST', guests: 'confirmed REQUEST', hugo: 'confirmed', hiro: 'confirmed' },
  },

  // the host who answers is not notified; every other host is
  ...(['hugo', 'hana', 'olga', 'adam'] as const).map((who) => ({
    act: `confirm by ${who}`,
    given: booked,
    settings: asks,
    hears: without(who, {
      booker: 'confirmed REQUEST',
      guests: 'confirmed REQUEST',
      hugo: 'confirmed',
      hana: 'confirmed',
    }),
  })),
  ...(['hugo', 'hana', 'olga', 'adam'] as const).map((who) => ({
    act: `decline by ${who}`,
    given: booked,
    settings: asks,
    hears: without(who, { booker: 'declined', hugo: 'declined', hana: 'declined' }),
  })),
  { act: 'expire', given: booked, settings: asks, hears: { booker: 'expired', hugo: 'expired', hana: 'expired' } },
  {
    act: 'cancel by guest',
    given: booked,
    settings: asks,
    hears: { booker: 'cancelled', hugo: 'cancelled', hana: 'cancelled' },
  },
  { act: 'confirm by vera', given: booked, settings: asks, hears: {} },

  ...(['guest', 'hugo', 'hana', 'olga', 'adam'] as const).map((who) => ({
    act: `move by ${who}`,
    given: booked,
    hears: without(who, {
      booker: 'rescheduled REQUEST',
      guests: 'rescheduled REQUEST',
      hugo: 'rescheduled',
      hana: 'rescheduled',
    }),
  })),
  ...(['guest', 'hugo', 'hana', 'olga', 'adam'] as const).map((who) => ({
    act: `cancel by ${who}`,
    given: booked,
    hears: without(who, {
      booker: 'cancelled CANCEL',
      guests: 'cancelled CANCEL',
      hugo: 'cancelled',
      hana: 'cancelled',
    }),
  })),
  { act: 'move by vera', given: booked, hears: {} },
  { act: 'cancel by vera', given: booked, hears: {} },
  { act: 'move to where it is by guest', given: booked, hears: {} },
  { act: 'move to where it is by hugo', given: booked, hears: {} },
  // a confirmed meeting that its guest moves is in no calendar until a host confirms the new time
  {
    act: 'move by guest',
    given: accepted,
    settings: asks,
    hears: {
      booker: 'rescheduled-pending CANCEL',
      guests: 'rescheduled-pending CANCEL',
      hugo: 'rescheduled-pending',
      hana: 'rescheduled-pending',
    },
  },
  // guests who lost the confirmed time hear of each time that is requested after it
  ...(['guest', 'hugo'] as const).map((who) => ({
    act: `move again by ${who}`,
    given: waiting,
    settings: asks,
    hears: without(who, {
      booker: 'rescheduled-pending CANCEL',
      guests: 'rescheduled-pending CANCEL',
      hugo: 'rescheduled-pending',
      hana: 'rescheduled-pending',
    }),
  })),
  {
    act: 'move again by guest',
    given: ['book'],
    settings: asks,
    hears: { booker: 'rescheduled-pending', hugo: 'rescheduled-pending', hana: 'rescheduled-pending' },
  },
  {
    act: 'confirm by hana',
    given: waiting,
    settings: asks,
    hears: { booker: 'confirmed REQUEST', guests: 'confirmed REQUEST', hugo: 'confirmed' },
  },
  {
    act: 'decline by hugo',
    given: waiting,
    settings: asks,
    hears: { booker: 'declined CANCEL', guests: 'declined CANCEL', hana: 'declined' },
  },
  {
    act: 'expire',
    given: waiting,
    settings: asks,
    hears: { booker: 'expired CANCEL', guests: 'expired CANCEL', hugo: 'expired', hana: 'expired' },
  },
  {
    act: 'cancel by guest',
    given: waiting,
    settings: asks,
    hears: { booker: 'cancelled CANCEL', guests: 'cancelled CANCEL', hugo: 'cancelled', hana: 'cancelled' },
  },
  {
    act: 'cancel by olga',
    given: waiting,
    settings: asks,
    hears: { booker: 'cancelled CANCEL', guests: 'cancelled CANCEL', hugo: 'cancelled', hana: 'cancelled' },
  },
  {
    act: 'reassign hana to hiro by olga',
    given: waiting,
    settings: asks,
    hears: { booker: 'requested', hugo: 'hosts-changed', hana: 'handed-over', hiro: 'requested' },
  },

  // one of several times, or this and the later ones
  {
    act: 'cancel by guest',
    given: ['book 3 times'],
    settings: weekly,
    hears: { booker: 'cancelled CANCEL', guests: 'cancelled CANCEL', hugo: 'cancelled', hana: 'cancelled' },
  },
  {
    act: 'cancel the second and following by guest',
    given: ['book 3 times'],
    settings: weekly,
    hears: { booker: 'cancelled REQUEST', guests: 'cancelled REQUEST', hugo: 'cancelled', hana: 'cancelled' },
  },
  {
    act: 'cancel following by guest',
    given: ['book 3 times'],
    settings: weekly,
    hears: { booker: 'cancelled CANCEL', guests: 'cancelled CANCEL', hugo: 'cancelled', hana: 'cancelled' },
  },
  // a host too: the others are told once, with all dates
  ...(['hugo', 'hana', 'olga', 'adam'] as const).flatMap((who) => [
    {
      act: `cancel following by ${who}`,
      given: ['book 3 times'],
      settings: weekly,
      hears: without(who, {
        booker: 'cancelled CANCEL',
        guests: 'cancelled CANCEL',
        hugo: 'cancelled',
        hana: 'cancelled',
      }),
    },
    {
      act: `cancel the second and following by ${who}`,
      given: ['book 3 times'],
      settings: weekly,
      hears: without(who, {
        booker: 'cancelled REQUEST',
        guests: 'cancelled REQUEST',
        hugo: 'cancelled',
        hana: 'cancelled',
      }),
    },
  ]),
  { act: 'cancel following by vera', given: ['book 3 times'], settings: weekly, hears: {} },
  {
    act: 'cancel following by hugo',
    given: ['book 3 times'],
    settings: { ...weekly, ...asks },
    hears: { booker: 'cancelled', hana: 'cancelled' },
  },
  // dates of another host are not theirs to cancel or confirm
  {
    act: 'cancel following by hugo',
    given: ['hugo is off next week', 'book 2 times'],
    kind: single,
    settings: weekly,
    hears: { booker: 'cancelled CANCEL', guests: 'cancelled CANCEL' },
  },
  {
    act: 'cancel following by olga',
    given: ['hugo is off next week', 'book 2 times'],
    kind: single,
    settings: weekly,
    hears: { booker: 'cancelled CANCEL', guests: 'cancelled CANCEL', hugo: 'cancelled', hiro: 'cancelled' },
  },
  {
    act: 'confirm all by hugo',
    given: ['hugo is off next week', 'book 2 times'],
    kind: single,
    settings: { ...weekly, ...asks },
    hears: { booker: 'confirmed REQUEST', guests: 'confirmed REQUEST' },
  },
  {
    act: 'decline all by hugo',
    given: ['hugo is off next week', 'book 2 times'],
    kind: single,
    settings: { ...weekly, ...asks },
    hears: { booker: 'declined' },
  },
  {
    act: 'move by guest',
    given: ['book 3 times', 'confirm all by hugo'],
    settings: { ...weekly, ...asks },
    hears: {
      booker: 'rescheduled-pending CANCEL',
      guests: 'rescheduled-pending CANCEL',
      hugo: 'rescheduled-pending',
      hana: 'rescheduled-pending',
    },
  },
  {
    act: 'confirm all by olga',
    given: ['book 3 times'],
    settings: { ...weekly, ...asks },
    hears: { booker: 'confirmed REQUEST', guests: 'confirmed REQUEST', hugo: 'confirmed', hana: 'confirmed' },
  },

  {
    act: 'confirm by hugo',
    given: ['book 3 times'],
    settings: { ...weekly, ...asks },
    hears: { booker: 'confirmed REQUEST', guests: 'confirmed REQUEST', hana: 'confirmed' },
  },
  {
    act: 'decline all by olga',
    given: ['book 3 times'],
    settings: { ...weekly, ...asks },
    hears: { booker: 'declined', hugo: 'declined', hana: 'declined' },
  },
  ...(['guest', 'hugo', 'olga'] as const).map((who) => ({
    act: `move the second by ${who}`,
    given: ['book 3 times'],
    settings: weekly,
    hears: without(who, {
      booker: 'rescheduled REQUEST',
      guests: 'rescheduled REQUEST',
      hugo: 'rescheduled',
      hana: 'rescheduled',
    }),
  })),

  // a brought guest leaves, and the meeting takes place
  ...(['one', 'two', 'three'] as const).map((who) => ({
    act: `decline by ${who}`,
    given: booked,
    hears: { booker: 'guest-declined', [who]: 'left CANCEL' },
  })),
  { act: 'decline by two', given: [...booked, 'decline by two'], hears: {} },
  {
    act: 'decline by two',
    given: [...booked, 'decline by one', 'move by hugo'],
    hears: { booker: 'guest-declined', two: 'left CANCEL' },
  },
  // calendars lost the meeting as it was moved
  { act: 'decline by one', given: waiting, settings: asks, hears: { booker: 'guest-declined', one: 'left' } },
  { act: 'decline by one', given: [...booked, 'cancel by guest'], hears: {} },
  {
    act: 'move by hugo',
    given: [...booked, 'decline by two'],
    hears: {
      booker: 'rescheduled REQUEST',
      one: 'rescheduled REQUEST',
      three: 'rescheduled REQUEST',
      hana: 'rescheduled',
    },
  },
  {
    act: 'remind',
    given: [...booked, 'decline by one'],
    hears: { booker: 'reminder', two: 'reminder', three: 'reminder', hugo: 'reminder', hana: 'reminder' },
  },
  {
    act: 'decline by one',
    given: ['book 3 times'],
    settings: weekly,
    hears: { booker: 'guest-declined', one: 'left CANCEL' },
  },
  {
    act: 'decline by one',
    given: ['book 3 times', 'cancel the second and following by guest'],
    settings: weekly,
    hears: { booker: 'guest-declined', one: 'left CANCEL' },
  },
  {
    act: 'cancel following by hugo',
    given: ['book 3 times', 'decline by three'],
    settings: weekly,
    hears: { booker: 'cancelled CANCEL', one: 'cancelled CANCEL', two: 'cancelled CANCEL', hana: 'cancelled' },
  },

  // another host: new for one, over for another, and a change for those who stay
  {
    act: 'reassign hugo to hiro by olga',
    given: booked,
    kind: single,
    hears: { booker: 'reassigned REQUEST', guests: 'reassigned REQUEST', hiro: 'reassigned', hugo: 'handed-over' },
  },
  // a host who gives their own meeting away knows
  {
    act: 'reassign hugo to hiro by hugo',
    given: booked,
    kind: single,
    hears: { booker: 'reassigned REQUEST', guests: 'reassigned REQUEST', hiro: 'reassigned' },
  },
  {
    act: 'reassign hana to hiro by adam',
    given: booked,
    hears: {
      booker: 'reassigned REQUEST',
      guests: 'reassigned REQUEST',
      hiro: 'reassigned',
      hana: 'handed-over',
      hugo: 'hosts-changed',
    },
  },
  {
    act: 'reassign hugo to hiro by olga',
    given: booked,
    kind: single,
    settings: asks,
    hears: { booker: 'requested', hiro: 'requested', hugo: 'handed-over' },
  },
  {
    act: 'hand over hugo to hiro by olga',
    given: booked,
    kind: single,
    hears: { booker: 'reassigned REQUEST', guests: 'reassigned REQUEST', hiro: 'reassigned', hugo: 'handed-over' },
  },
  // Hugo is not free at the new time
  {
    act: 'move by guest',
    given: ['book', 'hugo is busy later'],
    kind: single,
    hears: { booker: 'rescheduled REQUEST', guests: 'rescheduled REQUEST', hiro: 'reassigned', hugo: 'handed-over' },
  },
  {
    act: 'move by guest',
    given: ['book', 'confirm by hugo', 'hugo is busy later'],
    kind: single,
    settings: asks,
    hears: {
      booker: 'rescheduled-pending CANCEL',
      guests: 'rescheduled-pending CANCEL',
      hiro: 'requested',
      hugo: 'handed-over',
    },
  },

  {
    act: 'remind',
    given: booked,
    hears: { booker: 'reminder', guests: 'reminder', hugo: 'reminder', hana: 'reminder' },
  },
  {
    act: 'remind',
    given: booked,
    silent: ['hana'],
    hears: { booker: 'reminder', guests: 'reminder', hugo: 'reminder' },
  },
  { act: 'remind', given: booked, silent: ['hugo', 'hana'], hears: { booker: 'reminder', guests: 'reminder' } },
  { act: 'remind', given: booked, settings: asks, hears: {} },
  { act: 'remind', given: waiting, settings: asks, hears: {} },
  { act: 'remind', given: ['book', 'cancel by guest'], hears: {} },
  {
    act: 'remind',
    given: ['book', 'reassign hugo to hiro by olga'],
    kind: single,
    hears: { booker: 'reminder', guests: 'reminder', hiro: 'reminder' },
  },
  { act: 'remind', given: booked, settings: { reminders_minutes: [] }, hears: {} },
  // hosts without reminders hear of everything else
  {
    act: 'move by guest',
    given: booked,
    silent: ['hugo', 'hana'],
    hears: {
      booker: 'rescheduled REQUEST',
      guests: 'rescheduled REQUEST',
      hugo: 'rescheduled',
      hana: 'rescheduled',
    },
  },

  // a brought guest who stopped mails gets none, and the others get theirs
  {
    act: 'move by hugo',
    given: [...booked, 'stop by two'],
    hears: {
      booker: 'rescheduled REQUEST',
      one: 'rescheduled REQUEST',
      three: 'rescheduled REQUEST',
      hana: 'rescheduled',
    },
  },
  {
    act: 'cancel by guest',
    given: [...booked, 'stop by one'],
    hears: {
      booker: 'cancelled CANCEL',
      two: 'cancelled CANCEL',
      three: 'cancelled CANCEL',
      hugo: 'cancelled',
      hana: 'cancelled',
    },
  },
  {
    act: 'remind',
    given: [...booked, 'stop by three'],
    hears: { booker: 'reminder', one: 'reminder', two: 'reminder', hugo: 'reminder', hana: 'reminder' },
  },
  { act: 'decline by two', given: [...booked, 'stop by two'], hears: { booker: 'guest-declined' } },

  // the message form of the guest's page
  { act: 'write by guest', given: booked, hears: { hugo: 'message', hana: 'message' } },
  { act: 'write by guest', given: booked, silent: ['hugo', 'hana'], hears: { hugo: 'message', hana: 'message' } },
  { act: 'write by guest', given: booked, settings: asks, hears: { hugo: 'message', hana: 'message' } },
  {
    act: 'write by guest',
    given: [...booked, 'reassign hugo to hiro by olga'],
    kind: single,
    hears: { hiro: 'message' },
  },

  { act: 'no-show by hugo', given: booked, hears: {} },
  { act: 'no-show of the host by olga', given: booked, hears: {} },
  { act: 'no-show by olga', given: booked, hears: {} },

  // every host has the event in a calendar
  ...(['hugo', 'hana'] as const).flatMap((who) => [
    {
      act: `move in the calendar of ${who}`,
      given: [`${who} has a calendar`, 'book'],
      settings: { when_moved: 'follow' as const },
      hears: without(who, {
        booker: 'rescheduled REQUEST',
        guests: 'rescheduled REQUEST',
        hugo: 'rescheduled',
        hana: 'rescheduled',
      }),
    },
    {
      act: `delete in the calendar of ${who}`,
      given: [`${who} has a calendar`, 'book'],
      settings: { when_deleted: 'cancel' as const },
      hears: without(who, {
        booker: 'cancelled CANCEL',
        guests: 'cancelled CANCEL',
        hugo: 'cancelled',
        hana: 'cancelled',
      }),
    },
    {
      act: `delete in the calendar of ${who}`,
      given: [`${who} has a calendar`, 'book'],
      settings: { when_deleted: 'ask' as const },
      hears: { [who]: 'question' },
    },
  ]),
];

/** Notifications that come with the mail of a host, by the kind of the mail. */
const notified: Readonly<Record<string, string>> = {
  requested: 'requested',
  'rescheduled-pending': 'requested',
  confirmed: 'booked',
  rescheduled: 'booked',
  reassigned: 'booked',
  'hosts-changed': 'booked',
  cancelled: 'cancelled',
};

function without(who: string, hears: Row['hears']): Row['hears'] {
  return Object.fromEntries(Object.entries(hears).filter(([reader]) => reader !== who));
}

let server: TestApp;
let smtp: TestSmtpServer;
let people: Record<Member, TestUser>;
let teamId: TeamId;
beforeAll(async () => {
  smtp = await startSmtpServer();
  server = await startTestApp({ clock, config: { smtpUrl: smtp.url }, http: { pageRoot: await builtPages() } });
  const made: [Member, TestUser][] = [];
  for (const name of members) {
    const user = await signUpUser(server, `${name}@example.org`);
    const { zone, locale } = readers[name];
    await sql`update accounts.users set name = ${name}, zone = ${zone}, locale = ${locale}, time_format = '24h'
      where id = ${user.userId}`.execute(server.app.db);
    made.push([name, user]);
  }
  people = Object.fromEntries(made) as Record<Member, TestUser>;
  const hours: Hours = {
    ...defaultHours('UTC'),
    weekly: Object.fromEntries(
      weekdays.map((one) => [one, { enabled: true, intervals: [{ start: '09:00', end: '22:00' }] }]),
    ) as Hours['weekly'],
  };
  for (const name of ['hugo', 'hana', 'hiro'] as const)
    await people[name].as(availabilityContract).createPolicy({ body: { name: 'Open', hours, note: '', apply: true } });
  teamId = await insertTeam(
    server,
    'sales',
    members.map((name) => ({ user: people[name], role: readers[name].role })),
  );
  await server.settle();
});
afterAll(async () => {
  await server.close();
  await smtp.close();
});

/** One booking and everything that is done to it. */
interface Story {
  row: Row;
  path: string;
  typeId: EventTypeId;
  email: string;
  brought: string[];
  /** Position in the inbox before it began. */
  since: number;
}

let numbers = 0;
/** Secrets of the guests of all stories, by whose they are. */
const secrets: { owner: string; secret: string }[] = [];

async function begin(row: Row): Promise<Story> {
  numbers += 1;
  await server.settle();
  clock.set(began);
  await sql`truncate booking.appointments, platform.limits cascade`.execute(server.app.db);
  await sql`delete from calendar.items`.execute(server.app.db);
  await sql`delete from availability.days_off`.execute(server.app.db);
  const { kind = 'collective' } = row;
  const hosts = kind === 'collective' ? ['hugo', 'hana'] : ['hugo', 'hiro'];
  const { path, typeId } = await insertTeamType(
    server,
    { teamId, handle: 'sales' },
    hosts.map((name, n) => ({ user: people[name as Member], priority: n + 1 })),
    {
      kind,
      slug: `panel-${numbers}`,
      location: { kind: 'link', url: joinUrl },
      guests_allowed: 3,
      ...row.settings,
    },
  );
  return {
    row,
    path,
    typeId,
    email: `booker-${numbers}@example.net`,
    brought: guests.map((name) => `${name}-${numbers}@example.net`),
    since: smtp.received.length,
  };
}

async function post(url: string, payload: object, who?: Member) {
  const headers = who === undefined ? {} : { authorization: `Bearer ${people[who].token}` };
  const remoteAddress = `10.1.${numbers >> 8}.${numbers & 255}`;
  const response = await server.inject({ method: 'POST', url, payload, headers, remoteAddress });
  await server.settle();
  return response;
}

const sendForm = (url: string, payload: string) =>
  server.inject({
    method: 'POST',
    url,
    payload,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    remoteAddress: `10.1.${numbers >> 8}.${numbers & 255}`,
  });

/** Acts of a story, as the rows name them. */
async function perform(story: Story, act: string): Promise<void> {
  const who = / by (\w+)$/.exec(act)?.[1] ?? 'nobody';
  const what = act.replace(/ by \w+$/, '');
  const own = await bookingsOf(story);
  const target = what.includes('second') ? own[1] : own[0];
  const times = Number(/(\d) times/.exec(what)?.[1] ?? 1);
  const later = (target?.startMs ?? 0) + 90 * minute;
  const asMember = async (path: string, payload: object = {}) => {
    const response = await post(`/api/bookings/${target?.id}/${path}`, payload, who as Member);
    expect(response.statusCode, response.body).toBe(who === 'vera' ? 403 : 200);
  };
  const asGuest = async (path: string, payload: object = {}) => {
    const token = server.app.keyring.open(target?.token ?? '', bookingTokenPlace(target?.id as BookingId));
    const response = await post(`/api/booked/${token}/${path}`, payload);
    expect(response.statusCode, response.body).toBe(200);
  };
  const brought = (guests as readonly string[]).indexOf(who);
  if (brought >= 0) {
    const links = smtp.mailsTo(story.brought[brought] ?? '').flatMap((mail) => mail.links);
    const isStop = what === 'stop';
    const link = links.findLast((one) => one.includes(isStop ? '/unsubscribe/' : '/invite/'));
    const url = new URL(link ?? '').pathname;
    const { rows: dates } = await sql<{ id: string }>`
      select id from booking.bookings where guest_email = ${story.email}`.execute(server.app.db);
    const allDates = new URLSearchParams(dates.map(({ id }) => ['date', id])).toString();
    const response = await sendForm(url, isStop ? 'List-Unsubscribe=One-Click' : allDates);
    expect([response.statusCode, response.headers.location]).toEqual(isStop ? [200, undefined] : [303, url]);
    return server.settle();
  }
  if (what === 'write') {
    const token = server.app.keyring.open(target?.token ?? '', bookingTokenPlace(target?.id as BookingId));
    expect((await sendForm(`/booked/${token}/message`, 'text=Where+do+I+park')).statusCode).toBe(303);
    return server.settle();
  }
  if (what === 'ask' || what.startsWith('book')) {
    const payload = {
      start: nine / minute,
      name: 'Bo Guest',
      email: story.email,
      zone: booker.zone,
      language: booker.locale,
      guests: story.brought,
      ...(times > 1 ? { times } : {}),
    };
    const response = await post(`${story.path}/bookings`, payload);
    expect(response.statusCode, response.body).toBe(201);
    if (what === 'ask') return;
    // the page behind the only mail so far
    const [link = ''] = smtp.mailsTo(story.email).flatMap(({ links }) => links);
    const { pathname, searchParams } = new URL(link);
    const proved = await post(`/api${pathname}/confirm`, { proof: searchParams.get('proof') });
    expect(proved.statusCode, proved.body).toBe(200);
    return;
  }
  if (what === 'expire') {
    clock.set(new Date(target?.state === 'awaiting-mail' ? clock.nowMs() + 31 * minute : later).toISOString());
    await expireBookings(server.app);
    return server.settle();
  }
  if (what === 'remind') {
    clock.set(new Date((target?.startMs ?? 0) - day + 30_000).toISOString());
    await remindPeople(server.app, new AbortController().signal);
    return server.settle();
  }
  if (what === 'hugo is off next week') {
    const body = { first_day: '2027-03-14', last_day: '2027-03-20', reason: '' };
    await people.hugo.as(availabilityContract).addDaysOff({ body });
    return server.settle();
  }
  if (what === 'hugo is busy later') {
    const { path } = await insertBookable(server, people.hugo, `busy-${numbers}`);
    const payload = { start: later / minute, name: 'Else', email: `else-${numbers}@example.net`, zone: 'UTC' };
    expect((await post(`${path}/bookings`, payload)).statusCode).toBe(201);
    return;
  }
  const [, owner] = /^(\w+) has a calendar$|in the calendar of (\w+)$/.exec(what)?.filter(Boolean) ?? [];
  if (owner !== undefined) {
    const connections = people[owner as Member].as(connectionsContract);
    const [calendar] = (await connections.listIntegrationCalendars()).calendars;
    if (what.endsWith('has a calendar')) {
      if (calendar === undefined) await connections.connectOwn();
      return server.settle();
    }
    const calendarId = calendar?.calendarId as CalendarId;
    const [seen] = await listWatchedIn(server.app.db, calendarId, { nowMs: clock.nowMs(), limit: 1 });
    if (seen === undefined) throw new Error(`no event in the calendar of ${owner}`);
    const moved = { startMs: later, endMs: later + 30 * minute, allDay: false, declined: false };
    await followEvent(server.app, seen, what.startsWith('move') ? moved : null, 1);
    return server.settle();
  }
  if (what.startsWith('no-show')) {
    clock.set(new Date((target?.startMs ?? 0) + minute).toISOString());
    return asMember('no-show', { who: what.includes('host') ? 'host' : 'guest', no_show: true });
  }
  const [, from, to] = /(\w+) to (\w+)$/.exec(what) ?? [];
  if (what.startsWith('reassign') || what.startsWith('hand over')) {
    const ids = { from: people[from as Member].userId, to: people[to as Member].userId };
    await addHost(story, to as Member);
    if (what.startsWith('reassign')) return asMember('reassign', { ...ids, sequence: target?.sequence });
    const response = await post(`/api/teams/${teamId}/hand-over`, ids, who as Member);
    expect(response.json()).toMatchObject({ given: 1, left: 0 });
    return;
  }
  const isGuest = who === 'guest';
  if (what.startsWith('move')) {
    // moves within two minutes are one mail
    if (what.includes('again')) clock.advance({ minutes: 10 });
    const start = (what.includes('where it is') ? (target?.startMs ?? 0) : later) / minute;
    const move = { start, sequence: target?.sequence };
    return isGuest ? asGuest('reschedule', move) : asMember('reschedule', move);
  }
  const following = { following: what.includes('following') };
  if (what.startsWith('cancel')) return isGuest ? asGuest('cancel', following) : asMember('cancel', following);
  if (what.startsWith('confirm') || what.startsWith('decline'))
    return asMember(what.split(' ')[0] ?? '', { series: what.endsWith('all') });
  throw new Error(`nobody knows how to ${act}`);
}

/** Adds a host, who can take bookings over from now on. */
async function addHost({ typeId }: Story, name: Member): Promise<void> {
  const { rows: has } = await sql<{ userId: UserId }>`
    select user_id as "userId" from booking.hosts where event_type_id = ${typeId} order by position`.execute(
    server.app.db,
  );
  const ids = [...new Set([...has.map(({ userId }) => userId), people[name].userId])];
  const hosts = ids.map((userId) => ({ userId, weight: 1, priority: 2, optional: false, calibration: 0 }));
  await inTransaction(server.app.db, (tx) => keepHosts(tx, { id: typeId, teamId }, hosts, clock.nowMs()));
}

async function bookingsOf({ email }: Story) {
  const { rows } = await sql<{
    id: BookingId;
    token: string;
    state: string;
    sequence: number;
    startMs: number;
    hostIds: UserId[];
  }>`select b.id, b.token, b.state, b.sequence, a.start_ms as "startMs", a.host_ids as "hostIds" from booking.bookings b
    join booking.appointments a on a.id = b.appointment_id where b.guest_email = ${email} order by a.start_ms`.execute(
    server.app.db,
  );
  return rows;
}

/** A mail as its reader's programs have it: decoded, with its calendar part read by another parser. */
interface Read {
  kind: string;
  to: string;
  language: string | undefined;
  text: string;
  /** All parts, decoded and unfolded. */
  all: string;
  links: string[];
  calendar: { method: string; events: ICAL.Event[] } | null;
}

async function read(mail: ReceivedMail): Promise<Read> {
  const { parsed, to } = mail;
  const { rows } = await sql<{ kind: string }>`
    select kind from platform.mails where message_id = ${parsed.messageId?.replace(/^<|>$/g, '')}`.execute(
    server.app.db,
  );
  const files = parsed.attachments.map(({ content }) =>
    typeof content === 'string' ? content : new TextDecoder().decode(content),
  );
  const parts = [parsed.text ?? '', parsed.html ?? '', ...files.map((file) => file.replaceAll(/\r?\n[ \t]/g, ''))];
  const all = [JSON.stringify(parsed.headers), ...parts].join('\n');
  const file = files.find((one) => one.startsWith('BEGIN:VCALENDAR'));
  return {
    kind: (rows[0]?.kind ?? 'unknown').replace('booking.', ''),
    to: to[0] ?? '',
    language: /<html lang="([\w-]+)"/.exec(parsed.html ?? '')?.[1],
    text: parsed.text ?? '',
    all,
    links: all.match(/https?:\/\/[^\s"<>\\]+/g) ?? [],
    calendar: file === undefined ? null : readCalendar(file),
  };
}

function readCalendar(file: string) {
  const calendar = new ICAL.Component(ICAL.parse(file));
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone);
  const events = calendar.getAllSubcomponents('vevent').map((one) => new ICAL.Event(one));
  return { method: String(calendar.getFirstPropertyValue('method')), events };
}

const msOf = (time: ICAL.Time) => time.toUnixTime() * 1_000;

/** The times that a calendar has after these messages, by the rules of RFC 5546; each has a higher SEQUENCE. */
function replay(mails: readonly Read[]): number[] {
  const times = new Map<number, number>();
  let last = -1;
  for (const { calendar, kind } of mails) {
    if (calendar === null) continue;
    const [first] = calendar.events;
    if (first === undefined) throw new Error('a calendar part without an event');
    expect(first.sequence, `${kind} is no newer than the message before`).toBeGreaterThan(last);
    last = first.sequence;
    for (const event of calendar.events) {
      const instanceMs = event.isRecurrenceException() ? msOf(event.recurrenceId) : null;
      if (instanceMs === null) times.clear();
      if (calendar.method === 'CANCEL' && instanceMs !== null) times.delete(instanceMs);
      if (calendar.method === 'CANCEL') continue;
      if (instanceMs !== null) times.set(instanceMs, msOf(event.startDate));
      else for (const ms of startsOf(event)) times.set(ms, ms);
    }
  }
  return [...times.values()].sort((a, b) => a - b);
}

function startsOf(event: ICAL.Event): number[] {
  if (!event.isRecurring()) return [msOf(event.startDate)];
  const iterator = event.iterator();
  const found: number[] = [];
  for (let at = iterator.next(); at; at = iterator.next()) found.push(msOf(at));
  return found;
}

/** A time as a clock on the wall of its reader shows it, on 12 or 24 hours. */
function wallClock(ms: number, zone: string): RegExp {
  const { hour, minute: past } = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
  return new RegExp(`(?<!\\d)0?(${hour}|${hour % 12 || 12})[:.]${String(past).padStart(2, '0')}(?!\\d)`);
}

/** The day of a month in that zone, as a separate number. */
function wallDay(ms: number, zone: string): RegExp {
  const { day: ofMonth } = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
  return new RegExp(`(?<![\\d:.])${ofMonth}(?![\\d:])`);
}

describe('who is told of a change of a booking', () => {
  const named = rows.map((row) => {
    const { given = [], kind = 'collective', settings = {}, silent = [] } = row;
    const more = [
      kind,
      ...('confirmation' in settings ? ['host confirms'] : []),
      ...silent.map((who) => `${who} silent`),
    ];
    return [`${[...given, row.act].join(', ')} (${more.join(', ')})`, row] as const;
  });

  test.each(named)('everybody concerned gets one true mail: %s', async (_, row) => {
    const story = await begin(row);
    const silent = (row.silent ?? []).map((name) => people[name].userId);
    await sql`update accounts.users set notifications = notifications ||
      jsonb_build_object('bookingReminders', not id = any(${silent}::uuid[]))`.execute(server.app.db);
    for (const act of row.given ?? []) await perform(story, act);
    const [before] = await bookingsOf(story);
    const mark = smtp.received.length;
    await perform(story, row.act);
    const own = await bookingsOf(story);
    const [after] = row.act.includes('second') ? own.slice(1) : own;

    const addressOf: Record<Reader, string> = {
      booker: story.email,
      ...(Object.fromEntries(guests.map((name, n) => [name, story.brought[n]])) as Record<
        (typeof guests)[number],
        string
      >),
      ...(Object.fromEntries(members.map((name) => [name, people[name].email])) as Record<Member, string>),
    };
    const told = await Promise.all(smtp.received.slice(mark).map(read));
    // a booking that brings guests has one mail before all others: the one that asks for the proof
    const mails = row.act.startsWith('book') ? told.filter(({ kind }) => kind !== 'mail-wanted') : told;
    const { guests: eachGuest, ...others } = row.hears;
    const wanted = {
      ...others,
      ...(eachGuest === undefined ? {} : Object.fromEntries(guests.map((name) => [name, eachGuest]))),
    };
    const heard = Object.fromEntries(
      mails.map(({ to, kind, calendar }) => {
        const reader = Object.entries(addressOf).find(([, address]) => address === to)?.[0] ?? to;
        const count = mails.filter((mail) => mail.to === to).length;
        return [reader, `${kind}${calendar === null ? '' : ` ${calendar.method}`}${count > 1 ? ` x${count}` : ''}`];
      }),
    );
    expect(heard).toEqual(wanted);
    const ids = new Set<string>(own.map(({ id }) => id));
    for (const name of members) {
      const kind = notified[row.hears[name] ?? ''];
      if (kind === undefined || (after?.state === 'pending') !== (kind === 'requested')) continue;
      await refreshNotices(server.app, people[name].userId);
      const { notices } = await people[name].as(inboxContract).listNotices({});
      const rung = notices.filter(({ over, details }) => !over && ids.has(details.booking_id ?? ''));
      expect.soft(new Set(rung.map((one) => one.kind)), `notifications of ${name}`).toContain(kind);
    }

    const isCertain = after?.state === 'confirmed';
    const isOf =
      (name: Member) =>
      ({ hostIds, state }: (typeof own)[number]) =>
        hostIds.includes(people[name].userId) && state === after?.state;
    for (const mail of mails) {
      const member = members.find((name) => people[name].email === mail.to);
      const { zone, locale } = member === undefined ? booker : readers[member];
      expect.soft(mail.language?.slice(0, 2), `language of ${mail.kind} to ${mail.to}`).toBe(locale);
      // a host who leaves is told of the meeting that they had
      const hosted = member !== undefined && /^book|following/.test(row.act);
      const first = hosted ? own.find(isOf(member)) : after;
      const startMs = (mail.kind === 'handed-over' ? before : first)?.startMs ?? 0;
      expect.soft(mail.text, `time of ${mail.kind} to ${mail.to}`).toMatch(wallClock(startMs, zone));
      if (row.act.includes('following')) {
        const dates = own.filter((one) => one.state === 'cancelled' && (member === undefined || isOf(member)(one)));
        for (const one of dates)
          expect.soft(mail.text, `date of ${mail.kind} to ${mail.to}`).toMatch(wallDay(one.startMs, zone));
      }
      const paths = mail.links.flatMap((link) => (URL.canParse(link) ? [new URL(link).pathname] : []));
      const manages = paths.some((path) => path.startsWith('/booked/'));
      const answers = paths.some((path) => path.startsWith('/meetings'));
      if (member !== undefined) expect.soft({ manages, answers }).toEqual({ manages: false, answers: true });
      else if (mail.to !== story.email) expect.soft({ manages, answers }).toEqual({ manages: false, answers: false });
      else expect.soft(answers).toBe(false);
      const joins = mail.text.includes(joinUrl);
      if (mail.kind === 'handed-over') expect.soft(joins, 'a former host is told where to join').toBe(false);
      const isInvited = isCertain && mail.kind !== 'left' && mail.kind !== 'guest-declined';
      if (member === undefined) expect.soft(joins, `where to join, in ${mail.kind} to ${mail.to}`).toBe(isInvited);
      const declines = paths.some((path) => path.startsWith('/invite/'));
      const mayDecline =
        story.brought.includes(mail.to) && !['left', 'cancelled', 'declined', 'expired'].includes(mail.kind);
      expect.soft(declines, `a link to decline, in ${mail.kind} to ${mail.to}`).toBe(mayDecline);
      // in a file for what takes place, of a series what is left of it
      if (member === undefined && !isCertain)
        expect.soft(mail.all.includes(joinUrl)).toBe(mail.calendar?.method === 'REQUEST');
    }

    // whatever happened on the way, each calendar has the meeting as it is
    const life = await Promise.all(smtp.received.slice(story.since).map(read));
    const standing = own.filter(({ state }) => state === 'confirmed').map(({ startMs }) => startMs);
    const acts = [...(row.given ?? []), row.act];
    for (const address of [story.email, ...story.brought]) {
      const guest = guests[story.brought.indexOf(address)];
      // a calendar keeps what its reader had when mails stopped
      if (acts.includes(`stop by ${guest}`)) continue;
      const has = acts.includes(`decline by ${guest}`) ? [] : standing;
      expect.soft(replay(life.filter(({ to }) => to === address)), `the calendar of ${address}`).toEqual(has);
    }
    await keepSecrets(story);
  });
});

async function keepSecrets(story: Story): Promise<void> {
  for (const { id, token } of await bookingsOf(story)) {
    const booking = await findBooking(server.app.db, id);
    if (booking === null) continue;
    for (const secret of [
      server.app.keyring.open(token, bookingTokenPlace(id)),
      writeProof(server.app, booking),
      token,
    ])
      secrets.push({ owner: story.email, secret });
    for (const owner of story.brought) secrets.push({ owner, secret: writeInviteToken(server.app, id, owner) });
  }
}

test('a host of one time of a series is told of that time only', async () => {
  const story = await begin({ act: '', kind: single, settings: weekly, hears: {} });
  await perform(story, 'hugo is off next week');
  await perform(story, 'book 2 times');
  const mails = await Promise.all(smtp.received.slice(story.since).map(read));
  const textTo = (name: Member) => mails.findLast(({ to }) => to === people[name].email)?.text ?? '';
  const days = ['8', '15'] as const;
  const named = (name: Member) => days.filter((one) => new RegExp(`(?<!\\d)${one}\\.? (mars|März)`).test(textTo(name)));
  expect([named('hugo'), named('hiro')]).toEqual([['8'], ['15']]);
  await keepSecrets(story);
});

test('guests of a group read nothing of each other, and each is told what concerns them', async () => {
  const story = await begin({ act: '', hears: {} });
  const { path } = await insertBookable(server, people.hugo, `group-${numbers}`, { seats: 5 });
  const seats = ['first', 'second'].map((name) => ({
    ...story,
    path,
    brought: [],
    email: `${name}-${numbers}@example.net`,
  }));
  const [first, second] = seats;
  if (first === undefined || second === undefined) throw new Error('two seats');
  for (const { email } of seats) {
    const payload = { start: nine / minute, name: email, email, zone: booker.zone, language: booker.locale };
    expect((await post(`${path}/bookings`, payload)).statusCode).toBe(201);
  }
  const since = async (mark: number) => {
    const mails = await Promise.all(smtp.received.slice(mark).map(read));
    return mails
      .map(({ to, kind, calendar }) => `${to.replace(/[-@].*/, '')} ${kind} ${calendar?.method ?? ''}`.trim())
      .sort();
  };
  let mark = smtp.received.length;
  await perform(first, 'move by guest');
  expect(await since(mark)).toEqual(['first rescheduled REQUEST', 'hugo rescheduled']);
  mark = smtp.received.length;
  await perform(second, 'cancel by hugo');
  expect(await since(mark)).toEqual(['second cancelled CANCEL']);
  const life = await Promise.all(smtp.received.slice(story.since).map(read));
  for (const [own, other] of [
    [first, second],
    [second, first],
  ] as const)
    expect(life.filter(({ to, all }) => to === own.email && all.includes(other.email))).toEqual([]);
  for (const one of seats) await keepSecrets(one);
});

test('the address of a private link is in no mail of a booking by it', async () => {
  const story = await begin({ act: '', hears: {} });
  const { typeId } = await insertBookable(server, people.hugo, `linked-${numbers}`, { guests_allowed: 3 });
  const body = { kind: 'private', event_type_id: typeId, uses: 2, expires_at: null } as const;
  const { link } = await people.hugo.as(bookingContract).createBookingLink({ body });
  const token = link.url.split('/').at(-1) ?? '';
  const linked = { ...story, path: `/api/book/l/${token}` };
  for (const act of ['book', 'move by guest', 'move by hugo', 'cancel by guest']) await perform(linked, act);
  const mails = await Promise.all(smtp.received.slice(story.since).map(read));
  expect(mails.length).toBeGreaterThan(12);
  expect(token.length).toBeGreaterThan(10);
  expect(mails.filter(({ all }) => all.includes(token))).toEqual([]);
  await keepSecrets(linked);
});

test('no mail or file of all these has a secret of anybody but its reader', async () => {
  const mails = await Promise.all(smtp.received.map(read));
  expect(secrets.length).toBeGreaterThan(100);
  expect(mails.length).toBeGreaterThan(200);
  const shown = mails.flatMap(({ to, kind, all }) =>
    secrets.filter(({ owner, secret }) => owner !== to && all.includes(secret)).map(() => `${kind} to ${to}`),
  );
  expect(shown).toEqual([]);
  // the check can fail: the booker has their own secret
  expect(mails.some(({ to, all }) => secrets.some(({ owner, secret }) => owner === to && all.includes(secret)))).toBe(
    true,
  );
});
