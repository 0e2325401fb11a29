import type { BookingId, UserId } from '#kernel/ids.ts';
import {
  isMailLink,
  type MailBlock,
  type MailCalendar,
  type MailFact,
  type MailMessage,
  quoteName,
  quoteText,
} from '#platform/mail-message.ts';
import { type SayMail, sayMoment, sayRange, sayShortRange, type TimeFormat } from '#platform/mail-words.ts';
import type en from './mail.en.json';
import { addToCalendar } from './rules/add-to-calendar.ts';
import type { ToldAnswer } from './rules/check-answers.ts';
import { type InvitedEvent, type Organizer, writeInvitation } from './rules/invitation.ts';
import { joinNames } from './rules/join-names.ts';
import { type BookedSeries, changeSeries, type SeriesTime } from './rules/series-invitation.ts';
import type { TypeSettings } from './rules/type-settings.ts';
import type { BookerMoment, BroughtMoment, HostMoment, Moment } from './rules/who-is-told.ts';
import { sayAnswers } from './say-answers.ts';
import { dialOf, placeOf, sayPlace, sayService } from './say-place.ts';
import { wordsIn } from './words-in.ts';

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

/** A time that is told of with others, and its hosts. */
export interface ToldTime extends SeriesTime {
  id: BookingId;
  hostIds: readonly UserId[];
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
  /** The time that its reader knew before. */
  beforeMs: number | null;
  /** Its calendar part: an invitation, or a cancellation of the time that guests have. Null: none. */
  calendar: { method: 'invite' } | { method: 'cancel'; startMs: number; endMs: number } | null;
  /** That it is a time of. */
  series: BookedSeries | null;
  /** Times of the series that are told of together, in order. */
  together: readonly ToldTime[];
  location: TypeSettings['location'];
  joinUrl: string | null;
  host: ToldHost;
  /** The other hosts. */
  others: readonly ToldHost[];
  /** The host who reads answers of guests; null where all hide their addresses. */
  contact: ToldHost | null;
  /** The address of the organizer in calendars; empty for that of the install. */
  organizer: string;
  guest: { name: string; email: string; phone: string | null; zone: string; locale: string };
  /** Addresses of whom the guest brings. */
  guests: readonly string[];
  /** Addresses of guests that nobody has proved to its hosts. */
  unproved: readonly string[];
  answers: readonly ToldAnswer[];
  /** Until when its guest can change it, and what its host says about that. */
  policy: { untilMs: number; text: string };
  reason: string | null;
  /** Of the guest's page. */
  url: string;
  /** The same with the secret that proves the guest's address: for mails to that address only. */
  proofUrl: string;
  /** Where something like it can be booked. */
  bookUrl: string | null;
  /** It is in a calendar of the host. */
  isWritten: boolean;
  /** It is confirmed. */
  isCertain: boolean;
}

interface Setting {
  publicUrl: string;
  /** The address of the install. */
  from: string;
  nowMs: number;
}

type Say = SayMail<typeof en>;
const mostTimes = 12;

/** Whether the reader takes part in a meeting that is certain. If not, they are told neither where it is nor how to join. */
const takesPart = (moment: Moment, { isCertain }: ToldBooking) => isCertain && moment !== 'handed-over';

/** A moment's mail to the guest. */
export function guestMail(moment: BookerMoment, given: ToldBooking, setting: Setting): MailMessage {
  const booking = asGuestsSee(given);
  const { guest, policy } = booking;
  const host = hostsOf(booking);
  const say = wordsIn(guest.locale);
  const time = { locale: guest.locale, zone: guest.zone };
  const names = { title: quoteName(booking.title), host: quoteName(host.name), when: sayWhen(say, booking, time) };
  const isOver = moment === 'declined' || moment === 'expired' || moment === 'cancelled';
  const url = isOver ? booking.bookUrl : booking.proofUrl;
  const isLate = takesPart(moment, booking) && policy.untilMs <= setting.nowMs;
  const label = isLate ? say('view-booking') : say(`guest.${moment}.button`);
  const answers = sayAnswers(booking.answers, guest.locale).map(toFact);
  const people: MailFact[] = [
    [say('facts.with'), names.host],
    ...(booking.guests.length === 0 ? [] : [[say('facts.also'), booking.guests.join('\n')] as const]),
  ];
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
        { facts: factsOf(say, booking, time, { people, where: placesFor(say, moment, booking) }) },
        ...joinButton(say, moment, booking),
        ...(url === null
          ? []
          : [{ button: { label, url, ...(takesPart(moment, booking) ? { quiet: true as const } : {}) } }]),
        ...(takesPart(moment, booking) ? [{ text: sayPolicy(say, booking, time, setting) }] : []),
        ...calendarLinks(say, moment, booking),
        // whoever has not shown yet that the address is theirs may have typed them to a stranger
        ...factBlock([
          ...(moment === 'mail-wanted' || isOver ? [] : answers),
          ...(takesPart(moment, booking) && policy.text.trim() !== ''
            ? [[say('facts.policy'), quoteText(policy.text)] as const]
            : []),
        ]),
        sayAnswer(say, moment, booking, say('why-guest', names)),
      ],
    },
    ...calendarFor(moment, given, setting, say),
    ...untilOver(moment, booking, setting),
    // the mail that asks for a proof is counted as the booking is made, which waits for nothing else
    ...(moment === 'mail-wanted' && isUnproved(booking, guest.email)
      ? { unproved: 'counted' as const }
      : markUnproved(booking, guest.email)),
  };
}

