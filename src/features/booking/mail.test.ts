import ICAL from 'ical.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brandScale } from '#kernel/brand-scale.ts';
import type { BookingId, UserId } from '#kernel/ids.ts';
import { languages } from '#kernel/languages.ts';
import { inTransaction } from '#platform/db.ts';
import type { MailMessage } from '#platform/mail-message.ts';
import { readWithKhal, readWithLibraries, whyNoForeign } from '../../../test/harness/foreign-calendars.ts';
import { type ReceivedMail, startSmtpServer, type TestSmtpServer } from '../../../test/harness/smtp-server.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { toldAt } from '../../../test/harness/told-at.ts';
import * as mails from './mail.ts';
import { messageMail } from './message-mail.ts';
import { anotherTimeMail, questionMail } from './question-mail.ts';
import type { ToldBooking, ToldHost } from './rules/told-booking.ts';
import type { BookerMoment, BroughtMoment, HostMoment, Moment } from './rules/who-is-told.ts';

/** The mails of a booking as a mail program reads them, sent to a real SMTP server. */

type Setting = Parameters<typeof mails.guestMail>[2];
const guestMail = (moment: BookerMoment, told: ToldBooking, with_: Setting) =>
  mails.guestMail(moment, toldAt(moment, told), with_);
const invitedMail = (moment: BroughtMoment, told: ToldBooking, number: number, with_: Setting) =>
  mails.invitedMail(moment, toldAt(moment, told), number, with_);
const hostMail = (moment: HostMoment, told: ToldBooking, with_: Setting, reader?: ToldHost) =>
  mails.hostMail(moment, toldAt(moment, told), with_, reader);

let server: TestApp;
let smtp: TestSmtpServer;
beforeAll(async () => {
  smtp = await startSmtpServer();
  server = await startTestApp({ features: [], config: { smtpUrl: smtp.url } });
});
afterAll(async () => {
  await server.close();
  await smtp.close();
});

const dayMs = 86_400_000;
/** Friday, 3 PM in Berlin, 9 AM in New York, 11 PM in Tokyo. */
const startMs = Date.UTC(2026, 11, 4, 14);
const nowMs = startMs - 7 * dayMs;
const setting = { publicUrl: 'https://cal.example.org', from: 'no-reply@cal.example.org', nowMs };
const meet = 'https://meet.example.org/abc-defg-hij';
const teams =
  'https://teams.example.com/l/meetup-join/19%3ameeting_MjQ0%40thread.v2/0?context=%7b%22Tid%22%3a%22a0a2%22%2c%22Oid%22%3a%22d9e1%22%7d';
const manageUrl = 'https://cal.example.org/booked/s3cr3t';

const host = (name: string, locale = 'en'): ToldHost => ({
  id: name as UserId,
  name,
  email: `${name.split(' ')[0]?.toLowerCase()}@example.org`,
  shownEmail: null,
  zone: 'Europe/Berlin',
  locale,
  timeFormat: '24h',
});

const booking = (more: Partial<ToldBooking> = {}, locale = 'en'): ToldBooking => ({
  id: 'b1' as BookingId,
  ids: ['b1' as BookingId],
  uid: 'b1@holdfast.invalid',
  sequence: 0,
  toldAs: 'b1:0',
  title: 'Intro call',
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
  location: { kind: 'google-meet' },
  joinUrl: meet,
  lacksLink: false,
  host: host('Ada Nilsson', locale),
  others: [],
  contact: null,
  organizer: '',
  calendar: null,
  isCertain: true,
  isRequest: false,
  guest: { name: 'Gus Guest', email: 'gus@example.net', phone: '+81 3-5550-1234', zone: 'America/New_York', locale },
  guests: ['bea@example.net', 'cem@example.net'],
  untold: [],
  declineUrls: ['https://cal.example.org/invite/bea', 'https://cal.example.org/invite/cem'],
  unconfirmed: [],
  isProved: true,
  isReasonOfGuest: false,
  answers: [
    { label: 'Company', answer: 'Acme' },
    { label: 'I agree to the terms', answer: true },
  ],
  keptUntilMs: null,
  policy: { untilMs: startMs - dayMs, text: 'Late cancellations are charged.' },
  reason: null,
  url: manageUrl,
  proofUrl: `${manageUrl}?proof=pr00f`,
  bookUrl: 'https://cal.example.org/ada/intro',
  isWritten: true,
  ...more,
});

let sent = 0;
/** A mail as it arrives. The day of these bookings may be over, so no mail expires. */
async function receive(told: MailMessage): Promise<ReceivedMail> {
  const mail = { ...told };
  delete mail.expiresAtMs;
  sent += 1;
  const to = `reader-${sent}@example.com`;
  await inTransaction(server.app.db, (tx) =>
    server.app.mail.send(tx, { ...mail, key: `test:${sent}`, to, userId: null }),
  );
  await server.settle();
  const [received, ...more] = smtp.mailsTo(to);
  if (received === undefined || more.length > 0) throw new Error(`${more.length + 1} mails came for ${to}`);
  return received;
}

/** The calendar file of a mail. */
function fileOf({ parsed }: ReceivedMail): string {
  const file = parsed.attachments.find(({ mimeType }) => /calendar|ics/.test(mimeType));
  if (file === undefined) throw new Error('no calendar file in this mail');
  return typeof file.content === 'string' ? file.content : new TextDecoder().decode(file.content);
}

