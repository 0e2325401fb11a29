import { globSync, readFileSync } from 'node:fs';
import ICAL from 'ical.js';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeMail, deedMail } from '../src/features/access/mail.ts';
import { accountDeleted, feedPublishedMail, keyMadeMail, keysEndedMail } from '../src/features/accounts/mail.ts';
import { digestMail } from '../src/features/analytics/mail.ts';
import { noticeMail } from '../src/features/billing/mail.ts';
import { declinedMail, leftMail } from '../src/features/booking/brought/mail.ts';
import * as mails from '../src/features/booking/mail.ts';
import { messageMail } from '../src/features/booking/message-mail.ts';
import { anotherTimeMail, questionMail } from '../src/features/booking/question-mail.ts';
import type { ToldBooking, ToldHost } from '../src/features/booking/rules/told-booking.ts';
import type { BookerMoment, BroughtMoment, HostMoment } from '../src/features/booking/rules/who-is-told.ts';
import { followUpMail } from '../src/features/contacts/mail.ts';
import { answerMail } from '../src/features/edits/mail.ts';
import { supportMail } from '../src/features/help/mail.ts';
import { subscribeMail } from '../src/features/site/mail.ts';
import { troubleMail } from '../src/features/sync/mail.ts';
import { invitationMail, transferMail } from '../src/features/teams/mail.ts';
import { addressMail, askMail, unconnectedMail } from '../src/features/workflows/mail.ts';
import type { PerformedRun } from '../src/features/workflows/rules/action.ts';
import { writeStepMail } from '../src/features/workflows/steps/mails.ts';
import { sampleBooking } from '../src/features/workflows/steps/previews.ts';
import { renderStep } from '../src/features/workflows/steps/rendering.ts';
import type { EditId, ItemId, UserId } from '../src/kernel/ids.ts';
import { inTransaction } from '../src/platform/db.ts';
import type { MailMessage } from '../src/platform/mail-message.ts';
import { type ReceivedMail, startSmtpServer, type TestSmtpServer } from './harness/smtp-server.ts';
import { startTestApp, type TestApp } from './harness/test-app.ts';
import { toldAt } from './harness/told-at.ts';

/** Every kind of mail, received and decoded: who it is from, and who reads an answer to it. */

type Setting = Parameters<typeof mails.guestMail>[2];
const guestMail = (moment: BookerMoment, told: ToldBooking, with_: Setting) =>
  mails.guestMail(moment, toldAt(moment, told), with_);
const invitedMail = (moment: BroughtMoment, told: ToldBooking, number: number, with_: Setting) =>
  mails.invitedMail(moment, toldAt(moment, told), number, with_);
const hostMail = (moment: HostMoment, told: ToldBooking, with_: Setting, reader?: ToldHost) =>
  mails.hostMail(moment, toldAt(moment, told), with_, reader);

const publicUrl = 'https://holdfast.example';
const install = 'no-reply@holdfast.example';
const nowMs = Date.UTC(2027, 2, 1);
const startMs = Date.UTC(2027, 2, 8, 14);
const languages = ['en', 'de', 'es', 'fr', 'ja'];
const hostAddress = 'anna.secret@example.org';
const guestAddress = 'gus@example.net';
const friendAddress = 'friend@example.net';

interface Case {
  locale: string;
  hidden: boolean;
}

function toldHost(locale: string, hidden: boolean): ToldHost {
  const shownEmail = hidden ? null : hostAddress;
  const id = '00000000-0000-4000-8000-000000000001' as UserId;
  return { id, name: 'Anna Lee', email: hostAddress, shownEmail, zone: 'UTC', locale, timeFormat: '24h' };
}

function told({ locale, hidden }: Case, more: Partial<ToldBooking> = {}): ToldBooking {
  const host = toldHost(locale, hidden);
  return {
    id: '00000000-0000-4000-8000-000000000002' as ToldBooking['id'],
    ids: [],
    uid: 'one@holdfast.example',
    sequence: 0,
    toldAs: `${locale} ${hidden}`,
    title: 'Intro',
    color: null,
    logo: null,
    startMs,
    endMs: startMs + 1_800_000,
    before: null,
    actor: null,
    lost: null,
    date: null,
    series: null,
    together: [],
    location: { kind: 'link', url: 'https://meet.example.org/anna' },
    joinUrl: 'https://meet.example.org/anna',
    lacksLink: false,
    host,
    others: [],
    calendar: null,
    isCertain: true,
    isRequest: false,
    keptUntilMs: null,
    policy: { untilMs: startMs, text: '' },
    contact: hidden ? null : host,
    organizer: hidden ? '' : hostAddress,
    guest: { name: 'Gus Guest', email: guestAddress, phone: null, zone: 'UTC', locale },
    guests: ['first@example.net', friendAddress],
    untold: [],
    declineUrls: [`${publicUrl}/invite/first`, `${publicUrl}/invite/friend`],
    unconfirmed: [],
    isProved: true,
    isReasonOfGuest: false,
    answers: [],
    reason: null,
    url: `${publicUrl}/booked/token`,
    proofUrl: `${publicUrl}/booked/token?proof=secret`,
    bookUrl: `${publicUrl}/anna/intro`,
    isWritten: true,
    ...more,
  };
}

