import type { BookingId, UserId } from '#kernel/ids.ts';
import { type MailBlock, type MailCalendar, type MailMessage, quoteName, quoteText } from '#platform/mail-message.ts';
import { type SayMail, sayDay, sayTime, type TimeFormat } from '#platform/mail-words.ts';
import type en from './mail.en.json';
import type { ToldAnswer } from './rules/check-answers.ts';
import { type InvitedEvent, type Organizer, writeInvitation } from './rules/invitation.ts';
import { joinNames } from './rules/join-names.ts';
import { type BookedSeries, changeSeries, type SeriesTime } from './rules/series-invitation.ts';
import type { TypeSettings } from './rules/type-settings.ts';
import { sayAnswers } from './say-answers.ts';
import { wordsIn } from './words-in.ts';

/** What is told about a booking. `rescheduled-pending`: to a time that its host has to confirm. */
export type Moment =
  | 'mail-wanted'
  | 'requested'
  | 'confirmed'
  | 'rescheduled'
  | 'rescheduled-pending'
  | 'declined'
  | 'expired'
  | 'cancelled'
  | 'linked'
  | 'reassigned'
  | 'handed-over'
  | 'reminder';

export interface ToldHost {
  id: UserId;
  name: string;
  email: string;
  /** For guests; null where it is hidden from them. */
  shownEmail: string | null;
  zone: string;
  locale: string;
  timeFormat: '12h' | '24h';
}

/** A booking with all that its mails say. Times are epoch ms. */
export interface ToldBooking {
  id: BookingId;
  /** Of all that are told of together. */
  ids: readonly BookingId[];
  uid: string;
  sequence: number;
  /** What is told: this version of a booking, or several that became the same together. */
  toldAs: string;
  title: string;
  startMs: number;
  endMs: number;
  /** Where it stood before it was moved. */
  beforeMs: number | null;
  /** That it is a time of. */
  series: BookedSeries | null;
  /** Times of the series that are told of together, in order. */
  together: readonly SeriesTime[];
  location: TypeSettings['location'];
  joinUrl: string | null;
  host: ToldHost;
  /** Who takes part besides, and who did until now. */
  others: readonly ToldHost[];
  left: readonly ToldHost[];
  /** The host who reads answers of guests; null where all hide their addresses. */
  contact: ToldHost | null;
  /** The address of the organizer in calendars; empty for that of the install. */
  organizer: string;
  guest: { name: string; email: string; phone: string | null; zone: string; locale: string };
  /** Addresses of whom the guest brings. */
  guests: readonly string[];
  answers: readonly ToldAnswer[];
  reason: string | null;
  /** Of the guest's page. */
  url: string;
  /** The same with the secret that proves the guest's address: for mails to that address only. */
  proofUrl: string;
  /** Where something like it can be booked. */
  bookUrl: string | null;
  /** It is in a calendar of the host. */
  isWritten: boolean;
}

interface Setting {
  publicUrl: string;
  /** The address of the install. */
  from: string;
  nowMs: number;
}

type Say = SayMail<typeof en>;
const mostTimes = 12;

/** A moment's mail to the guest. */
export function guestMail(moment: Exclude<Moment, 'handed-over'>, booking: ToldBooking, setting: Setting): MailMessage {
  const { guest } = booking;
  const host = hostsOf(booking);
  const say = wordsIn(guest.locale);
  const time = { locale: guest.locale, zone: guest.zone };
  const names = { title: booking.title, host: host.name, day: sayDay(booking.startMs, time) };
  const isOver = moment === 'declined' || moment === 'expired' || moment === 'cancelled';
  const url = isOver ? booking.bookUrl : booking.proofUrl;
  return {
    key: keyOf(moment, booking, 'guest'),
    kind: `booking.${moment}`,
    to: guest.email,
    fromName: host.name,
    ...answersToHost(moment, booking),
    userId: host.id,
    locale: guest.locale,
    content: {
      subject: say(`guest.${moment}.subject`, names),
      heading: say(`guest.${moment}.heading`, names),
      blocks: [
        { text: say(`guest.${moment}.text`, names) },
        { facts: factsOf(say, booking, time, [[say('facts.with'), host.name]]) },
        ...(url === null ? [] : [{ button: { label: say(`guest.${moment}.button`), url } }]),
        sayAnswer(say, moment, booking, say('why-guest', names)),
      ],
    },
    ...calendarFor(moment, booking, setting, say),
    ...untilOver(moment, booking, setting),
  };
}

