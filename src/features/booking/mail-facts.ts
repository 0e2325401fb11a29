import { isMeetingHost } from '#kernel/ical/join-link.ts';
import { sha256 } from '#kernel/sha256.ts';
import { withoutAddresses } from '#kernel/text/without-addresses.ts';
import {
  isMailLink,
  type MailBlock,
  type MailFact,
  type MailMessage,
  quoteAddress,
  quoteName,
  quoteText,
  unlinkText,
} from '#platform/mail-message.ts';
import {
  type SayMail,
  sayDeadline,
  sayMoment,
  sayRange,
  sayShortRange,
  sayZone,
  type TimeFormat,
} from '#platform/mail-words.ts';
import type en from './mail.en.json';
import type { Setting, ToldBooking } from './rules/told-booking.ts';
import type { BookerMoment, BroughtMoment, Moment } from './rules/who-is-told.ts';
import { endOfPhone, sayPlace, sayService } from './say-place.ts';

/** Parts of mails about bookings: time, place, people, and the ways into the call and into calendars. */

export type Say = SayMail<typeof en>;
/** More times than these are several facts: a fact has a limit. */
const mostTimes = 12;

/** Whether the reader takes part in a meeting that is certain. If not, they are told neither where it is nor how to join. */
export const takesPart = (moment: Moment, { isCertain }: ToldBooking) => isCertain && moment !== 'handed-over';

/** When a meeting is, short: of several times the first. */
export function sayWhen(say: Say, { startMs, together }: ToldBooking, time: TimeFormat): string {
  const count = together.length - 1;
  const first = sayMoment(startMs, time);
  return count > 0 ? `${first} ${say('more-times', { count })}` : first;
}

export function mailFactsOf(
  say: Say,
  booking: ToldBooking,
  time: TimeFormat,
  { people, where }: { people: readonly MailFact[]; where: readonly MailFact[] },
): readonly MailFact[] {
  const { startMs, endMs, before, together, reason, series } = booking;
  // each time has its own meeting where a provider makes them
  const isEach = hasLinksOfTheirOwn(booking);
  const zones = new Set(together.map((one) => sayZone(one.startMs, time)));
  const [zone = '', ...others] = zones;
  const hasZone = others.length > 0;
  const lines = together.map(
    (one) => `${sayShortRange(one, time, { hasZone })}${isEach && one.joinUrl !== null ? `\n${one.joinUrl}` : ''}`,
  );
  const times = Array.from({ length: Math.ceil(lines.length / mostTimes) }, (_, at): MailFact => {
    const part = lines.slice(at * mostTimes, (at + 1) * mostTimes);
    const label = say('facts.times');
    const numbers = `${at * mostTimes + 1}–${at * mostTimes + part.length}`;
    return [lines.length > mostTimes ? `${label} ${numbers}` : label, part.join('\n')];
  });
  // a mail about all dates names those between them that are not booked
  const isWhole = series !== null && together.length === series.times.length;
  const leftOut = (isWhole ? (series.leftOutMs ?? []) : []).map((ms) =>
    sayShortRange({ startMs: ms, endMs: ms + endMs - startMs }, time, { hasZone }),
  );
  return [
    [say('facts.what'), quoteName(booking.title)],
    ...(together.length > 1
      ? [
          ...times,
          ...(leftOut.length === 0 ? [] : [[say('facts.left-out'), leftOut.join('\n')] as const]),
          ...(hasZone ? [] : [[say('facts.zone'), zone] as const]),
        ]
      : [[say('facts.when'), sayRange({ startMs, endMs }, time)] as const, ...dateFact(say, booking)]),
    ...(before === null
      ? []
      : [[say(before.wasBooked ? 'facts.before' : 'facts.requested-before'), sayRange(before, time)] as const]),
    ...where,
    ...people,
    ...(reason === null ? [] : [[say('facts.reason'), quoteText(reason)] as const]),
  ];
}

/** Which date of its series a mail is about. */
export const dateFact = (say: Say, { date, series }: ToldBooking): MailFact[] =>
  date === null || series === null
    ? []
    : [[say('facts.series'), say('series.date', { number: date.number, count: series.times.length })]];

/** Other dates of its series may take place. */
export const mayTakePlace = ({ date }: ToldBooking, { nowMs }: Setting) =>
  date?.others.some((endMs) => endMs > nowMs) === true;

/** Changes of some dates of a series, of which the reader may think that they are about all. */
const ofSomeDates: ReadonlySet<Moment> = new Set([
  'rescheduled',
  'rescheduled-pending',
  'declined',
  'expired',
  'cancelled',
]);

export const tellOthers = (say: Say, moment: Moment, booking: ToldBooking, setting: Setting): MailBlock[] =>
  ofSomeDates.has(moment) && mayTakePlace(booking, setting) ? [{ text: say('series.others') }] : [];