const setting = { publicUrl, from: install, nowMs };
const question = {
  id: 'question',
  appointmentId: '00000000-0000-4000-8000-000000000003' as never,
  kind: 'conflict' as const,
  subject: 'item',
  startMs,
  endMs: startMs,
  calendarId: null,
  title: 'Dentist',
  askedMs: nowMs,
};
const reader = (locale: string) => ({
  id: toldHost(locale, false).id,
  userId: toldHost(locale, false).id,
  email: hostAddress,
  name: 'Anna Lee',
  zone: 'UTC',
  locale,
  timeFormat: '24h' as const,
  time_format: '24h' as const,
});
const request = { ip: '192.0.2.1', userAgent: 'Firefox' } as never;

function stepMail({ locale, hidden }: Case, to: 'host' | 'guest' | 'guests', organizer = ''): MailMessage {
  const host = { ...toldHost(locale, hidden), userId: toldHost(locale, hidden).id, phone: null, suspended: false };
  const booking = { ...sampleBooking(host.id, nowMs), guests: [friendAddress] };
  const guest = { ...booking.guest, email: guestAddress, locale };
  const action = { kind: 'send-email', to, subject: 'Hello', body: 'Hello from {host_email}', ics: true } as const;
  const made = renderStep(
    action,
    { booking: { ...booking, guest, organizer } },
    { host, owner: host, publicUrl, from: install, nowMs, expiresAtMs: nowMs + 1_000 },
  );
  if (!made.ok || made.rendered.kind !== 'send-email') throw new Error('nothing was rendered');
  const number = made.rendered.mails.length - 1;
  const mail = made.rendered.mails[number];
  if (mail === undefined) throw new Error('nobody gets it');
  const run = { key: `${to} ${locale} ${hidden}`, userId: host.id, isTest: false } as PerformedRun;
  return writeStepMail({ config: { publicUrl } } as never, run, mail, number, { ...made.rendered, readerId: 'reader' });
}

type Side = 'host' | 'guest' | 'nobody';
/** The function that writes a mail, an example of it, and the person who reads an answer: shown and hidden. */
interface Row {
  by: string;
  what: string;
  write: (one: Case) => MailMessage;
  from: 'Anna Lee' | 'Gus Guest' | null;
  answers: readonly [shown: Side, hidden: Side];
  /** A way to the host where the address is hidden. */
  form?: true;
}

const guestMoments: BookerMoment[] = [
  'requested',
  'confirmed',
  'rescheduled',
  'rescheduled-pending',
  'declined',
  'expired',
  'cancelled',
  'linked',
  'reassigned',
  'reminder',
];
const hostMoments = [
  'requested',
  'confirmed',
  'rescheduled',
  'rescheduled-pending',
  'cancelled',
  'expired',
  'reminder',
  'reassigned',
  'handed-over',
] as const;