const isUnproved = ({ unproved }: Pick<ToldBooking, 'unproved'>, to: string) => unproved.includes(to);

/** For the limit of mails to an address that nobody has proved. */
export const markUnproved = (booking: ToldBooking, to: string): Pick<MailMessage, 'unproved'> =>
  isUnproved(booking, to) ? { unproved: true } : {};

/** To somebody whom the guest brings, by their place in the list: no link to change anything, and fixed words. */
export function invitedMail(moment: BroughtMoment, given: ToldBooking, number: number, setting: Setting): MailMessage {
  const booking = asGuestsSee(given);
  const { guest } = booking;
  const host = hostsOf(booking);
  const say = wordsIn(guest.locale);
  const time = { locale: guest.locale, zone: guest.zone };
  const names = {
    title: quoteName(booking.title),
    host: quoteName(host.name),
    guest: quoteName(guest.name),
    when: sayWhen(say, booking, time),
  };
  const people: MailFact[] = [[say('facts.with'), `${names.host}\n${names.guest}`]];
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
        { facts: factsOf(say, booking, time, { people, where: placesFor(say, moment, booking) }) },
        ...joinButton(say, moment, booking),
        ...calendarLinks(say, moment, booking),
        {
          small: `${say('invited.why', names)} ${say('answer', { name: booking.contact === null ? names.guest : quoteName(booking.contact.name) })}`,
        },
      ],
    },
    ...calendarFor(moment, given, setting, say, { to: booking.guests[number] ?? '' }),
    ...untilOver(moment, booking, setting),
    ...markUnproved(booking, booking.guests[number] ?? ''),
  };
}

/** A booking without the place and the link, which guests learn while it is confirmed, as on their page and by the API. */
function asGuestsSee(booking: ToldBooking): ToldBooking {
  if (booking.isCertain) return booking;
  const { location, together } = booking;
  const withheld = {
    ...location,
    ...(location.kind === 'in-person' ? { address: '' } : {}),
    ...(location.kind === 'link' ? { url: '' } : {}),
    ...(location.kind === 'phone' ? { number: '' } : {}),
  } as ToldBooking['location'];
  const times = together.map((time) => ({ ...time, joinUrl: null }));
  return { ...booking, location: withheld, joinUrl: null, together: times };
}

/** All who take part, as their guest is told of them. */
function hostsOf({ host, others, guest }: ToldBooking): ToldHost {
  return { ...host, name: joinNames([host, ...others], guest.locale) };
}

