import { codeMail, type Deed, deedMail } from '#features/access/mail.ts';
import { accountDeleted, feedPublishedMail, keyMadeMail, keysEndedMail } from '#features/accounts/mail.ts';
import { proofMail } from '#features/admin/mail.ts';
import { digestMail } from '#features/analytics/mail.ts';
import { noticeMail } from '#features/billing/mail.ts';
import { declinedMail, leftMail } from '#features/booking/brought/mail.ts';
import { guestMail, hostMail, invitedMail } from '#features/booking/mail.ts';
import { messageMail } from '#features/booking/message-mail.ts';
import { anotherTimeMail, questionMail } from '#features/booking/question-mail.ts';
import type { ToldBooking, ToldHost } from '#features/booking/rules/told-booking.ts';
import type { BookerMoment, BroughtMoment, HostMoment } from '#features/booking/rules/who-is-told.ts';
import type { Question } from '#features/booking/store/questions.ts';
import { followUpMail } from '#features/contacts/mail.ts';
import { answerMail } from '#features/edits/mail.ts';
import { supportMail } from '#features/help/mail.ts';
import { subscribeMail } from '#features/site/mail.ts';
import { troubleMail } from '#features/sync/mail.ts';
import { invitationMail, transferMail } from '#features/teams/mail.ts';
import { addressMail, askMail, unconnectedMail } from '#features/workflows/mail.ts';
import type { Recipient } from '#features/workflows/rules/action.ts';
import { writeStepMail } from '#features/workflows/steps/mails.ts';
import type {
  BookingId,
  EditId,
  ItemId,
  RunId,
  StepId,
  TeamId,
  TeamInvitationId,
  UserId,
  WorkflowId,
} from '#kernel/ids.ts';
import { fitContent, type MailMessage, nameInstall } from '#platform/mail-message.ts';
import { toldAt } from './told-at.ts';

/** Every kind of mail, with names, titles, and texts that are hard to set. */

export interface SampleMail {
  /** E.g. `guest confirmed`. */
  name: string;
  mail: MailMessage;
}

const dayMs = 86_400_000;
/** Friday, 3 PM in Berlin, 9 AM in New York, 11 PM in Tokyo. */
const startMs = Date.UTC(2026, 11, 4, 14);
const nowMs = startMs - 7 * dayMs;
const publicUrl = 'https://calendar.northwind-traders.example';
const setting = { publicUrl, from: 'no-reply@northwind-traders.example', nowMs };
const meet = 'https://meet.example.com/abc-defg-hij';
const userId = '0198c0de-0000-7000-8000-000000000001' as UserId;

/** A sentence of the server, as it is kept when a calendar fails. */
export const storedReason = "The calendar didn't respond. We'll try again.";

const longTitle = 'Quarterly architecture review with Donaudampfschifffahrtsgesellschaft 🚢';
const names = {
  ada: 'Ada Nilsson-Fernández y Castellanos de la Cruz',
  miriam: 'מרים בן־דוד (תל אביב)',
  guest: 'محمد الأمين ابن عبد الرحمن',
  unbroken: 'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwaren',
};
const prose =
  'Please tell us a day ahead if you cannot come. Later cancellations are charged in full, unless you are ill. '.repeat(
    4,
  );

function hostOf(name: string, locale: string, number: number): ToldHost {
  const email = `host-${number}.with-a-long-name@northwind-traders.example`;
  return {
    id: `0198c0de-0000-7000-8000-00000000000${number}` as UserId,
    name,
    email,
    shownEmail: email,
    zone: 'Europe/Berlin',
    locale,
    timeFormat: locale === 'en' ? '12h' : '24h',
  };
}