const rows: Row[] = [
  ...guestMoments.map(
    (moment): Row => ({
      by: 'guestMail',
      what: moment,
      write: (one) => guestMail(moment, told(one), setting),
      from: 'Anna Lee',
      answers: ['host', 'nobody'],
      form: true,
    }),
  ),
  {
    by: 'guestMail',
    what: 'mail-wanted',
    write: (one) => guestMail('mail-wanted', told(one), setting),
    from: 'Anna Lee',
    // the address is still unverified
    answers: ['nobody', 'nobody'],
  },
  ...(['confirmed', 'rescheduled', 'linked', 'cancelled'] as const).map(
    (moment): Row => ({
      by: 'invitedMail',
      what: `${moment}, second brought guest`,
      write: (one) => invitedMail(moment, told(one), 1, setting),
      from: 'Anna Lee',
      answers: ['host', 'guest'],
    }),
  ),
  ...(['accepted', 'declined'] as const).map(
    (answer): Row => ({
      by: 'answerMail',
      what: `${answer}, to the organizer`,
      write: ({ locale }) =>
        answerMail({
          editId: 'edit' as EditId,
          itemId: 'item' as ItemId,
          userId: 'user' as UserId,
          by: { name: 'Anna Lee', locale },
          title: 'Quarterly numbers',
          answer,
          // an answer names the address that was invited, also where booking mails hide it
          reply: { organizer: 'organizer@example.com', attendee: hostAddress, ics: 'BEGIN:VCALENDAR' },
        }),
      from: 'Anna Lee',
      answers: ['host', 'host'],
    }),
  ),
  {
    by: 'leftMail',
    what: 'declined, second brought guest',
    write: (one) => leftMail(told(one), friendAddress, null, setting),
    from: 'Anna Lee',
    answers: ['host', 'guest'],
  },
  {
    by: 'declinedMail',
    what: 'declined by the second brought guest',
    write: (one) => declinedMail(told(one), friendAddress, setting),
    from: 'Anna Lee',
    answers: ['host', 'nobody'],
    form: true,
  },
  ...hostMoments.map(
    (moment): Row => ({
      by: 'hostMail',
      what: moment,
      write: (one) => hostMail(moment, told(one), setting),
      from: 'Gus Guest',
      answers: ['guest', 'guest'],
    }),
  ),
  {
    by: 'messageMail',
    what: 'message',
    write: (one) =>
      messageMail(told(one), toldHost(one.locale, one.hidden), { text: 'Hi', named: 'one', isKnown: true }, publicUrl),
    from: 'Gus Guest',
    answers: ['guest', 'guest'],
  },
  {
    by: 'questionMail',
    what: 'question',
    write: (one) => questionMail(told(one), question, publicUrl),
    from: null,
    answers: ['nobody', 'nobody'],
  },
  {
    by: 'anotherTimeMail',
    what: 'another time',
    write: (one) => anotherTimeMail(told(one), question),
    from: 'Anna Lee',
    answers: ['host', 'nobody'],
    form: true,
  },
  {
    by: 'writeStepMail',
    what: 'to the guest',
    write: (one) => stepMail(one, 'guest'),
    from: 'Anna Lee',
    answers: ['host', 'nobody'],
  },
  {
    by: 'writeStepMail',
    what: 'to a brought guest',
    write: (one) => stepMail(one, 'guests'),
    from: 'Anna Lee',
    answers: ['host', 'nobody'],
  },
  {
    by: 'writeStepMail',
    what: 'to the host',
    write: (one) => stepMail(one, 'host'),
    from: 'Gus Guest',
    answers: ['guest', 'guest'],
  },
  {
    by: 'followUpMail',
    what: 'follow-up',
    write: ({ locale, hidden }) =>
      followUpMail({
        id: `${locale} ${hidden}`,
        userId: toldHost(locale, hidden).id,
        to: guestAddress,
        by: { name: 'Anna Lee', shownEmail: hidden ? null : hostAddress, locale },
        subject: 'Hello',
        body: 'Hello',
      }),
    from: 'Anna Lee',
    answers: ['host', 'nobody'],
  },
  // colleagues and operators are no guests
  {
    by: 'supportMail',
    what: 'support',
    write: ({ locale }) =>
      supportMail({
        id: locale,
        to: 'operator@example.org',
        from: hostAddress,
        name: 'Anna Lee',
        locale,
        site: 'x',
        message: 'Hi',
      }),
    from: 'Anna Lee',
    answers: ['host', 'host'],
  },
  {
    by: 'invitationMail',
    what: 'team invitation',
    write: ({ locale }) =>
      invitationMail(
        { publicUrl },
        {
          invitation: { email: friendAddress, role: 'editor' } as never,
          token: 'token',
          tokenHash: Buffer.from(`hash ${locale}`),
          team: 'Sales',
          inviter: reader(locale),
          isReaderHere: false,
          isQuoted: true,
        },
      ),
    from: 'Anna Lee',
    answers: ['host', 'host'],
  },
  {
    by: 'transferMail',
    what: 'team transfer',
    write: ({ locale }) =>
      transferMail(
        { publicUrl },
        { ...reader(locale), email: friendAddress },
        {
          teamId: 'team' as never,
          team: 'Sales',
          owner: reader(locale),
        },
      ),
    from: 'Anna Lee',
    answers: ['host', 'host'],
  },
  ...automatic(),
];