/** A heading that says which dates of a series changed: `Ada canceled your meeting (2 of the 5 dates in this series)`. */
export function sayDates(say: Say, moment: Moment, { date, series, together }: ToldBooking, heading: string): string {
  if (series === null || !ofDates.has(moment)) return heading;
  const count = series.times.length;
  if (together.length === count && count === 2) return say('series.heading-both', { heading });
  if (together.length === count) return say('series.heading-all', { heading, count });
  if (together.length <= 1 && date !== null) return say('series.heading-date', { heading, number: date.number, count });
  return say('series.heading-dates', { heading, number: together.length, count });
}

const ofDates: ReadonlySet<Moment> = new Set([
  ...ofSomeDates,
  'reassigned',
  'hosts-changed',
  'handed-over',
  'guest-declined',
  'left',
]);

const hasLinksOfTheirOwn = ({ together, joinUrl }: ToldBooking) => together.some((one) => one.joinUrl !== joinUrl);

export const toFact = ({ label, answer }: { label: string; answer: string }): MailFact => [
  quoteName(label),
  quoteText(answer),
];
export const factBlock = (facts: readonly MailFact[]): MailBlock[] => (facts.length === 0 ? [] : [{ facts }]);

/** The way into the call, while there is one. */
export function joinButton(say: Say, moment: Moment, booking: ToldBooking): MailBlock[] {
  const { joinUrl } = booking;
  if (!takesPart(moment, booking) || joinUrl === null || hasLinksOfTheirOwn(booking)) return [];
  if (isMailLink(joinUrl)) return [{ button: { label: say('join'), url: joinUrl } }];
  return [{ facts: [[say('join'), joinUrl]] }];
}

/** The way out for a brought guest, whose place is free then. */
export function declineButton(
  say: Say,
  moment: BroughtMoment,
  { declineUrls, series, together }: ToldBooking,
  number: number,
): MailBlock[] {
  const url = declineUrls[number];
  if (url === undefined || isEnd(moment)) return [];
  const isOfSeries = series !== null && series.times.length > 1;
  const label = isOfSeries
    ? say(together.length > 1 ? 'invited.decline-dates' : 'invited.decline-date')
    : say('invited.decline');
  return [{ button: { label, url, quiet: true } }];
}

export function sayPolicy(
  say: Say,
  { policy, startMs, together }: ToldBooking,
  time: TimeFormat,
  { nowMs }: Setting,
): string {
  if (together.length > 1) return say('change.series');
  if (policy.untilMs <= nowMs) return say('change.closed');
  if (policy.untilMs >= startMs) return say('change.until-start');
  return say('change.until', { until: sayDeadline(policy.untilMs, time) });
}

/**
 * The place of a meeting for guests. An unconfirmed booking shows only the kind of meeting. `invitePage`: the page
 * of a brought guest, who does not get the address of the booking. `phone`: the typed number, of which a booker reads the end.
 */
export function placesFor(
  say: Say,
  moment: Moment,
  booking: ToldBooking,
  { invitePage, phone = null }: { invitePage?: string | undefined; phone?: string | null } = {},
): MailFact[] {
  if (takesPart(moment, booking) && isLinkWithheld(booking))
    return invitePage === undefined
      ? [[say('facts.where'), say('where.link-on-page')]]
      : [[say('facts.where'), say('where.link-on-invitation'), invitePage]];
  if (takesPart(moment, booking)) {
    const guest = { ...booking.guest, phone: booking.guest.phone ?? endOfPhone(phone) };
    return sayPlace(say, meetingOf({ ...booking, guest }), { isHost: false });
  }
  return [[say('facts.where'), sayService(say, booking)]];
}

export const meetingOf = (booking: ToldBooking) => ({
  ...booking,
  hasLink: booking.joinUrl !== null || hasLinksOfTheirOwn(booking),
});

const longest = { name: 160, address: 200 } as const;

/**
 * A booking as a reader is told of it who has not confirmed the address: without texts that others wrote, and without links
 * to sites that others chose. Names and places are short, and no program makes links of them.
 */
export function withoutFreeText(booking: ToldBooking): ToldBooking {
  const { location, together, series, host, others, policy } = booking;
  const plain = <Named extends { name: string }>(one: Named): Named => ({
    ...one,
    name: unlinkText(one.name, longest.name),
  });
  const safe = <Time extends { joinUrl: string | null }>(time: Time): Time => ({
    ...time,
    joinUrl: time.joinUrl !== null && isMeetingHost(time.joinUrl) ? time.joinUrl : null,
  });
  return {
    ...safe(withoutTyped(booking)),
    title: unlinkText(booking.title, longest.name),
    location: plainPlace(location),
    together: together.map(safe),
    series: series && { ...series, times: series.times.map(safe) },
    host: plain(host),
    others: others.map(plain),
    contact: booking.contact && plain(booking.contact),
    reason: null,
    policy: { ...policy, text: '' },
  };
}