function bookingIn(locale: string, more: Partial<ToldBooking> = {}): ToldBooking {
  const host = hostOf(names.ada, locale, 1);
  return {
    id: '0198c0de-0000-7000-8000-0000000000b1' as BookingId,
    ids: ['0198c0de-0000-7000-8000-0000000000b1' as BookingId],
    uid: 'b1@holdfast.invalid',
    sequence: 0,
    toldAs: 'b1:0',
    title: longTitle,
    color: null,
    logo: null,
    startMs,
    endMs: startMs + 5_400_000,
    before: null,
    actor: null,
    lost: null,
    date: null,
    series: null,
    together: [],
    location: { kind: 'google-meet' },
    joinUrl: meet,
    lacksLink: false,
    host,
    others: [hostOf(names.miriam, locale, 2)],
    contact: host,
    organizer: host.email,
    calendar: null,
    isCertain: true,
    isRequest: false,
    guest: {
      name: names.guest,
      email: 'mohammed.al-amin.ibn-abd-ar-rahman+bookings@mail.departments.example',
      phone: '+81 3-5550-1234',
      zone: 'America/Argentina/Buenos_Aires',
      locale,
    },
    guests: ['bea@example.net', `${'c'.repeat(60)}@${'departments.'.repeat(5)}example.net`, '日本語@例え.example'],
    untold: [],
    declineUrls: ['bea', 'c', 'ja'].map((name) => `${publicUrl}/invite/${name}-s3cr3t-that-is-as-long-as-a-secret-is`),
    unconfirmed: [],
    isProved: true,
    isReasonOfGuest: false,
    answers: [
      { label: 'Company', answer: names.unbroken },
      { label: 'ご相談になりたい内容をお聞かせください', answer: 'カレンダーの連携について、二つ質問があります。' },
      { label: 'מה תרצו לדבר עליו?', answer: 'על לוח השנה, ועל https://example.com/plan' },
      { label: 'Topics that you would like to talk about, in the order of their weight', answer: prose },
      { label: 'I agree', answer: true },
    ],
    keptUntilMs: null,
    policy: { untilMs: startMs - dayMs, text: `${prose}\n\n${names.unbroken.repeat(3)}` },
    reason: null,
    url: `${publicUrl}/booked/s3cr3t-that-is-as-long-as-a-secret-is-in-an-address`,
    proofUrl: `${publicUrl}/booked/s3cr3t-that-is-as-long-as-a-secret-is-in-an-address?proof=pr00f`,
    bookUrl: `${publicUrl}/ada/architecture-review`,
    isWritten: true,
    ...more,
  };
}

/** Twelve weeks, the fourth of which was moved and the last of which is over. */
function seriesIn(locale: string, isEach: boolean): ToldBooking {
  const times = Array.from({ length: 12 }, (_, n) => {
    const firstMs = startMs + n * 7 * dayMs;
    const movedMs = firstMs + (n === 3 ? 7_200_000 : 0);
    return {
      firstMs,
      startMs: movedMs,
      endMs: movedMs + 5_400_000,
      joinUrl: isEach ? `https://meet.example.com/date-${n + 1}` : meet,
      stands: true,
      id: `0198c0de-0000-7000-8000-0000000000${n + 10}` as BookingId,
      hostIds: [userId],
    };
  });
  return bookingIn(locale, {
    together: times,
    series: { uid: 'series@holdfast.invalid', sequence: 1, zone: 'Europe/Berlin', times },
  });
}

const moved: Partial<ToldBooking> = {
  before: { startMs: startMs - 3 * dayMs + 3_600_000, endMs: startMs - 3 * dayMs + 9_000_000, wasBooked: true },
};
const reason = `I am ill. ${prose}\n\nSorry! 🤒`;
const inPerson = {
  location: { kind: 'in-person', address: `${names.unbroken} 12a\n12345 Springfield` },
  joinUrl: null,
} as const;
const hidden = { contact: null, others: [], organizer: '' };