/** Codes, notices of the account and figures: the install writes them, and no person. */
function automatic(): Row[] {
  const writers: [by: string, write: (locale: string) => MailMessage][] = [
    [
      'codeMail',
      (locale) =>
        codeMail('verify', reader(locale), hostAddress, {
          id: locale,
          link: `${publicUrl}/verify`,
          expiresAtMs: nowMs,
        } as never),
    ],
    ['deedMail', (locale) => deedMail('password-changed', reader(locale), { atMs: nowMs, request, publicUrl })],
    ['accountDeleted', (locale) => accountDeleted({ ...reader(locale), id: `${locale} x` as UserId }, [])],
    ['feedPublishedMail', (locale) => feedPublishedMail(reader(locale), 'busy', { atMs: nowMs, publicUrl, ip: null })],
    [
      'keyMadeMail',
      (locale) =>
        keyMadeMail(
          reader(locale),
          { name: 'CI', scopes: ['read'], expiresMs: nowMs },
          { atMs: nowMs, publicUrl, ip: null },
        ),
    ],
    ['keysEndedMail', (locale) => keysEndedMail(reader(locale), ['CI'], { atMs: nowMs, publicUrl, ip: null })],
    [
      'troubleMail',
      (locale) =>
        troubleMail(reader(locale), [{ kind: 'reconnect', sinceMs: nowMs, account: 'Work', reason: null }], publicUrl),
    ],
    [
      'subscribeMail',
      (locale) =>
        subscribeMail({
          key: locale,
          to: friendAddress,
          locale,
          site: 'x',
          confirmUrl: `${publicUrl}/c`,
          expiresAtMs: nowMs,
        }),
    ],
    [
      'digestMail',
      (locale) =>
        digestMail({
          userId: reader(locale).id,
          to: hostAddress,
          locale,
          week: '2027-W09',
          from: '2027-03-01',
          lastDay: '2027-03-07',
          data: {
            total_meetings: { value: 0, delta_pct: null, held: 0 },
            no_show_rate: { value_pct: null },
            avg_booking_time: { value_days: null },
            capacity_utilization: { utilization_pct: null },
            conflict_prevention: { conflicts_prevented: 0 },
            meeting_forecast: { forecast: null },
          } as never,
          url: publicUrl,
          expiresAtMs: nowMs,
        }),
    ],
    [
      'addressMail',
      (locale) =>
        addressMail({
          userId: reader(locale).id,
          address: friendAddress,
          code: '123456',
          by: 'Anna Lee',
          isReaderHere: false,
          locale,
          nowMs,
        }),
    ],
    [
      'askMail',
      (locale) =>
        askMail(
          {
            run: { key: locale, userId: reader(locale).id },
            host: { id: reader(locale).id, name: 'Anna Lee' },
            why: 'booking',
            to: { address: friendAddress, locale },
            readerId: locale,
          },
          publicUrl,
        ),
    ],
    [
      'unconnectedMail',
      (locale) => unconnectedMail({ id: 'one' as never, name: 'Follow up', version: 1 }, reader(locale), publicUrl),
    ],
    [
      'noticeMail',
      (locale) => noticeMail(reader(locale) as never, { kind: 'ended', of: locale, atMs: nowMs }, publicUrl),
    ],
  ];
  return writers.map(([by, write]) => ({
    by,
    what: 'automatic',
    write: ({ locale }) => write(locale),
    from: null,
    answers: ['nobody', 'nobody'],
  }));
}

let smtp: TestSmtpServer;
let server: TestApp;
beforeAll(async () => {
  smtp = await startSmtpServer();
  server = await startTestApp({ features: [], config: { smtpUrl: smtp.url } });
});
afterAll(async () => {
  await server.close();
  await smtp.close();
});

let sent = 0;
async function deliver(message: MailMessage): Promise<ReceivedMail> {
  sent += 1;
  const before = smtp.received.length;
  const { expiresAtMs: _, ...lasting } = message;
  // addresses that repeat, and more mails than a mailbox gets in a day
  await sql`truncate platform.recipients`.execute(server.app.db);
  await inTransaction(server.app.db, (tx) => server.app.mail.send(tx, { ...lasting, userId: null, key: `${sent}` }));
  await server.settle();
  const mail = smtp.received[before];
  if (mail === undefined) throw new Error('the mail did not arrive');
  return mail;
}

/** All that its reader can see, decoded; lines of calendars unfolded. */
function readAll({ parsed }: ReceivedMail): string {
  const files = parsed.attachments.map(({ content }) =>
    (typeof content === 'string' ? content : new TextDecoder().decode(content)).replaceAll(/\r?\n[ \t]/g, ''),
  );
  const headers = parsed.headers.map(({ key, value }) => `${key}: ${value}`);
  return [parsed.subject, parsed.text, parsed.html, ...headers, ...files].join('\n');
}

const invites: Record<string, RegExp> = {
  en: /\b(reply to this|answer this|write to [^\n]*@)/i,
  de: /Antworten Sie|Schreiben Sie an/,
  es: /Responde a este|Escribe a [^\n]*@/,
  fr: /Répondez à|répondez simplement|Écrivez à/,
  ja: /返信してください|返信すると|お送りください/,
};