/**
 * A booking without the words of its guest: in mails to readers who have not shown that they are that guest. Somebody else
 * may have typed a known address.
 */
export function withoutTyped(booking: ToldBooking): ToldBooking {
  const { guest, reason, isReasonOfGuest } = booking;
  return {
    ...booking,
    guest: { ...guest, name: unlinkText(withoutAddresses(guest.name), longest.name), phone: null },
    answers: [],
    reason: isReasonOfGuest ? null : reason,
  };
}

/** The meeting is at a link that its reader is not told. */
export const isLinkWithheld = ({ location }: Pick<ToldBooking, 'location'>): boolean =>
  location.kind === 'link' && location.url === '';

function plainPlace(location: ToldBooking['location']): ToldBooking['location'] {
  if (location.kind === 'in-person') return { ...location, address: unlinkText(location.address, longest.address) };
  if (location.kind === 'phone') return { ...location, number: unlinkText(location.number, longest.name) };
  if (location.kind === 'link') return { ...location, url: isMeetingHost(location.url) ? location.url : '' };
  return location;
}

/** The meeting does not take place. */
export const isEnd = (moment: Moment) => moment === 'declined' || moment === 'expired' || moment === 'cancelled';

/**
 * Guests who were brought along, by what became of their invitation, and those whom no mail could reach. No mail promises an
 * invitation: the limit may keep it back.
 */
export const broughtFacts = (say: Say, moment: Moment, { guests, untold, isCertain }: ToldBooking): MailFact[] =>
  [
    {
      // a host who left learns nothing of the state
      label: isCertain && !isEnd(moment) && moment !== 'handed-over' ? 'also' : 'brought',
      addresses: guests.filter((one) => !untold.includes(one)),
    } as const,
    { label: isChange(moment) ? 'untold-change' : 'untold', addresses: untold } as const,
  ].flatMap(({ label, addresses }): MailFact[] =>
    addresses.length === 0 ? [] : [[say(`facts.${label}`), addresses.map(quoteAddress).join('\n')]],
  );

/** A guest whom no mail could tell of it may have the invitation. */
const isChange = (moment: Moment) =>
  ofSomeDates.has(moment) || moment === 'reassigned' || moment === 'hosts-changed' || moment === 'linked';

/** The request to tell guests whom no mail could reach. */
export function tellUntold(
  say: Say,
  moment: Moment,
  { untold, guest }: ToldBooking,
  reader: 'booker' | 'host',
): MailBlock[] {
  if (untold.length === 0) return [];
  return [
    { text: say(isChange(moment) ? `untold.${reader}-change` : `untold.${reader}`, { guest: quoteName(guest.name) }) },
  ];
}

/** The key of a subject or a button to a booker. The address of a request is confirmed, and nothing is booked by that. */
export function guestWord<Word extends 'subject' | 'button'>(
  word: Word,
  moment: BookerMoment,
  { isRequest }: ToldBooking,
) {
  if (moment === 'mail-wanted' && isRequest) return `guest.${moment}.${word}-request` as const;
  return `guest.${moment}.${word}` as const;
}

/** The key of the first sentence to a booker. */
export function guestText(moment: BookerMoment, { lost, isRequest }: ToldBooking) {
  if (moment === 'mail-wanted' && isRequest) return `guest.${moment}.text-request` as const;
  if (moment === 'rescheduled-pending' && lost === 'now') return `guest.${moment}.text-moved` as const;
  if ((moment === 'declined' || moment === 'expired') && lost !== null) return `guest.${moment}.text-moved` as const;
  return `guest.${moment}.text` as const;
}

export function invitedText(moment: BroughtMoment, { lost, series }: ToldBooking, { nowMs }: Setting) {
  if (moment === 'rescheduled-pending' && lost === 'now') return `invited.${moment}.text-moved` as const;
  if (moment === 'left' && series?.times.some(({ stands, endMs }) => stands && endMs > nowMs) === true)
    return `invited.${moment}.text-dates` as const;
  return `invited.${moment}.text` as const;
}

/** A brought guest in the keys of mails. */
export const invitedKey = (address: string) => `invited ${sha256(address.toLowerCase()).slice(0, 16)}`;

/** The same moment of the same version of a booking is told once to each. */
export const keyOf = (moment: Moment, { toldAs }: Pick<ToldBooking, 'toldAs'>, who: string) =>
  `booking.${moment}:${toldAs}:${who}`;

export const nameMail = (
  moment: Moment,
  booking: ToldBooking,
  who: string,
): Pick<MailMessage, 'key' | 'kind' | 'about'> => ({
  key: keyOf(moment, booking, who),
  kind: `booking.${moment}`,
  about: booking.ids,
});