function bookingMails(locale: string): SampleMail[] {
  const guest = (moment: BookerMoment, more: Partial<ToldBooking> = {}, note = '') => ({
    name: `guest ${moment}${note}`,
    mail: guestMail(moment, toldAt(moment, bookingIn(locale, more)), setting),
  });
  const brought = (moment: BroughtMoment, more: Partial<ToldBooking> = {}, note = '') => ({
    name: `brought ${moment}${note}`,
    mail: invitedMail(moment, toldAt(moment, bookingIn(locale, more)), 1, setting),
  });
  const lost = (moment: 'declined' | 'expired', more: Partial<ToldBooking> = {}) => {
    const told = toldAt(moment, bookingIn(locale, { ...more, lost: 'earlier' }));
    return {
      name: `brought ${moment}`,
      mail: invitedMail(moment, { ...told, calendar: toldAt('cancelled', told).calendar }, 1, setting),
    };
  };
  const host = (moment: HostMoment, more: Partial<ToldBooking> = {}, note = '') => ({
    name: `host ${moment}${note}`,
    mail: hostMail(moment, toldAt(moment, bookingIn(locale, more)), setting),
  });
  const asked = (kind: Question['kind'], title: string | null, subject = 'x') => ({
    name: `host question ${kind}${title === null ? '' : ' titled'}`,
    mail: questionMail(bookingIn(locale), questionOf(kind, title, subject), publicUrl),
  });
  const series = (note: string, told: ToldBooking) => ({
    name: `guest confirmed ${note}`,
    mail: guestMail('confirmed', toldAt('confirmed', told), setting),
  });
  const toConfirm = { keptUntilMs: nowMs + 1_800_000, unconfirmed: [bookingIn(locale).guest.email] };
  const oneOfMany = { date: { number: 3, others: [startMs + 30 * dayMs] }, series: seriesIn(locale, false).series };
  return [
    guest('mail-wanted', toConfirm),
    guest('mail-wanted', { ...toConfirm, isRequest: true }, ' for a request'),
    guest('requested'),
    guest('confirmed'),
    guest('confirmed', { ...inPerson, ...hidden, color: '#0a7d32' }, ' in person'),
    guest('confirmed', { location: { kind: 'phone', who_calls: 'host', number: '' }, joinUrl: null }, ' by phone'),
    guest('confirmed', { joinUrl: null, policy: { untilMs: nowMs, text: '' } }, ' without link'),
    guest(
      'confirmed',
      { unconfirmed: [bookingIn(locale).guest.email], isProved: false },
      ' before the address is confirmed',
    ),
    guest('confirmed', { joinUrl: null, lacksLink: true }, ' with a link by its host'),
    host('confirmed', { joinUrl: null, lacksLink: true }, ' with a link by its host'),
    series('series', seriesIn(locale, false)),
    series('series with links', seriesIn(locale, true)),
    guest('rescheduled', { ...moved, ...oneOfMany }),
    guest('rescheduled-pending', moved),
    guest('rescheduled-pending', { ...moved, lost: 'now', actor: 'host' }, ' moved by host'),
    guest('declined', { reason }),
    guest('declined', { lost: 'earlier' }, ' after a move'),
    guest('expired'),
    guest('expired', { lost: 'earlier' }, ' after a move'),
    guest('cancelled', { actor: 'guest' }, ' by guest'),
    guest('cancelled', { actor: 'host', reason, ...oneOfMany }, ' by host'),
    guest('reminder'),
    guest('linked'),
    guest('reassigned', { others: [] }),
    brought('confirmed'),
    {
      name: 'brought confirmed series',
      mail: invitedMail('confirmed', toldAt('confirmed', seriesIn(locale, false)), 1, setting),
    },
    brought('rescheduled', { ...moved, ...oneOfMany }),
    brought('rescheduled', { ...moved, reason }, ' with a reason'),
    brought('rescheduled-pending', { ...moved, lost: 'now' }),
    brought('rescheduled-pending', { ...moved, lost: 'earlier', actor: 'host' }, ' moved again by host'),
    brought('linked'),
    brought('reassigned'),
    lost('declined', { reason }),
    lost('expired'),
    brought('cancelled', { actor: 'guest', reason }),
    brought('reminder', hidden),
    {
      name: 'brought left',
      mail: leftMail(bookingIn(locale), 'bea@example.net', knownAt(startMs), setting),
    },
    {
      name: 'brought left one date',
      mail: leftMail(
        { ...seriesIn(locale, false), ...oneOfMany, together: seriesIn(locale, false).together.slice(2, 3) },
        'bea@example.net',
        knownAt(startMs),
        setting,
      ),
    },
    { name: 'guest guest-declined', mail: declinedMail(bookingIn(locale), '日本語@例え.example', setting) },
    ...severalDates(locale),
    host('requested'),
    host('confirmed'),
    host('confirmed', { isWritten: false, ...inPerson }, ' without a calendar'),
    host('rescheduled', moved),
    host('rescheduled-pending', { ...moved, lost: 'now' }),
    host(
      'rescheduled-pending',
      { before: { startMs: startMs - dayMs, endMs: startMs - dayMs + 5_400_000, wasBooked: false } },
      ' of a request',
    ),
    host('declined', { reason }),
    host('expired'),
    host('cancelled', { actor: 'guest', reason }),
    host('reminder', { location: { kind: 'phone', who_calls: 'guest', number: '+49 30 5550123' }, joinUrl: null }),
    host('reassigned'),
    host('handed-over'),
    host('hosts-changed'),
    asked('moved', null, ''),
    asked('moved', 'Dentist 🦷'),
    asked('deleted', null, ''),
    asked('declined', null, ''),
    asked('conflict', names.unbroken),
    asked('overbooked', null),
    ...[true, false].map((isKnown) => ({
      name: isKnown ? 'host message' : 'host message before the address is confirmed',
      mail: messageMail(
        bookingIn(locale),
        hostOf(names.ada, locale, 1),
        { text: reason, named: 'm', isKnown },
        publicUrl,
      ),
    })),
    {
      name: 'guest another time',
      mail: anotherTimeMail(bookingIn(locale), questionOf('conflict', null, 'x')),
    },
  ];
}