describe.each([false, true])('answers to mails, the address of the host hidden: %s', (hidden) => {
  test.each(rows)('$by, $what: an answer reaches the other side, or no text asks for one', async (row) => {
    for (const locale of languages) {
      const mail = await deliver(row.write({ locale, hidden }));
      const { from, replyTo = [], text = '' } = mail.parsed;
      const side = row.answers[hidden ? 1 : 0];
      const address = { host: hostAddress, guest: guestAddress, nobody: null }[side];
      expect(from?.address, locale).toBe(server.app.mail.from.address);
      if (row.from === null) expect(from?.name, locale).toBe('Holdfast');
      else expect(from?.name, locale).toMatch(new RegExp(`^${row.from}.+Holdfast`));
      expect(
        replyTo.map((one) => one.address),
        locale,
      ).toEqual(address === null ? [] : [address]);
      if (address === null) expect(text, locale).not.toMatch(invites[locale] ?? /./);
      if (!hidden) continue;
      const isForGuests = mail.to[0] === guestAddress || (mail.to[0] === friendAddress && row.by !== 'addressMail');
      const isOfTeam = row.by === 'invitationMail' || row.by === 'transferMail';
      if (isForGuests && !isOfTeam) expect(readAll(mail), locale).not.toContain(hostAddress);
      if (row.form) expect(mail.links, locale).toContain(`${publicUrl}/booked/token/message`);
    }
  });
});

test('each function that writes mails has a row', () => {
  const written = globSync('src/features/**/*.ts').flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('): MailMessage {')
      .slice(0, -1)
      .flatMap((before) => [...before.matchAll(/export function (\w+)/g)].at(-1)?.[1] ?? []),
  );
  expect(written.length).toBeGreaterThan(15);
  const known = new Set(rows.map(({ by }) => by));
  expect(written.filter((name) => !known.has(name ?? ''))).toEqual([]);
});

describe('the organizer of an invitation', () => {
  const organizerIn = (message: MailMessage) => {
    const event = new ICAL.Component(ICAL.parse(message.calendar?.ics ?? '')).getFirstSubcomponent('vevent');
    const property = event?.getFirstProperty('organizer');
    const rsvp = event?.getAllProperties('attendee').map((one) => one.getParameter('rsvp'));
    return [property?.getFirstValue(), property?.getParameter('sent-by'), property?.getParameter('cn'), rsvp];
  };

  test('a Decline of a brought guest reaches the host, for whom the install sends', () => {
    expect(organizerIn(invitedMail('confirmed', told({ locale: 'en', hidden: false }), 1, setting))).toEqual([
      `mailto:${hostAddress}`,
      `mailto:${install}`,
      'Anna Lee',
      ['FALSE', 'TRUE'],
    ]);
  });

  test('the install organizes for a host who hides their address, and asks nobody for an answer', () => {
    expect(organizerIn(invitedMail('confirmed', told({ locale: 'en', hidden: true }), 1, setting))).toEqual([
      `mailto:${install}`,
      undefined,
      'Anna Lee',
      ['FALSE', 'FALSE'],
    ]);
  });

  test('the calendar file of a workflow has the organizer of the invitation, while the address is shown', () => {
    const [shown, hidden] = [false, true].map((one) =>
      organizerIn(stepMail({ locale: 'en', hidden: one }, 'guest', hostAddress)),
    );
    expect(shown?.slice(0, 2)).toEqual([`mailto:${hostAddress}`, `mailto:${install}`]);
    expect(hidden?.slice(0, 2)).toEqual([`mailto:${install}`, undefined]);
  });

  test('another host does not become the organizer, whose name stays that of their address', () => {
    const one = told({ locale: 'en', hidden: false });
    const ben = {
      ...one.host,
      id: 'ben' as UserId,
      name: 'Ben',
      email: 'ben@example.org',
      shownEmail: 'ben@example.org',
    };
    const moved = { ...one, host: ben, contact: ben };
    expect(organizerIn(guestMail('reassigned', moved, setting)).slice(0, 3)).toEqual([
      `mailto:${hostAddress}`,
      `mailto:${install}`,
      hostAddress,
    ]);
    expect(guestMail('reassigned', moved, setting).replyTo?.address).toBe('ben@example.org');
    expect(organizerIn(guestMail('cancelled', moved, setting)).slice(0, 3)).toEqual([
      `mailto:${hostAddress}`,
      `mailto:${install}`,
      hostAddress,
    ]);
  });
});