/** To somebody whom the guest brings, by their place in the list: no link to change anything, and fixed words. */
export function invitedMail(
  moment: 'confirmed' | 'rescheduled' | 'linked' | 'cancelled',
  booking: ToldBooking,
  number: number,
  setting: Setting,
): MailMessage {
  const { guest } = booking;
  const host = hostsOf(booking);
  const say = wordsIn(guest.locale);
  const time = { locale: guest.locale, zone: guest.zone };
  const names = {
    title: booking.title,
    host: host.name,
    guest: quoteName(guest.name),
    day: sayDay(booking.startMs, time),
  };
  return {
    key: keyOf(moment, booking, `invited ${number}`),
    kind: `booking.${moment}`,
    to: booking.guests[number] ?? '',
    fromName: host.name,
    // who brings them can write to a host who hides their address
    ...(booking.contact === null ? answersToGuest(booking) : answersToHost(moment, booking)),
    userId: host.id,
    locale: guest.locale,
    content: {
      subject: say(`invited.${moment}.subject`, names),
      heading: say(`invited.${moment}.heading`, names),
      blocks: [
        { text: say(`invited.${moment}.text`, names) },
        { facts: factsOf(say, booking, time, [[say('facts.with'), `${host.name}, ${names.guest}`]]) },
        {
          small: `${say('invited.why', names)} ${say('answer', { name: booking.contact === null ? names.guest : booking.contact.name })}`,
        },
      ],
    },
    ...calendarFor(moment, booking, setting, say, { to: booking.guests[number] ?? '' }),
  };
}

/** All who take part, as their guest is told of them. */
function hostsOf({ host, others, guest }: ToldBooking): ToldHost {
  return { ...host, name: joinNames([host, ...others], guest.locale) };
}

/** A moment's mail to the host; `reader` to another one who takes part, or did. */
export function hostMail(
  moment: Exclude<Moment, 'mail-wanted' | 'declined' | 'linked'>,
  booking: ToldBooking,
  setting: Setting,
  reader: ToldHost = booking.host,
): MailMessage {
  const { guest } = booking;
  const host = reader;
  const say = wordsIn(host.locale);
  const time = { locale: host.locale, zone: host.zone, timeFormat: host.timeFormat };
  const name = quoteName(guest.name);
  const names = { title: booking.title, guest: name, day: sayDay(booking.startMs, time), host: booking.host.name };
  const also = booking.guests.length === 0 ? [] : [[say('facts.also'), booking.guests.join('\n')] as const];
  const team = [booking.host, ...booking.others];
  const facts = factsOf(say, booking, time, [
    [say('facts.with'), name],
    ...(team.length < 2 ? [] : [[say('facts.hosts'), joinNames(team, host.locale)] as const]),
    [say('facts.mail'), guest.email],
    ...(guest.phone === null ? [] : [[say('facts.phone'), guest.phone] as const]),
    ...also,
    ...sayAnswers(booking.answers, host.locale).map(({ label, answer }) => [label, quoteText(answer)] as const),
  ]);
  const text =
    moment === 'confirmed' && !booking.isWritten
      ? say('host.confirmed.text_nowhere')
      : say(`host.${moment}.text`, names);
  return {
    key: keyOf(moment, booking, host === booking.host ? 'host' : `host ${host.id}`),
    kind: `booking.${moment}`,
    to: host.email,
    fromName: guest.name,
    ...answersToGuest(booking),
    userId: host.id,
    locale: host.locale,
    content: {
      subject: say(`host.${moment}.subject`, names),
      heading: say(`host.${moment}.heading`, names),
      blocks: [
        { text },
        { facts },
        { button: { label: say(`host.${moment}.button`), url: `${setting.publicUrl}/meetings?booking=${booking.id}` } },
        { small: `${say('answer', { name })} ${say('why-host', { settings: `${setting.publicUrl}/profile` })}` },
      ],
    },
    ...untilOver(moment, booking, setting),
  };
}

export const answersToGuest = ({ guest }: ToldBooking) => ({ replyTo: { name: guest.name, address: guest.email } });

/** An address that nobody has proved yet learns no other. */
export function answersToHost(moment: Moment | 'another-time', { contact }: ToldBooking): Pick<MailMessage, 'replyTo'> {
  if (moment === 'mail-wanted' || contact?.shownEmail == null) return {};
  return { replyTo: { name: contact.name, address: contact.shownEmail } };
}

/** Why a guest got a mail, and how they reach their host. */
export function sayAnswer(say: Say, moment: Moment | 'another-time', booking: ToldBooking, why: string): MailBlock {
  const { contact, url } = booking;
  const { name } = hostsOf(booking);
  if (moment === 'mail-wanted') return { small: `${why} ${say('no-answer')}` };
  if (contact !== null) return { small: `${why} ${say('answer', { name: contact.name })}` };
  return { small: `${why} ${say('no-answer')}`, link: { label: say('write', { name }), url: `${url}/message` } };
}

/** The same moment of the same version of a booking is told once to each. */
export const keyOf = (moment: Moment, { toldAs }: Pick<ToldBooking, 'toldAs'>, who: string) =>
  `booking.${moment}:${toldAs}:${who}`;

type Fact = readonly [string, string];