const knownAt = (ms: number) => ({
  state: 'confirmed' as const,
  startMs: ms,
  endMs: ms + 5_400_000,
  hostIds: [userId],
  invited: true,
});

/** Some dates of twelve that change together. */
function severalDates(locale: string): SampleMail[] {
  const whole = seriesIn(locale, false);
  const [, second = whole.together[0], , , , sixth] = whole.together;
  const some = [second, sixth].flatMap((time) => time ?? []);
  const told = { ...whole, startMs: second?.startMs ?? startMs, date: { number: 2, others: [startMs] }, reason };
  const canceled = (together: ToldBooking['together']) =>
    toldAt('cancelled', { ...told, together, actor: 'host' as const });
  return [
    { name: 'guest cancelled some dates', mail: guestMail('cancelled', canceled(some), setting) },
    { name: 'guest cancelled all dates', mail: guestMail('cancelled', canceled(whole.together), setting) },
    { name: 'brought cancelled some dates', mail: invitedMail('cancelled', canceled(some), 1, setting) },
    { name: 'host cancelled some dates', mail: hostMail('cancelled', canceled(some), setting) },
    { name: 'guest guest-declined dates', mail: declinedMail({ ...told, together: some }, 'bea@example.net', setting) },
  ];
}

const questionOf = (kind: Question['kind'], title: string | null, subject: string): Omit<Question, 'userId'> => ({
  id: 'q1',
  appointmentId: 'a1' as Question['appointmentId'],
  kind,
  subject,
  startMs: startMs + 3_600_000,
  endMs: startMs + 5_400_000,
  calendarId: null,
  title,
  askedMs: 1,
});

const deeds: readonly Deed[] = [
  'password-changed',
  'password-reset',
  'address-change-asked',
  'address-changed',
  'mfa-enabled',
  'mfa-disabled',
  'backup-codes-made',
  'backup-code-used',
  'passkey-added',
  'passkey-removed',
  'identity-linked',
  'identity-unlinked',
];

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