/** A moment's mail to the host; `reader` to another one who takes part, or did. */
export function hostMail(
  moment: HostMoment,
  booking: ToldBooking,
  setting: Setting,
  reader: ToldHost = booking.host,
): MailMessage {
  const { guest } = booking;
  const host = reader;
  const say = wordsIn(host.locale);
  const time = { locale: host.locale, zone: host.zone, timeFormat: host.timeFormat };
  const name = quoteName(guest.name);
  const names = {
    title: quoteName(booking.title),
    guest: name,
    when: sayWhen(say, booking, time),
    host: quoteName(booking.host.name),
  };
  const team = [booking.host, ...booking.others];
  const people: MailFact[] = [
    [say('facts.guest'), name],
    [say('facts.mail'), guest.email, `mailto:${guest.email}`],
    ...(guest.phone === null ? [] : [[say('facts.phone'), guest.phone, ...dialOf(guest.phone)] as const]),
    ...(booking.guests.length === 0 ? [] : [[say('facts.also'), booking.guests.join('\n')] as const]),
    ...(team.length < 2 ? [] : [[say('facts.hosts'), quoteText(joinNames(team, host.locale))] as const]),
  ];
  const isNowhere = isPlanned.has(moment) && !booking.isWritten;
  const text = isNowhere ? say('host.no-calendar') : say(`host.${moment}.text`, names);
  const where = sayPlace(say, meetingOf(booking), { isHost: true });
  return {
    key: keyOf(moment, booking, `host ${host.id}`),
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
        { facts: factsOf(say, booking, time, { people, where }) },
        ...joinButton(say, moment, booking),
        {
          button: {
            label: say(`host.${moment}.button`),
            // it may be no booking of theirs any more
            url: `${setting.publicUrl}/meetings${moment === 'handed-over' ? '' : `?booking=${booking.id}`}`,
            ...(takesPart(moment, booking) ? { quiet: true as const } : {}),
          },
        },
        ...factBlock(sayAnswers(booking.answers, host.locale).map(toFact)),
        {
          small: `${say('answer', { name })} ${say('why-host')}`,
          link: { label: say('reminder-settings'), url: `${setting.publicUrl}/profile` },
        },
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
  if (moment === 'mail-wanted') return { small: `${why} ${say('no-answer')}` };
  if (contact !== null) return { small: `${why} ${say('answer', { name: quoteName(contact.name) })}` };
  return { small: `${why} ${say('no-answer')}`, link: { label: say('write'), url: `${url}/message` } };
}

/** The same moment of the same version of a booking is told once to each. */
export const keyOf = (moment: Moment, { toldAs }: Pick<ToldBooking, 'toldAs'>, who: string) =>
  `booking.${moment}:${toldAs}:${who}`;

/** Moments at which a meeting comes into a host's calendar, or changes there. */
const isPlanned: ReadonlySet<Moment> = new Set(['confirmed', 'rescheduled', 'reassigned']);

/** When a meeting is, short: of several times the first. */
function sayWhen(say: Say, { startMs, together }: ToldBooking, time: TimeFormat): string {
  const count = together.length - 1;
  const first = sayMoment(startMs, time);
  return count > 0 ? `${first} ${say('more-times', { count })}` : first;
}

function factsOf(
  say: Say,
  booking: ToldBooking,
  time: TimeFormat,
  { people, where }: { people: readonly MailFact[]; where: readonly MailFact[] },
): readonly MailFact[] {
  const { startMs, endMs, beforeMs, together, reason } = booking;
  const more = together.length - mostTimes;
  // each time has its own meeting where a provider makes them
  const isEach = hasLinksOfTheirOwn(booking);
  const times = [
    ...together
      .slice(0, mostTimes)
      .map((one) => `${sayShortRange(one, time)}${isEach && one.joinUrl !== null ? `\n${one.joinUrl}` : ''}`),
    ...(more > 0 ? [say('more-times', { count: more })] : []),
  ].join('\n');
  const before = beforeMs === null ? null : { startMs: beforeMs, endMs: beforeMs + endMs - startMs };
  return [
    [say('facts.what'), quoteName(booking.title)],
    together.length > 1 ? [say('facts.times'), times] : [say('facts.when'), sayRange({ startMs, endMs }, time)],
    ...(before === null ? [] : [[say('facts.before'), sayRange(before, time)] as const]),
    ...where,
    ...people,
    ...(reason === null ? [] : [[say('facts.reason'), quoteText(reason)] as const]),
  ];
}

const hasLinksOfTheirOwn = ({ together, joinUrl }: ToldBooking) => together.some((one) => one.joinUrl !== joinUrl);

const toFact = ({ label, answer }: { label: string; answer: string }): MailFact => [label, quoteText(answer)];
const factBlock = (facts: readonly MailFact[]): MailBlock[] => (facts.length === 0 ? [] : [{ facts }]);

/** The way into the call, while there is one. */
function joinButton(say: Say, moment: Moment, booking: ToldBooking): MailBlock[] {
  const { joinUrl } = booking;
  if (!takesPart(moment, booking) || joinUrl === null || hasLinksOfTheirOwn(booking)) return [];
  if (isMailLink(joinUrl)) return [{ button: { label: say('join'), url: joinUrl } }];
  return [{ facts: [[say('join'), joinUrl]] }];
}

/** For programs that do not read the invitation. A series is in the invitation alone. */
function calendarLinks(say: Say, moment: Moment, booking: ToldBooking): MailBlock[] {
  if (moment !== 'confirmed' || booking.together.length > 1) return [];
  const { title, startMs, endMs, location, joinUrl } = booking;
  const { google, outlook } = addToCalendar({
    title,
    host: hostsOf(booking).name,
    start: startMs / 60_000,
    duration: (endMs - startMs) / 60_000,
    location,
    join_url: joinUrl,
  });
  const to = [
    { label: say('calendar.google'), url: google },
    { label: say('calendar.outlook'), url: outlook },
  ];
  return [{ links: { label: say('calendar.add'), to } }];
}

function sayPolicy(say: Say, { policy, startMs }: ToldBooking, time: TimeFormat, { nowMs }: Setting): string {
  if (policy.untilMs <= nowMs) return say('change.closed');
  if (policy.untilMs >= startMs) return say('change.until-start');
  // an hour may end in a stop of its own: `3:24 p.m.`
  return say('change.until', { until: sayMoment(policy.untilMs, time) }).replace(/\.\.$/, '.');
}

/** Where guests are told to come. What is not certain has no more than the name of its service. */
function placesFor(say: Say, moment: Moment, booking: ToldBooking): MailFact[] {
  if (takesPart(moment, booking)) return sayPlace(say, meetingOf(booking), { isHost: false });
  const service = sayService(say, booking);
  return service === '' ? [] : [[say('facts.where'), service]];
}

const meetingOf = (booking: ToldBooking) => ({
  ...booking,
  hasLink: booking.joinUrl !== null || hasLinksOfTheirOwn(booking),
});

/**
 * A part of a meeting as calendars show it: where to join is its place and the first line of its text. What is canceled has
 * neither.
 */
export function describePart<Part extends Pick<InvitedEvent, 'joinUrl' | 'isCancelled'>>(
  say: Say,
  booking: ToldBooking,
  part: Part,
  notes: string,
): Part & Pick<InvitedEvent, 'title' | 'notes' | 'place'> {
  const { joinUrl, isCancelled } = part;
  const title = `${booking.title}: ${hostsOf(booking).name}`;
  if (isCancelled) return { ...part, title, notes: '', place: '' };
  const join = joinUrl === null ? [] : [say('join-here', { url: joinUrl })];
  return {
    ...part,
    title,
    notes: [...join, ...(notes === '' ? [] : [notes])].join('\n\n'),
    place: placeOf(booking) || (joinUrl ?? sayService(say, booking)),
  };
}

/** What is certain goes into calendars, and out of them. */
function calendarFor(
  moment: Moment,
  given: ToldBooking,
  { from, nowMs }: Setting,
  say: Say,
  { to }: { to?: string } = {},
): { calendar?: MailCalendar } {
  if (given.calendar === null) return {};
  const { method, events } = changeOf(moment, given);
  // of a series what is left of it may still take place
  const booking = method === 'CANCEL' ? asGuestsSee(given) : given;
  const { guest } = booking;
  const notes = to === undefined ? say('change-here', { url: booking.url }) : '';
  // whoever booked has said yes; whom they bring has not
  const attendees = [
    { email: guest.email, name: guest.name, hasAccepted: true },
    ...(to === undefined ? [] : [{ email: to, name: null, hasAccepted: false }]),
  ];
  const organizer = organizerOf(booking, from);
  const invited = events.map((part) => ({
    ...describePart(say, booking, part.isCancelled ? { ...part, joinUrl: null } : part, notes),
    attendees,
  }));
  return { calendar: { method, ics: writeInvitation({ method, organizer, stampMs: nowMs, events: invited }) } };
}

/** The one of the first invitation, whoever meets the guest by now: programs ignore changes by another (decision 0067). */
export function organizerOf(booking: ToldBooking, install: string): Organizer {
  const { organizer: email, host, others } = booking;
  if (email === '') return { name: hostsOf(booking).name, email: install, sentBy: null };
  const known = [host, ...others].find((one) => one.email === email);
  return { name: known?.name ?? email, email, sentBy: install };
}

function changeOf(moment: Moment, booking: ToldBooking): ReturnType<typeof changeSeries> {
  const { uid, sequence, host, series, together, calendar } = booking;
  const isCancelled = calendar?.method === 'cancel';
  const joinUrl = isCancelled ? null : booking.joinUrl;
  const { startMs, endMs } = isCancelled ? calendar : booking;
  if (series !== null) {
    const change = changeSeries(series, together, isCancelled ? 'end' : moment === 'confirmed' ? 'stand' : 'change');
    const [only] = change.events;
    if (!isCancelled || change.events.length > 1 || only?.instanceMs === undefined) return change;
    return { ...change, events: [{ ...only, startMs, endMs }] };
  }
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