function factsOf(say: Say, booking: ToldBooking, time: TimeFormat, people: readonly Fact[]): readonly Fact[] {
  const { startMs, beforeMs, together, reason } = booking;
  const when = (ms: number) => sayTime(ms, time);
  const more = together.length - mostTimes;
  // each time has its own meeting where a provider makes them
  const isEach = together.some(({ joinUrl }) => joinUrl !== booking.joinUrl);
  const times = [
    ...together
      .slice(0, mostTimes)
      .map((one) => (isEach && one.joinUrl !== null ? `${when(one.startMs)}\n${one.joinUrl}` : when(one.startMs))),
    ...(more > 0 ? [say('more-times', { count: more })] : []),
  ].join('\n');
  const place = sayPlace(say, booking);
  const isOnline = booking.joinUrl !== null && !isEach;
  return [
    [say('facts.what'), booking.title],
    together.length > 1 ? [say('facts.times'), times] : [say('facts.when'), when(startMs)],
    ...(beforeMs === null ? [] : [[say('facts.before'), when(beforeMs)] as const]),
    ...(place === '' ? [] : [[say('facts.where'), place] as const]),
    ...(isOnline ? [[say('facts.join'), booking.joinUrl ?? ''] as const] : []),
    ...people,
    ...(reason === null ? [] : [[say('facts.reason'), quoteText(reason)] as const]),
  ];
}

function sayPlace(say: Say, { location, host, guest }: ToldBooking): string {
  if (location.kind === 'in-person') return location.address.trim();
  if (location.kind !== 'phone') return say(`where.${location.kind}`);
  if (location.who_calls === 'guest')
    return location.number === '' ? '' : say('where.guest-calls', { phone: location.number });
  return guest.phone === null ? '' : say('where.host-calls', { host: host.name, phone: guest.phone });
}

/** A place as calendars take it over: a number to dial or an address to find, without words around it. */
function placeOf(say: Say, booking: ToldBooking): string {
  const { location, guest } = booking;
  if (location.kind !== 'phone') return sayPlace(say, booking);
  return (location.who_calls === 'guest' ? location.number : guest.phone) ?? '';
}

const inCalendars = new Set<Moment>(['confirmed', 'rescheduled', 'linked', 'reassigned', 'cancelled']);

/** What is certain goes into calendars, and out of them. */
function calendarFor(
  moment: Moment,
  booking: ToldBooking,
  { from, nowMs, publicUrl }: Setting,
  say: Say,
  { to }: { to?: string } = {},
): { calendar?: MailCalendar } {
  if (!inCalendars.has(moment)) return {};
  const { guest } = booking;
  const host = hostsOf(booking);
  const { method, events } = changeOf(moment, booking);
  const shared = {
    title: `${booking.title}: ${host.name}`,
    notes: to === undefined ? say('change-here', { url: booking.url }) : publicUrl,
    place: placeOf(say, booking),
    // whoever booked has said yes; whom they bring has not
    attendees: [
      { email: guest.email, name: guest.name, hasAccepted: true },
      ...(to === undefined ? [] : [{ email: to, name: null, hasAccepted: false }]),
    ],
  };
  const organizer = organizerOf(booking, from);
  const invited: InvitedEvent[] = events.map((one) => ({ ...shared, ...one }));
  return { calendar: { method, ics: writeInvitation({ method, organizer, stampMs: nowMs, events: invited }) } };
}

/** The one of the first invitation, whoever meets the guest by now: programs ignore changes by another (decision 0067). */
export function organizerOf(booking: ToldBooking, install: string): Organizer {
  const { organizer: email, host, others, left } = booking;
  if (email === '') return { name: hostsOf(booking).name, email: install, sentBy: null };
  const known = [host, ...others, ...left].find((one) => one.email === email);
  return { name: known?.name ?? email, email, sentBy: install };
}

function changeOf(moment: Moment, booking: ToldBooking): ReturnType<typeof changeSeries> {
  const { uid, sequence, startMs, endMs, joinUrl, host, series, together } = booking;
  const isCancelled = moment === 'cancelled';
  if (series !== null)
    return changeSeries(series, together, isCancelled ? 'end' : moment === 'confirmed' ? 'stand' : 'change');
  const one = { uid, sequence, zone: host.zone, startMs, endMs, joinUrl, isCancelled };
  return { method: isCancelled ? 'CANCEL' : 'REQUEST', events: [one] };
}

/** A reminder that is late is none; an answer that is wanted has no use when the time has come. */
function untilOver(moment: Moment, { startMs }: ToldBooking, { nowMs }: Setting): { expiresAtMs?: number } {
  if (moment === 'reminder') return { expiresAtMs: nowMs + reminderUseMs };
  if (moment === 'requested' || moment === 'mail-wanted')
    return { expiresAtMs: Math.max(startMs, nowMs + reminderUseMs) };
  return {};
}

/** So late a reminder may still come. */
export const reminderUseMs = 600_000;