function accountMails(locale: string): SampleMail[] {
  const owner = {
    id: userId,
    email: 'ada@northwind-traders.example',
    zone: 'Asia/Kolkata',
    locale,
    time_format: locale === 'en' ? ('12h' as const) : ('24h' as const),
  };
  const host = { ...owner, userId, shownEmail: owner.email, name: names.ada, timeFormat: owner.time_format };
  const request = { id: 'r1', ip: '2001:db8:85a3:8d3:1319:8a2e:370:7348', userAgent: firefox };
  const code = { link: `${publicUrl}/verify-email?email=ada&code=Zm9v`, id: 'c1', expiresAtMs: startMs };
  const key = { atMs: nowMs, publicUrl, ip: request.ip };
  return [
    ...(['verify', 'reset', 'change-email'] as const).map((purpose) => ({
      name: `access ${purpose}`,
      mail: codeMail(
        purpose,
        owner,
        owner.email,
        code,
        purpose === 'verify' ? { provider: 'google', label: `${names.unbroken}@gmail.example` } : undefined,
      ),
    })),
    ...deeds.map((deed) => ({
      name: `access ${deed}`,
      mail: deedMail(deed, owner, {
        atMs: nowMs,
        request: deed === 'passkey-removed' ? { ...request, userAgent: undefined } : request,
        publicUrl,
        about:
          deed === 'passkey-added'
            ? { fact: 'passkey', name: `${names.unbroken} 🔑` }
            : deed === 'address-change-asked'
              ? { fact: 'newAddress', name: `${names.unbroken}@example.org` }
              : deed === 'identity-linked'
                ? { fact: 'identity', name: 'ada@gmail.example' }
                : undefined,
      }),
    })),
    {
      name: 'accounts deleted',
      mail: accountDeleted({ id: userId, email: owner.email, locale }, [
        { place: `${names.unbroken}@example.org`, blocks: 1, reason: storedReason },
        { place: names.miriam, blocks: 1234, reason: '' },
      ]),
    },
    { name: 'accounts deleted whole', mail: accountDeleted({ id: userId, email: owner.email, locale }, []) },
    {
      name: 'accounts key made',
      mail: keyMadeMail(
        owner,
        { name: names.unbroken, scopes: ['bookings:read', 'events:write'], expiresMs: startMs },
        key,
      ),
    },
    { name: 'accounts keys ended', mail: keysEndedMail(owner, ['Zapier', names.miriam], { ...key, ip: null }) },
    { name: 'accounts feed', mail: feedPublishedMail(owner, 'busy', key) },
    ...(['trial', 'first-payment', 'failed', 'ended'] as const).map((kind) => ({
      name: `billing ${kind}`,
      mail: noticeMail(
        { ...host, company: null, avatarUrl: null, suspended: false },
        { kind, of: 's1', atMs: startMs },
        publicUrl,
      ),
    })),
    ...troubleMails(owner),
    { name: 'analytics digest', mail: digestOf(locale, { value: 1234, held: 987, delta: -12.5, days: 3.5 }) },
    { name: 'analytics digest of one', mail: digestOf(locale, { value: 1, held: 1, delta: null, days: 1 }) },
    {
      name: 'admin test',
      mail: {
        key: 'admin.test:1',
        kind: 'admin.test',
        to: owner.email,
        userId,
        locale,
        content: proofMail('calendar.northwind-traders.example', locale),
      },
    },
  ];
}