function eventOf(ics: string) {
  const event = new ICAL.Component(ICAL.parse(ics) as never).getFirstSubcomponent('vevent');
  const value = (name: string) => String(event?.getFirstPropertyValue(name) ?? '');
  return {
    location: value('location'),
    description: value('description'),
    url: value('url'),
    conference: value('conference'),
  };
}

/** Where the buttons and links of a mail lead, by their words. */
const linksOf = ({ parsed }: ReceivedMail): Record<string, string> =>
  Object.fromEntries(
    [...(parsed.html ?? '').matchAll(/<a href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].map(([, url = '', words = '']) => [
      words.replace(/<[^>]+>/g, ''),
      url.replaceAll('&amp;', '&'),
    ]),
  );

const link = 'https://call.example.com/room/9?pwd=a+b';
const places = [
  { name: 'Google Meet', location: { kind: 'google-meet' }, joinUrl: meet, where: 'Google Meet', place: meet },
  { name: 'Teams', location: { kind: 'teams' }, joinUrl: teams, where: 'Microsoft Teams', place: teams },
  {
    name: 'a link',
    location: { kind: 'link', url: link },
    joinUrl: link,
    where: 'Online (call.example.com)',
    place: link,
  },
  {
    name: 'a call of the host',
    location: { kind: 'phone', who_calls: 'host', number: '' },
    joinUrl: null,
    where: 'Phone call: Ada Nilsson will call +81 3-5550-1234',
    place: '+81 3-5550-1234',
    // the number of the booker is not for others
    brought: { where: 'Phone call: Ada Nilsson will call', place: 'Phone call: Ada Nilsson will call' },
  },
  {
    name: 'a number that the host gives later',
    location: { kind: 'phone', who_calls: 'guest', number: '' },
    joinUrl: null,
    where: 'Phone call. Ada Nilsson will tell you the number.',
    place: 'Phone call. Ada Nilsson will tell you the number.',
  },
  {
    name: 'a place that the host gives later',
    location: { kind: 'in-person', address: '' },
    joinUrl: null,
    where: 'In person. Ada Nilsson will tell you where.',
    place: 'In person. Ada Nilsson will tell you where.',
  },
  {
    name: 'a call of the guest',
    location: { kind: 'phone', who_calls: 'guest', number: '+49 30 5550123' },
    joinUrl: null,
    where: 'Phone call: call +49 30 5550123',
    place: '+49 30 5550123',
  },
  {
    name: 'an address',
    location: { kind: 'in-person', address: 'Main Street 1\n12345 Springfield' },
    joinUrl: null,
    where: 'Main Street 1\n  12345 Springfield',
    place: 'Main Street 1\n12345 Springfield',
  },
] as const satisfies readonly (Pick<ToldBooking, 'location' | 'joinUrl'> & Record<string, unknown>)[];

describe.each(places)('a booking at $name', ({ location, joinUrl, where, place, ...more }) => {
  const told = booking({ location, joinUrl });

  test('the mails to the guest and to the second brought guest say where the meeting is and how to join', async () => {
    const brought = 'brought' in more ? more.brought : { where, place };
    for (const [mail, seen] of [
      [guestMail('confirmed', told, setting), { where, place }],
      [invitedMail('confirmed', told, 1, setting), brought],
    ] as const) {
      const received = await receive(mail);
      expect(received.parsed.text).toContain(`\nWhere: ${seen.where}\n`);
      expect(linksOf(received)['Join meeting']).toBe(joinUrl ?? undefined);
      expect(received.links.includes(joinUrl ?? '')).toBe(joinUrl !== null);
      const event = eventOf(fileOf(received));
      expect(event).toMatchObject({ location: seen.place ?? '', url: joinUrl ?? '', conference: joinUrl ?? '' });
      expect(event.description?.includes(`Join: ${joinUrl}`)).toBe(joinUrl !== null);
    }
  });

  test('the mail about a cancellation and its file have no link to the meeting and no place', async () => {
    for (const mail of [guestMail('cancelled', told, setting), invitedMail('cancelled', told, 1, setting)]) {
      const received = await receive(mail);
      expect(eventOf(fileOf(received))).toEqual({ location: '', description: '', url: '', conference: '' });
      expect(linksOf(received)['Join meeting']).toBeUndefined();
      if (joinUrl !== null) expect(received.parsed.text + String(received.parsed.html)).not.toContain(joinUrl);
    }
  });

  test('a request says neither how to join nor where to come', async () => {
    for (const moment of ['mail-wanted', 'requested', 'rescheduled-pending', 'declined', 'expired'] as const) {
      const { parsed } = await receive(guestMail(moment, told, setting));
      expect(parsed.attachments).toEqual([]);
      expect(parsed.text).not.toContain(place.split('\n')[0]);
    }
  });

  test.skipIf(whyNoForeign() !== null)(
    'the calendar file of a booking is read alike by khal, vobject, and icalendar',
    async () => {
      const ics = fileOf(await receive(guestMail('confirmed', told, setting)));
      const { vobject, icalendar } = await readWithLibraries(ics);
      for (const { method, events } of [vobject, icalendar]) {
        expect(method).toBe('REQUEST');
        expect(events).toMatchObject([
          {
            location: place,
            url: joinUrl ?? '',
            conference: joinUrl ?? '',
            attendees: ['mailto:gus@example.net'],
            start: '2026-12-04T15:00:00+01:00',
          },
        ]);
        expect(events[0]?.description.includes(String(joinUrl))).toBe(joinUrl !== null);
      }
      expect((await readWithKhal(ics)).join('\n')).toContain(`2026-12-04 14:00|${place}|${joinUrl ?? ''}`);
    },
  );
});

describe('a mail about a booking', () => {
  test('a mail about a booking has its time with the end, the zone, the people, the answers, and the policy', async () => {
    const { parsed } = await receive(guestMail('confirmed', booking(), setting));
    expect(parsed.subject).toBe('Intro call with Ada Nilsson, Fri, Dec 4, 9:00 AM');
    for (const line of [
      'When: Friday, December 4, 2026\n  9:00 – 9:30 AM, New York (GMT-5)',
      'With: Ada Nilsson',
      'Also invited: bea@example.net\n  cem@example.net',
      'Company: Acme',
      'I agree to the terms: Yes',
      'Cancellation policy: Late cancellations are charged.',
      'You can reschedule or cancel until Thu, Dec 3, 9:00 AM (GMT-5).',
    ])
      expect(parsed.text).toContain(line);
    const atHost = await receive(hostMail('confirmed', booking(), setting));
    expect(atHost.parsed.subject).toBe('New booking: Intro call with Gus Guest, Fri, Dec 4, 15:00');
    expect(atHost.parsed.text).toContain('15:00 – 15:30, Berlin (GMT+1)');
    expect(atHost.parsed.text).toContain('Company: Acme');
    expect(linksOf(atHost)).toMatchObject({ 'gus@example.net': 'mailto:gus@example.net', 'Join meeting': meet });
  });

  test.each([
    ['en', 'Confirm by Fri, Nov 27, 9:17 AM (GMT-5) to keep your time.'],
    ['en-GB', 'Confirm by Fri 27 Nov, 9:17 (GMT-5) to keep your time.'],
    ['de', 'Bestätigen Sie bis Fr., 27. Nov., 9:17 (GMT-5), damit Ihr Termin reserviert bleibt.'],
    ['es-MX', 'Confirma antes del vie 27 de nov, 9:17 a.m. (GMT-5) para conservar tu reserva.'],
    ['ja', '11月27日(金) 9:17 (GMT-5)までに予約を確定してください'],
  ])(
    'a mail that asks for a confirmation has the end of the hold in the zone of its reader: %s',
    async (locale, said) => {
      // the mail goes out 13 minutes before that
      const keptUntilMs = nowMs + 17 * 60_000;
      const { parsed } = await receive(guestMail('mail-wanted', booking({ keptUntilMs }, locale), setting));
      expect(parsed.text?.replaceAll(/\s+/g, ' ')).toContain(said);
      expect(parsed.text).not.toMatch(/30 (?:min|Min)|30分/);
    },
  );

  test('a mail has the 24-hour clock for a British guest, and the 12-hour clock for an American one', async () => {
    const text = async (locale: string) =>
      (await receive(guestMail('confirmed', booking({ startMs: startMs + 21_600_000 }, locale), setting))).parsed.text;
    expect(await text('en-GB')).toContain('15:00');
    expect(await text('en-GB')).not.toMatch(/\d [AP]M/i);
    expect(await text('en-US')).toContain('3:00');
  });

  test.each([
    ['en', 'Ada Nilsson canceled your meeting', '(2 of the 5 dates in this series)', '(all 5 dates)', '(date 2 of 5)'],
    [
      'de',
      'Ihr Termin wurde von Ada Nilsson abgesagt',
      '(2 der 5 Termine dieser Serie)',
      '(alle 5 Termine)',
      '(Termin 2 von 5)',
    ],
    [
      'es',
      'Tu reunión ha sido cancelada por Ada Nilsson',
      '(2 de las 5 fechas de esta serie)',
      '(las 5 fechas)',
      '(fecha 2 de 5)',
    ],
    [
      'fr',
      'Votre rendez-vous a été annulé par Ada Nilsson',
      '(2 des 5 dates de cette série)',
      '(les 5 dates)',
      '(date 2 sur 5)',
    ],
    [
      'ja',
      'Ada Nilssonさんがミーティングをキャンセルしました',
      '（このシリーズ全5回のうち2回）',
      '（全5回）',
      '（5回中2回目）',
    ],
  ])('mails about dates of a series say which of them changed: %s', (locale, heading, some, all, one) => {
    const week = 7 * dayMs;
    const dates = Array.from({ length: 5 }, (_, n) => ({
      firstMs: startMs + n * week,
      startMs: startMs + n * week,
      endMs: startMs + n * week + 1_800_000,
      joinUrl: meet,
      stands: n !== 1 && n !== 3,
      id: `b${n}` as BookingId,
      hostIds: [],
    }));
    const [, second = dates[0], , fourth = dates[0]] = dates;
    const headingsOf = (together: typeof dates) => {
      const told = booking(
        {
          startMs: second?.startMs ?? 0,
          endMs: second?.endMs ?? 0,
          actor: 'host',
          together,
          date: { number: 2, others: [startMs + 4 * week] },
          series: { uid: 's', sequence: 1, zone: 'Europe/Berlin', times: dates },
        },
        locale,
      );
      return [guestMail('cancelled', told, setting), invitedMail('cancelled', told, 1, setting)].map(({ content }) =>
        content.heading.replaceAll(/[\u2066-\u2069]/g, ''),
      );
    };
    const sentence = (dated: string) => (locale === 'ja' ? `${heading}${dated}` : `${heading} ${dated}`);
    for (const [together, dated] of [
      [[second, fourth].flatMap((date) => date ?? []), some],
      [dates, all],
      [[second].flatMap((date) => date ?? []), one],
    ] as const)
      for (const said of headingsOf([...together])) expect(said).toBe(sentence(dated));
  });

  test.each(['host', 'guest'] as const)(
    'mails about a move say that the %s did it, and whoever did not is named',
    (actor) => {
      const told = booking({
        actor,
        before: { startMs: startMs - dayMs, endMs: startMs - dayMs + 1_800_000, wasBooked: true },
        others: [host('Bea Nilsson')],
      });
      const headings = [
        guestMail('rescheduled', told, setting),
        invitedMail('rescheduled', told, 1, setting),
        hostMail('rescheduled', told, setting, host('Bea Nilsson')),
      ].map(({ content }) => content.heading.replaceAll(/[\u2066-\u2069]/g, ''));
      expect(headings).toEqual(
        actor === 'host'
          ? [
              'Ada Nilsson and Bea Nilsson moved your meeting to a new time',
              'Ada Nilsson and Bea Nilsson moved your meeting to a new time',
              'Your meeting with Gus Guest has a new time',
            ]
          : [
              'You moved your meeting with Ada Nilsson and Bea Nilsson to a new time',
              'Gus Guest moved the meeting with Ada Nilsson and Bea Nilsson to a new time',
              'Gus Guest moved your meeting to a new time',
            ],
      );
    },
  );

  test('a change of both dates of a series says so', () => {
    const times = [0, 7].map((days) => ({
      firstMs: startMs + days * dayMs,
      startMs: startMs + days * dayMs,
      endMs: startMs + days * dayMs + 1_800_000,
      joinUrl: meet,
      stands: false,
      id: `b${days}` as BookingId,
      hostIds: [],
    }));
    const series = { uid: 's', sequence: 1, zone: 'Europe/Berlin', times };
    const told = booking({ actor: 'host', together: times, date: { number: 1, others: [] }, series });
    expect(guestMail('cancelled', told, setting).content.heading).toMatch(/canceled your meeting \(both dates\)$/);
  });

  test('a mail breaks no line within the offset of a zone', async () => {
    const { parsed } = await receive(guestMail('confirmed', booking(), setting));
    expect(parsed.html).toContain('New York (<span style="white-space:nowrap">GMT-5</span>)');
  });

  test('a mail to a guest has the color of the event type, and a mail to a host that of the install', async () => {
    const told = booking({ color: '#0a7d32' });
    const button = `background:${brandScale('#0a7d32')[6]}`;
    const guests = [guestMail('confirmed', told, setting), invitedMail('confirmed', told, 1, setting)];
    for (const mail of guests) expect((await receive(mail)).parsed.html).toContain(button);
    for (const mail of [hostMail('confirmed', told, setting), guestMail('confirmed', booking(), setting)])
      expect((await receive(mail)).parsed.html).not.toContain(button);
  });

  test('the mail about a new booking names person, start, and end in each language', async () => {
    const expected = {
      en: [
        'Intro call with Ada Nilsson, Fri, Dec 4, 9:00 AM',
        'When: Friday, December 4, 2026\n  9:00 – 9:30 AM, New York (GMT-5)',
      ],
      de: [
        'Intro call mit Ada Nilsson, Fr., 4. Dez., 9:00',
        'Wann: Freitag, 4. Dezember 2026\n  9:00 – 9:30, New York (GMT-5)',
      ],
      fr: [
        'Intro call avec Ada Nilsson, ven. 4 déc., 9:00',
        'Quand\u00a0: vendredi 4 décembre 2026\n  9:00 – 9:30, New York (GMT-5)',
      ],
      es: [
        'Intro call con Ada Nilsson, vie, 4 dic, 9:00',
        'Cuándo: viernes, 4 de diciembre de 2026\n  9:00 – 9:30, New York (GMT-5)',
      ],
      ja: [
        '予約確定：Intro call（Ada Nilssonさん）12月4日(金) 9:00',
        '日時：2026年12月4日金曜日\n  9:00～9:30 New York（GMT-5）',
      ],
    };
    for (const locale of languages) {
      const { parsed } = await receive(guestMail('confirmed', booking({}, locale), setting));
      expect([parsed.subject, parsed.text]).toEqual([
        expected[locale][0],
        expect.stringContaining(expected[locale][1] ?? ''),
      ]);
    }
  });

  test('a mail about a move has the old time beside the new one, both with their ends', async () => {
    const told = booking({
      before: { startMs: startMs - 3 * dayMs + 3_600_000, endMs: startMs - 3 * dayMs + 5_400_000, wasBooked: true },
    });
    const mails = [
      guestMail('rescheduled', told, setting),
      guestMail('rescheduled-pending', told, setting),
      invitedMail('rescheduled', told, 1, setting),
    ];
    for (const mail of mails) {
      const { parsed } = await receive(mail);
      expect(parsed.text).toContain('When: Friday, December 4, 2026\n  9:00 – 9:30 AM, New York (GMT-5)');
      expect(parsed.text).toContain('Former time: Tuesday, December 1, 2026\n  10:00 – 10:30 AM, New York (GMT-5)');
    }
    const { parsed } = await receive(hostMail('rescheduled', told, setting));
    expect(parsed.text).toContain('Former time: Tuesday, December 1, 2026\n  16:00 – 16:30, Berlin (GMT+1)');
  });

  test('a mail has links that add the booking to two calendar services, with the link to the meeting', async () => {
    const links = linksOf(await receive(guestMail('confirmed', booking(), setting)));
    expect(new URL(links['Google Calendar'] ?? '').searchParams.get('location')).toBe(meet);
    expect(new URL(links.Outlook ?? '').searchParams.get('location')).toBe(meet);
    expect(`${links['Google Calendar']} ${links.Outlook}`).not.toContain('s3cr3t');
  });

  test('a mail says when it is too late to change the booking', async () => {
    const late = booking({ policy: { untilMs: nowMs, text: '' } });
    const received = await receive(guestMail('confirmed', late, setting));
    expect(received.parsed.text).toContain('This meeting can no longer be changed online.');
    expect(linksOf(received)).toMatchObject({ 'View booking': `${manageUrl}?proof=pr00f` });
    const open = booking({ policy: { untilMs: startMs, text: '' } });
    expect((await receive(guestMail('confirmed', open, setting))).parsed.text).toContain(
      'You can reschedule or cancel until the meeting starts.',
    );
  });

  test('a mail whose meeting link is still being made says that the link follows', async () => {
    const received = await receive(guestMail('confirmed', booking({ joinUrl: null }), setting));
    expect(received.parsed.text).toContain('Where: Google Meet (link follows by email)');
    expect(eventOf(fileOf(received))).toMatchObject({ location: 'Google Meet', conference: '' });
  });

  test('a mail promises no link to a host, who gets none, nor to guests of a meeting that does not take place', async () => {
    const none = booking({ joinUrl: null });
    const over = { ...none, isCertain: false };
    for (const mail of [
      ...(['confirmed', 'requested', 'cancelled', 'declined', 'expired'] as const).map((moment) =>
        hostMail(moment, moment === 'confirmed' ? none : over, setting),
      ),
      ...(['cancelled', 'declined', 'expired'] as const).map((moment) => guestMail(moment, over, setting)),
      invitedMail('cancelled', over, 0, setting),
    ]) {
      const { parsed } = await receive(mail);
      expect(parsed.text, mail.kind).toMatch(/^Where: Google Meet$/m);
    }
  });

  test('a mail links an address to a map and a number to the phone', async () => {
    const address = booking({
      location: { kind: 'in-person', address: 'Main Street 1\n12345 Springfield' },
      joinUrl: null,
    });
    const toMap = linksOf(await receive(guestMail('confirmed', address, setting)))['Main Street 112345 Springfield'];
    expect(new URL(toMap ?? '').searchParams.get('query')).toBe('Main Street 1 12345 Springfield');
    const call = booking({ location: { kind: 'phone', who_calls: 'host', number: '' }, joinUrl: null });
    expect(linksOf(await receive(hostMail('confirmed', call, setting)))['Phone call: call +81 3-5550-1234']).toBe(
      'tel:+81355501234',
    );
  });

  test('a mail about all dates of a series names those that are not booked, and one about some dates does not', async () => {
    const week = 7 * dayMs;
    const dates = [0, 1, 3].map((n) => ({
      firstMs: startMs + n * week,
      startMs: startMs + n * week,
      endMs: startMs + n * week + 1_800_000,
      joinUrl: meet,
      stands: true,
      id: `date-${n}` as BookingId,
      hostIds: [],
    }));
    const told = booking({
      together: dates,
      series: { uid: 's', sequence: 0, zone: 'Europe/Berlin', times: dates, leftOutMs: [startMs + 2 * week] },
    });
    const textOf = async (mail: MailMessage) => (await receive(mail)).parsed.text ?? '';
    expect(await textOf(guestMail('confirmed', told, setting))).toMatch(/^Not booked: Fri, Dec 18\D.*9:00 – 9:30 AM$/m);
    expect(await textOf(hostMail('confirmed', told, setting))).toMatch(/^Not booked: /m);
    expect(await textOf(guestMail('cancelled', { ...told, together: dates.slice(1) }, setting))).not.toContain(
      'Not booked',
    );
  });

  test('a mail to the host and one that asks for a confirmation say the kind of meeting where nothing else is known', async () => {
    const whereIn = async (told: MailMessage) => /^Where: (.*)$/m.exec((await receive(told)).parsed.text ?? '')?.[1];
    for (const [location, toHost, toGuest] of [
      [{ kind: 'in-person', address: '' }, 'In person. Tell Gus Guest where to meet.', 'In person'],
      [{ kind: 'phone', who_calls: 'guest', number: '' }, 'Phone call. Tell Gus Guest the number.', 'Phone call'],
      [{ kind: 'phone', who_calls: 'host', number: '' }, 'Phone call: call +81 3-5550-1234', 'Phone call'],
      [{ kind: 'link', url: link }, 'Online (call.example.com)', 'Online'],
    ] as const) {
      const told = booking({ location, joinUrl: null });
      expect(await whereIn(hostMail('confirmed', told, setting))).toBe(toHost);
      expect(await whereIn(guestMail('mail-wanted', told, setting))).toBe(toGuest);
    }
  });

  test('the text of a mail has the facts and the links of its HTML, and no long line but an address', async () => {
    const long = booking({
      answers: [{ label: 'Topic', answer: 'We would like to talk about our plans. '.repeat(40) }],
    });
    const moments = ['confirmed', 'rescheduled', 'linked', 'reassigned', 'reminder', 'requested', 'cancelled'] as const;
    const mails = [
      ...moments.map((moment: (typeof moments)[number]) => guestMail(moment, long, setting)),
      hostMail('confirmed', long, setting),
      invitedMail('confirmed', long, 0, setting),
    ];
    for (const mail of mails) {
      const received = await receive(mail);
      const text = received.parsed.text ?? '';
      for (const url of Object.values(linksOf(received)).filter((one) => one.startsWith('https:')))
        expect(received.links).toContain(url);
      for (const block of mail.content.blocks)
        if ('facts' in block)
          for (const [label] of block.facts) expect(text).toContain(`${label.replaceAll(/[\u2068\u2069]/g, '')}: `);
      for (const line of text.split('\n')) if (!line.includes('https://')) expect(line.length).toBeLessThanOrEqual(78);
    }
  });

  test('a mail has no invisible characters in subject and text unless a name runs from right to left', async () => {
    const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;
    const reason = 'I am ill.\n\nSorry!';
    for (const mail of [
      guestMail('confirmed', booking(), setting),
      guestMail('cancelled', booking({ reason }), setting),
      invitedMail('confirmed', booking(), 0, setting),
      hostMail('cancelled', booking({ reason }), setting),
    ]) {
      const { parsed } = await receive(mail);
      expect(`${parsed.subject}\n${parsed.text}`).not.toMatch(invisible);
      expect(parsed.text).not.toMatch(/[ \t]$/m);
    }
    const hebrew = booking({ guest: { ...booking().guest, name: 'מרים' } });
    const { parsed } = await receive(hostMail('confirmed', hebrew, setting));
    expect(parsed.text).toContain('\u2068מרים\u2069');
    expect(parsed.subject).toContain('\u2068מרים\u2069');
  });

  test('a mail makes no link of text that a guest typed', async () => {
    const typed = 'see https://evil.example/now or www.evil.example, evil.example/x and me@evil.example';
    const told = booking({
      reason: typed,
      answers: [{ label: 'Topic', answer: typed }],
      guest: { ...booking().guest, name: typed },
    });
    for (const mail of [hostMail('confirmed', told, setting), guestMail('confirmed', told, setting)]) {
      const { parsed } = await receive(mail);
      expect(`${parsed.text} ${parsed.html} ${parsed.subject}`).not.toMatch(/evil\.example|https:\/\/evil/);
    }
  });
});

describe('every mail about a booking', () => {
  const guestMoments = [
    'mail-wanted',
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
  ] as const satisfies readonly Moment[];
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
  ] as const satisfies readonly Moment[];
  const question = { id: 'q1', askedMs: 1, startMs: startMs + 3_600_000, endMs: startMs + 5_400_000 };
  const every = (told: ToldBooking): MailMessage[] => [
    ...guestMoments.map((moment) => guestMail(moment, told, setting)),
    ...(['confirmed', 'rescheduled', 'linked', 'cancelled'] as const).map((moment) =>
      invitedMail(moment, told, 1, setting),
    ),
    ...hostMoments.map((moment) => hostMail(moment, told, setting)),
    ...(['moved', 'deleted', 'declined', 'conflict', 'overbooked'] as const).map((kind) =>
      questionMail(told, { ...question, kind, subject: 'x', title: 'Dentist' } as never, setting.publicUrl),
    ),
    anotherTimeMail(told, { ...question, kind: 'conflict', subject: 'x', title: null } as never),
  ];

  test.each(languages)(
    'every mail about a booking names person and time in its subject, and fills every placeholder (%s)',
    (locale) => {
      for (const { kind, content } of every(booking({}, locale))) {
        expect(content.subject, kind).toMatch(/Ada Nilsson|Gus Guest/);
        expect(content.subject, kind).toMatch(/\d:00/);
        expect(JSON.stringify(content), kind).not.toMatch(/\{\{|undefined|null/);
      }
    },
  );

  test('a title and a host name that look like links make no link in any mail about a booking', async () => {
    const evil = 'Win at http://evil.example/now or evil.example';
    const more = {
      title: evil,
      host: host(evil, 'en'),
      others: [],
      contact: { ...host(evil, 'en'), shownEmail: 'ada@example.org' },
    };
    for (const { content } of every(booking(more))) {
      const said = [
        content.subject,
        content.heading,
        ...content.blocks.flatMap((block) =>
          'text' in block
            ? [block.text]
            : 'small' in block
              ? [block.small]
              : 'facts' in block
                ? block.facts.map(([, value]) => value)
                : [],
        ),
      ];
      for (const text of said) expect(text).not.toMatch(/http:\/\/evil|evil\.example/);
    }
  });

  test('no mail about a booking takes a text or an address of a stranger for words or links of ours', () => {
    const evil = 'Your account is locked';
    const told = booking({
      reason: evil,
      answers: [{ label: evil, answer: evil }],
      policy: { ...booking().policy, text: evil },
      guest: { ...booking().guest, email: 'www.evil.example/now?cc=eve&body=pay@example.net' },
      guests: ['bea@example.net', 'www.evil.example/now@example.net'],
    });
    const messages = [true, false].map((isKnown) =>
      messageMail(told, host('Ada'), { text: evil, named: 'm', isKnown }, setting.publicUrl),
    );
    const all = [...every(told), ...messages];
    for (const { kind, content } of all) {
      const sentences = content.blocks.flatMap((block) =>
        'text' in block ? [block.text] : 'small' in block ? [block.small] : [],
      );
      expect(sentences.join('\n'), kind).not.toContain(evil);
      expect(JSON.stringify(content), kind).not.toMatch(/evil\.example(?!%2F)|mailto:[^"]*[?&]/);
    }
    const [message] = all.at(-1)?.content.blocks ?? [];
    expect(message).toMatchObject({ facts: [[expect.stringContaining('Gus Guest'), expect.stringContaining(evil)]] });
  });

  /** A mail as its reader has it, with the lines of its calendar file unfolded. */
  const wholeOf = ({ content, calendar }: MailMessage) =>
    `${JSON.stringify(content)} ${calendar?.ics.replaceAll(/\r?\n[ \t]/g, '') ?? ''}`;

  test('every mail to the booker and to the second brought guest has no free text and no unknown site before they confirm their addresses', () => {
    const evil = 'Win at https://evil.example/now or www.evil.example';
    const more: Partial<ToldBooking> = {
      title: evil,
      reason: 'Call this reason',
      answers: [{ label: 'Topic', answer: 'Call this answer' }],
      policy: { ...booking().policy, text: 'Call this policy' },
      location: { kind: 'link', url: 'https://evil.example/room' },
      joinUrl: 'https://evil.example/room',
      host: host(evil),
      contact: { ...host(evil), shownEmail: 'ada@example.org' },
      guest: { ...booking().guest, name: evil },
      guests: ['bea@example.net', 'cem@example.net', 'win-at@evil.example'],
      unconfirmed: ['gus@example.net', 'cem@example.net'],
    };
    const written = (told: ToldBooking) => [
      ...guestMoments.map((moment) => guestMail(moment, told, setting)),
      ...(['confirmed', 'rescheduled', 'linked', 'cancelled', 'reminder'] as const).map((moment) =>
        invitedMail(moment, told, 1, setting),
      ),
    ];
    for (const mail of written(booking(more)))
      expect(wholeOf(mail), `${mail.kind} to ${mail.to}`).not.toMatch(/evil\.example|https:\/\/evil|Call this/);
    for (const address of ['Main Street 1, www.evil.example', evil])
      for (const mail of written(booking({ ...more, location: { kind: 'in-person', address }, joinUrl: null })))
        expect(wholeOf(mail).replaceAll(/query=[^"]*/g, ''), mail.kind).not.toMatch(/evil\.example|https:\/\/evil/);
    // calendars keep what they are given: names without signs of ours
    for (const mail of written(booking(more))) {
      const urls = mail.content.blocks
        .flatMap((block) => ('links' in block ? block.links.to : []))
        .map(({ url }) => url);
      expect(`${mail.calendar?.ics} ${decodeURIComponent(urls.join(' '))}`, mail.kind).not.toContain('\u2060');
    }
    // once they have, it has all of it
    const proved = guestMail('confirmed', booking({ ...more, unconfirmed: [] }), setting);
    expect(wholeOf(proved)).toMatch(/https:\/\/evil\.example\/room.*Call this policy/);
  });

  /** Every word that a guest can type. */
  const typed: Partial<ToldBooking> = {
    reason: 'Call this reason',
    isReasonOfGuest: true,
    answers: [{ label: 'Topic', answer: 'Call this answer' }],
    guests: ['call-this@example.net'],
    location: { kind: 'phone', who_calls: 'host', number: '' },
    joinUrl: null,
    calendar: { method: 'invite' },
    guest: { ...booking().guest, name: 'Call this name', phone: '+1 900 555 0100' },
  };

  test('a guest reads the end of the number that the host will call, also in a booking that they have not confirmed', async () => {
    const told = booking({ ...typed, isProved: false });
    const received = await receive(guestMail('confirmed', told, setting));
    expect(received.parsed.text).toMatch(/^Where: Phone call: Ada Nilsson will call …100$/m);
    expect(eventOf(fileOf(received)).location).toBe('Phone call: Ada Nilsson will call');
    expect((await receive(invitedMail('confirmed', told, 1, setting))).parsed.text).not.toContain('100');
  });

  test('no mail to a confirmed address has words or the number of a booking that its guest has not confirmed', () => {
    const forged = booking({ ...typed, isProved: false });
    for (const moment of guestMoments)
      expect(wholeOf(guestMail(moment, forged, setting)), moment).not.toMatch(/call.this|900 ?555|900%20555/i);
    const own = guestMail('cancelled', booking({ ...typed, isProved: true }), setting);
    expect(wholeOf(own)).toContain('Call this reason');
    const ofHost = booking({ ...typed, isProved: false, isReasonOfGuest: false, reason: 'I am ill' });
    expect(wholeOf(guestMail('cancelled', ofHost, setting))).toContain('I am ill');
  });

  test('no mail to the second brought guest has a reason or the number of the booker, whoever has confirmed an address', () => {
    const told = booking({ ...typed, guests: ['bea@example.net', 'cem@example.net'] });
    for (const moment of ['confirmed', 'rescheduled', 'cancelled', 'reminder'] as const)
      expect(wholeOf(invitedMail(moment, told, 1, setting)), moment).not.toMatch(/this reason|900 ?555|900%20555/);
  });

  test.each([
    ['open evil。example/pay now', 'open now'],
    ['open evil．example/pay now', 'open now'],
    ['open https://evil.example now', 'open now'],
    ['open www.evil.example now', 'open now'],
    ['J.R. St.John-Smith, Ph.D.', 'J.R. St.John-Smith, Ph.D.'],
    ['山田。太郎', '山田。太郎'],
  ])('the name %s of a booker is %s in an invitation to an unconfirmed address', (name, kept) => {
    const told = booking({ guest: { ...booking().guest, name }, unconfirmed: ['bea@example.net'] });
    const mail = invitedMail('confirmed', { ...told, calendar: { method: 'invite' } }, 0, setting);
    expect(wholeOf(mail).replaceAll(/[\u2060\u2068\u2069]/g, '')).toContain(kept);
    expect(wholeOf(mail)).not.toMatch(/evil.example/);
  });

  test('every mail to an unconfirmed address leads to the booking page in place of an unknown site, and to a known meeting service', () => {
    const at = (url: string) =>
      booking({ location: { kind: 'link', url }, joinUrl: url, unconfirmed: ['gus@example.net', 'bea@example.net'] });
    const buttons = ({ content }: MailMessage) =>
      content.blocks.flatMap((block) => ('button' in block ? [block.button] : []));
    const unknown = at('https://call.example.com/room');
    expect(buttons(guestMail('confirmed', unknown, setting))).toEqual([
      { label: 'View booking', url: `${manageUrl}?proof=pr00f` },
    ]);
    expect(wholeOf(guestMail('confirmed', unknown, setting))).toContain('Online (the link is on the booking page)');
    expect(buttons(invitedMail('confirmed', unknown, 0, setting))).toEqual([
      { label: 'Decline', url: 'https://cal.example.org/invite/bea', quiet: true },
    ]);
    expect(wholeOf(invitedMail('confirmed', unknown, 0, setting))).toContain(
      'Online (the link is on the page of your invitation)',
    );
    const zoom = 'https://us02web.zoom.us/j/123';
    for (const mail of [guestMail('confirmed', at(zoom), setting), invitedMail('confirmed', at(zoom), 0, setting)])
      expect(buttons(mail)).toContainEqual({ label: 'Join meeting', url: zoom });
  });

  test('a mail to an unconfirmed address leads to the policy that limits changes', () => {
    const strange = guestMail('confirmed', booking({ unconfirmed: ['gus@example.net'] }), setting);
    const facts = strange.content.blocks.flatMap((block) => ('facts' in block ? block.facts : []));
    expect(facts).toContainEqual(['Cancellation policy', 'Read the cancellation policy', `${manageUrl}?proof=pr00f`]);
    const free = booking({ unconfirmed: ['gus@example.net'], policy: { untilMs: startMs, text: ' ' } });
    expect(wholeOf(guestMail('confirmed', free, setting))).not.toContain('Cancellation policy');
  });

  test.each([
    ['olga.host', 'Node.js basics'],
    ['Olga', 'www.evil.example'],
    ['evil.example/now', 'https://evil.example'],
  ])('an invitation to an unconfirmed address from %s to %s keeps names and parts addresses', (name, title) => {
    const told = booking({
      host: { ...host('Ada'), name },
      title,
      calendar: { method: 'invite' },
      unconfirmed: ['gus@example.net'],
    });
    const mail = guestMail('confirmed', told, setting);
    const summary = /SUMMARY:(.*?)\r/.exec(wholeOf(mail))?.[1];
    if (name === 'olga.host') {
      expect(summary).toBe('Node.js basics: olga.host');
      expect(wholeOf(mail)).toContain('ORGANIZER;CN="olga.host"');
      expect(mail.fromName).not.toContain(' ');
    }
    expect(summary).not.toMatch(/evil\.example/);
  });

  test('an invitation without its link leads to the booking page, as long as the booker can see the link there', () => {
    const url = 'https://call.example.com/room';
    const told = booking({
      location: { kind: 'link', url },
      joinUrl: url,
      calendar: { method: 'invite' },
      unconfirmed: ['gus@example.net', 'cem@example.net'],
    });
    const events = eventOf(guestMail('confirmed', told, setting).calendar?.ics ?? '');
    expect(events).toMatchObject({
      url: manageUrl,
      description: `Join, reschedule, or cancel: ${manageUrl}`,
      location: 'Online (the link is on the booking page)',
    });
    const brought = eventOf(invitedMail('confirmed', told, 1, setting).calendar?.ics ?? '');
    const page = told.declineUrls[1];
    expect(page).toContain('/invite/');
    expect(brought).toMatchObject({
      url: page,
      description: `Join or decline: ${page}`,
      location: 'Online (the link is on the page of your invitation)',
    });
    const ended = guestMail(
      'cancelled',
      { ...told, calendar: { method: 'cancel', startMs, endMs: startMs + 1 } },
      setting,
    );
    expect(eventOf(ended.calendar?.ics ?? '').url).not.toContain('/booked/');
  });

  test('the outbox takes every mail about a booking, however long names, title, place, and answers are', async () => {
    const wide = '漢字'.repeat(60);
    const told = booking({
      title: wide,
      host: { ...host('Ada'), name: wide.repeat(2) },
      location: { kind: 'in-person', address: '字'.repeat(500) },
      joinUrl: null,
      guest: { ...booking().guest, name: wide.repeat(2) },
      answers: Array.from({ length: 20 }, (_, n) => ({ label: `${n} ${wide}`, answer: wide.repeat(40) })),
      policy: { untilMs: startMs, text: wide.repeat(16) },
      reason: wide.repeat(40),
      guests: Array.from({ length: 10 }, (_, n) => `${n}${'a'.repeat(60)}@${'b.'.repeat(90)}example`),
    });
    for (const mail of every(told)) await receive(mail);
  });
});