function troubleMails(owner: Parameters<typeof troubleMail>[0]): SampleMail[] {
  const sinceMs = nowMs - 7_200_000;
  const account = `${names.unbroken}@example.org`;
  const reconnect = { kind: 'reconnect', sinceMs, account, reason: null } as const;
  const stopped = { kind: 'stopped', sinceMs, account: names.miriam, reason: storedReason } as const;
  const breaker = { kind: 'breaker', sinceMs, source: 'Work', target: names.unbroken, blocks: 1 } as const;
  return [
    { name: 'sync reconnect', mail: troubleMail(owner, [reconnect], publicUrl) },
    { name: 'sync stopped', mail: troubleMail(owner, [stopped], publicUrl) },
    { name: 'sync breaker', mail: troubleMail(owner, [breaker], publicUrl) },
    {
      name: 'sync several',
      mail: troubleMail(owner, [reconnect, stopped, { ...breaker, blocks: 1234 }], publicUrl),
    },
  ];
}

function digestOf(
  locale: string,
  of: { value: number; held: number; delta: number | null; days: number },
): MailMessage {
  return digestMail({
    userId,
    to: 'ada@northwind-traders.example',
    locale,
    week: '2026-W48',
    from: '2026-11-23',
    lastDay: '2026-11-29',
    data: {
      total_meetings: { value: of.value, held: of.held, delta_pct: of.delta },
      no_show_rate: { value_pct: 12.5 },
      avg_booking_time: { value_days: of.days },
      capacity_utilization: { utilization_pct: null },
      conflict_prevention: { conflicts_prevented: 4321 },
      meeting_forecast: { forecast: [{ scheduled: 1500 }] },
    } as unknown as Parameters<typeof digestMail>[0]['data'],
    url: `${publicUrl}/dashboard`,
    expiresAtMs: startMs + 7 * dayMs,
  });
}

/** Mails that somebody else has sent: a team, a workflow, a host, a visitor of the site. */
function otherMails(locale: string): SampleMail[] {
  const person = (name: string | null, number: number) => ({
    id: `0198c0de-0000-7000-8000-00000000000${number}` as UserId,
    email: `person-${number}@northwind-traders.example`,
    name,
    locale,
  });
  const step = (
    name: string,
    to: Partial<Recipient>,
    more: { kind?: 'booking' | 'form'; isHidden?: boolean } = {},
  ) => ({
    name: `workflow ${name}`,
    mail: stepMail(locale, to, more),
  });
  const followUp = (shownEmail: string | null) => ({
    name: `contacts follow-up${shownEmail === null ? ' hidden' : ''}`,
    mail: followUpMail({
      id: 'f1',
      userId,
      to: 'gus@example.net',
      by: { name: names.ada, shownEmail, locale },
      subject: 'Thank you 🙏',
      body: `${prose}\n\n${names.unbroken.repeat(2)}`,
    }),
  });
  const answers = (['accepted', 'tentative', 'declined', 'needs-action'] as const).map((answer) => ({
    name: `answer ${answer}`,
    mail: answerMail({
      editId: 'e1' as EditId,
      itemId: 'item' as ItemId,
      userId,
      by: { name: names.ada, locale },
      title: names.unbroken.slice(0, 60),
      answer,
      reply: { organizer: 'gus@example.net', attendee: 'ada@example.net', ics: 'BEGIN:VCALENDAR' },
    }),
  }));
  return [
    ...answers,
    ...(['admin', 'editor', 'viewer'] as const).map((role) => ({
      name: `team invitation ${role}`,
      mail: invitationMail(
        { publicUrl },
        {
          invitation: {
            id: 'i1' as TeamInvitationId,
            teamId: 't1' as TeamId,
            email: 'new@example.net',
            role,
            invitedBy: userId,
            sentMs: nowMs,
            expiresMs: startMs,
          },
          token: 'Zm9vYmFy',
          tokenHash: Buffer.from('hash'),
          team: names.unbroken,
          inviter: person(role === 'viewer' ? null : names.ada, 1),
          isReaderHere: false,
          isQuoted: role !== 'editor',
        },
      ),
    })),
    {
      name: 'team transfer',
      mail: transferMail({ publicUrl }, person(names.miriam, 2), {
        teamId: 't1' as TeamId,
        team: 'Sales & "Success"',
        owner: person(names.miriam, 1),
      }),
    },
    step('to guest', { role: 'guest' }),
    step('to guest of hidden host', { role: 'guest' }, { isHidden: true }),
    step('to address', { role: 'other', isProved: true }),
    step('of form', { role: 'other', isProved: false }, { kind: 'form' }),
    step('to host', { role: 'host' }),
    {
      name: 'workflow unconnected',
      mail: unconnectedMail(
        { id: 'w1' as WorkflowId, name: `${names.unbroken} 💬`, version: 1 },
        { userId, email: 'ada@northwind-traders.example', locale },
        publicUrl,
      ),
    },
    ...(['booking', 'form'] as const).map((why) => ({
      name: `workflow ask by ${why}`,
      mail: askMail(
        {
          run: { key: 'r1', userId },
          host: { id: userId, name: `${names.ada} ${names.unbroken}` },
          why,
          to: { address: 'gus@example.net', locale },
          readerId: '0198c0de-0000-7000-8000-0000000000aa',
        },
        publicUrl,
      ),
    })),
    {
      name: 'workflow address',
      mail: addressMail({
        userId,
        address: 'x@example.net',
        code: '483 920',
        by: names.miriam,
        locale,
        isReaderHere: false,
        nowMs,
      }),
    },
    followUp('ada@example.org'),
    followUp(null),
    {
      name: 'help support',
      mail: supportMail({
        id: 'h1',
        to: 'help@northwind-traders.example',
        from: 'ada@example.org',
        name: names.ada,
        locale,
        site: 'calendar.northwind-traders.example',
        message: `${prose}\n${names.unbroken.repeat(2)}`,
        diagnostics: `version: 0.1.0\nbrowser: ${firefox}`,
      }),
    },
    {
      name: 'site subscribe',
      mail: subscribeMail({
        key: 's1',
        to: 'new@example.net',
        locale,
        site: 'Northwind',
        confirmUrl: `${publicUrl}/subscribe/Zm9v`,
        expiresAtMs: startMs,
      }),
    },
  ];
}

function stepMail(
  locale: string,
  to: Partial<Recipient>,
  { kind = 'booking', isHidden = false }: { kind?: 'booking' | 'form'; isHidden?: boolean },
): MailMessage {
  const shownEmail = isHidden ? null : 'ada@example.org';
  const run = {
    id: 'r1' as RunId,
    key: 'r1',
    userId,
    teamId: null,
    workflowId: 'w1' as WorkflowId,
    stepId: 'p1' as StepId,
    booking: null,
    subject: 'x',
    attempt: 1,
    isTest: false,
  } as unknown as Parameters<typeof writeStepMail>[1];
  return writeStepMail(
    { config: { publicUrl } } as Parameters<typeof writeStepMail>[0],
    run,
    {
      to: { role: 'guest', address: 'gus@example.net', locale, zone: 'Europe/Berlin', isProved: true, ...to },
      subject: `Before we meet: ${longTitle}`,
      body: `${prose}\n\nhttps://example.com/plan?${'q=long&'.repeat(20)}\n\n${names.unbroken.repeat(2)}`,
    },
    0,
    {
      ics: null,
      expiresAtMs: startMs,
      reason: {
        ownerId: userId,
        host: { id: userId, name: names.ada, shownEmail },
        kind,
        title: longTitle,
        bookedUrl: kind === 'booking' ? `${publicUrl}/booked/s3cr3t` : null,
      },
      readerId: to.role === 'host' ? null : '0198c0de-0000-7000-8000-0000000000aa',
    },
  );
}

/** As they go into the outbox of an install that is called Holdfast. */
export function sampleMails(locale: string): SampleMail[] {
  return [...bookingMails(locale), ...accountMails(locale), ...otherMails(locale)].map(({ name, mail }) => ({
    name,
    mail: { ...mail, content: fitContent(nameInstall(mail.content, 'Holdfast')) },
  }));
}
