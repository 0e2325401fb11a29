import { mailtoOf } from '#features/accounts/rules/email.ts';
import {
  type MailBlock,
  type MailFact,
  type MailMessage,
  quoteAddress,
  quoteName,
  quoteText,
} from '#platform/mail-message.ts';
import { joinSentences, sayDeadline } from '#platform/mail-words.ts';
import type { MailSource } from '#platform/recipients.ts';
import { calendarLinks, mailCalendarOf } from './mail-calendar.ts';
import {
  broughtFacts,
  declineButton,
  factBlock,
  guestText,
  guestWord,
  invitedKey,
  invitedText,
  isEnd,
  isLinkWithheld,
  joinButton,
  mailFactsOf,
  mayTakePlace,
  meetingOf,
  nameMail,
  placesFor,
  type Say,
  sayDates,
  sayPolicy,
  sayWhen,
  takesPart,
  tellOthers,
  tellUntold,
  toFact,
  withoutFreeText,
  withoutTyped,
} from './mail-facts.ts';
import { joinNames } from './rules/join-names.ts';
import {
  asGuestsSee,
  asInvited,
  hostsOf,
  type Setting,
  type ToldBooking,
  type ToldHost,
} from './rules/told-booking.ts';
import type { BookerMoment, BroughtMoment, HostMoment, Moment } from './rules/who-is-told.ts';
import { sayAnswers } from './say-answers.ts';
import { dialOf, sayPlace } from './say-place.ts';
import { wordsIn } from './words-in.ts';

/** A moment's mail to the guest. */
export function guestMail(moment: BookerMoment, whole: ToldBooking, setting: Setting): MailMessage {
  const isStranger = whole.unconfirmed.includes(whole.guest.email);
  const given = isStranger ? withoutFreeText(whole) : whole.isProved ? whole : withoutTyped(whole);
  const booking = asGuestsSee(given);
  const { guest, policy } = booking;
  const host = hostsOf(booking);
  const say = wordsIn(guest.locale);
  const time = { locale: guest.locale, zone: guest.zone };
  const names = {
    title: quoteName(booking.title),
    host: quoteName(host.name),
    when: sayWhen(say, booking, time),
    until: sayDeadline(booking.keptUntilMs ?? booking.startMs, time),
  };
  const isSeries = booking.together.length > 1;
  // the way to the dates that are left goes before the way to another booking
  const isLeft = isEnd(moment) && mayTakePlace(booking, setting);
  const url = isEnd(moment) && !isLeft ? booking.bookUrl : booking.proofUrl;
  const isLate = takesPart(moment, booking) && policy.untilMs <= setting.nowMs;
  const label =
    isLeft || (isSeries && !isEnd(moment) && moment !== 'mail-wanted')
      ? say('series.view')
      : isLate
        ? say('view-booking')
        : say(guestWord('button', moment, booking));
  const answers = sayAnswers(booking.answers, guest.locale).map(toFact);
  // the page has the reason, the policy, and the link that the mail has not
  const onPage = (label: string, text = say('on-page')): MailFact => [label, text, booking.proofUrl];
  const people: MailFact[] = [
    [say('facts.with'), names.host],
    ...(isStranger || !whole.isProved
      ? booking.untold.length === 0
        ? []
        : [onPage(say('facts.untold'))]
      : broughtFacts(say, moment, booking)),
  ];
  const where = placesFor(say, moment, booking, { phone: whole.guest.phone });
  const reason: MailFact[] = whole.reason !== given.reason ? [onPage(say('facts.reason'))] : [];
  const hasPolicy = takesPart(moment, booking) && whole.policy.text.trim() !== '';
  const isPageOnly = takesPart(moment, booking) && isLinkWithheld(booking);
  return {
    ...nameMail(moment, booking, 'guest'),
    to: guest.email,
    fromName: host.name,
    ...answersToHost(moment, booking),
    userId: host.id,
    locale: guest.locale,
    ...lookOf(booking),
    content: {
      subject: say(guestWord('subject', moment, booking), names),
      heading: sayDates(say, moment, booking, say(guestHeading(moment, booking), names)),
      blocks: [
        { text: say(guestText(moment, booking), names) },
        { facts: [...mailFactsOf(say, booking, time, { people, where }), ...reason] },
        ...tellUntold(say, moment, booking, 'booker'),
        ...tellOthers(say, moment, booking, setting),
        ...joinButton(say, moment, booking),
        ...(url === null
          ? []
          : [
              isPageOnly
                ? { button: { label: say('view-booking'), url } }
                : { button: { label, url, ...(takesPart(moment, booking) ? { quiet: true as const } : {}) } },
            ]),
        ...(takesPart(moment, booking) ? [{ text: sayPolicy(say, booking, time, setting) }] : []),
        ...calendarLinks(say, moment, booking),
        ...factBlock([
          ...(moment === 'mail-wanted' || isEnd(moment) ? [] : answers),
          ...(hasPolicy
            ? [
                isStranger
                  ? onPage(say('facts.policy'), say('read-policy'))
                  : ([say('facts.policy'), quoteText(policy.text)] as const),
              ]
            : []),
        ]),
        sayAnswer(say, moment, booking, say('why-guest', names)),
      ],
    },
    ...mailCalendarOf(moment, given, setting, say),
    ...untilOver(moment, booking, setting),
    // the mail that asks for a proof is counted as the booking is made, which waits for nothing else
    ...markUnproved(booking, guest.email, moment === 'mail-wanted' ? { as: 'counted' } : {}),
  };
}

/** The heading of a mail whose words depend on the person who acted, or on the time that was lost. */
function guestHeading(moment: BookerMoment, { actor, lost }: ToldBooking) {
  if ((moment === 'cancelled' || moment === 'rescheduled') && actor !== null)
    return `guest.${moment}.heading-${actor}` as const;
  if (moment === 'rescheduled-pending' && actor === 'host') return `guest.${moment}.heading-host` as const;
  if (moment === 'declined' && lost !== null) return `guest.${moment}.heading-moved` as const;
  return `guest.${moment}.heading` as const;
}

function invitedHeading(moment: BroughtMoment, { actor }: ToldBooking) {
  if ((moment === 'cancelled' || moment === 'rescheduled') && actor !== null)
    return `invited.${moment}.heading-${actor}` as const;
  if (moment === 'rescheduled-pending' && actor === 'host') return `invited.${moment}.heading-host` as const;
  return `invited.${moment}.heading` as const;
}

function hostHeading(moment: HostMoment, { actor }: ToldBooking) {
  if ((moment === 'cancelled' || moment === 'rescheduled') && actor === 'guest')
    return `host.${moment}.heading-guest` as const;
  if (moment === 'rescheduled-pending' && actor === 'host') return `host.${moment}.heading-host` as const;
  return `host.${moment}.heading` as const;
}

/** Guests see the color and the logo of the page on which they booked. */
export const lookOf = ({ color, logo }: ToldBooking): Pick<MailMessage, 'color' | 'logo'> => ({
  ...(color === null ? {} : { color }),
  ...(logo === null ? {} : { logo }),
});

/** For the limit of mails to an address that nobody has proved. */
export const markUnproved = (
  booking: ToldBooking,
  to: string,
  more: { as?: 'counted' } = {},
): Pick<MailMessage, 'unproved'> =>
  booking.unconfirmed.includes(to) ? { unproved: { ...sourceOf(booking, to), ...more } } : {};

/** An address counts as its reader's own where the guest booked with it. */
export const sourceOf = ({ host, guest }: Pick<ToldBooking, 'host' | 'guest'>, to: string): MailSource => ({
  share: to === guest.email ? 'given' : 'named',
  sender: host.id,
});

/** A mail about an invitation that its reader has: it does not count as one more. */
export const asFollowUp = (mail: MailMessage, { series, uid }: Pick<ToldBooking, 'series' | 'uid'>): MailMessage =>
  mail.unproved === undefined ? mail : { ...mail, unproved: { ...mail.unproved, of: series?.uid ?? uid } };

/** To somebody whom the guest brings, by their place in the list: fixed words, and no link but the one to decline. */
export function invitedMail(moment: BroughtMoment, told: ToldBooking, number: number, setting: Setting): MailMessage {
  const address = told.guests[number] ?? '';
  const whole = asInvited(told, address);
  const given = whole.unconfirmed.includes(address) ? withoutFreeText(whole) : withoutTyped(whole);
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
  // a reason that the mail has not is on the page of the invitation
  const page = whole.reason === given.reason ? undefined : whole.declineUrls[number];
  const reason: MailFact[] = page === undefined ? [] : [[say('facts.reason'), say('on-invitation'), page]];
  return {
    ...nameMail(moment, booking, invitedKey(address)),
    to: address,
    fromName: host.name,
    // brought guests can write to a host who hides their address
    ...(booking.contact === null ? answersToGuest(booking) : answersToHost(moment, booking)),
    userId: host.id,
    locale: guest.locale,
    ...lookOf(booking),
    content: {
      subject: say(`invited.${moment}.subject`, names),
      heading: sayDates(say, moment, booking, say(invitedHeading(moment, booking), names)),
      blocks: [
        { text: say(invitedText(moment, booking, setting), names) },
        {
          facts: [
            ...mailFactsOf(say, booking, time, {
              people,
              where: placesFor(say, moment, booking, { invitePage: whole.declineUrls[number] }),
            }),
            ...reason,
          ],
        },
        ...tellOthers(say, moment, booking, setting),
        ...joinButton(say, moment, booking),
        ...declineButton(say, moment, booking, number),
        ...calendarLinks(say, moment, booking, { isBrought: true }),
        {
          small: joinSentences(
            [
              // a guest who has declined gets no more mails
              ...(moment === 'left' ? [] : [say('invited.why', names)]),
              say('answer', { name: booking.contact === null ? names.guest : quoteName(booking.contact.name) }),
            ],
            guest.locale,
          ),
        },
      ],
    },
    ...mailCalendarOf(moment, given, setting, say, { to: address, page: whole.declineUrls[number] }),
    ...untilOver(moment, booking, setting),
    ...markUnproved(booking, address),
  };
}

/** A moment's mail to the host; `host`: to another one who takes part, or did. */
export function hostMail(
  moment: HostMoment,
  booking: ToldBooking,
  setting: Setting,
  host: ToldHost = booking.host,
): MailMessage {
  const { guest } = booking;
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
    [say('facts.mail'), quoteAddress(guest.email), mailtoOf(guest.email)],
    ...(guest.phone === null ? [] : [[say('facts.phone'), guest.phone, ...dialOf(guest.phone)] as const]),
    ...broughtFacts(say, moment, booking),
    ...(team.length < 2 ? [] : [[say('facts.hosts'), quoteText(joinNames(team, host.locale))] as const]),
  ];
  const isMoved = moment === 'rescheduled-pending' && booking.lost === 'now';
  const text =
    isPlanned.has(moment) && !booking.isWritten
      ? say('host.no-calendar')
      : say(isMoved ? `host.${moment}.text-moved` : `host.${moment}.text`, names);
  const where = sayPlace(say, meetingOf(booking), { isHost: true });
  return {
    ...nameMail(moment, booking, `host ${host.id}`),
    to: host.email,
    fromName: guest.name,
    ...answersToGuest(booking),
    userId: host.id,
    locale: host.locale,
    content: {
      subject: say(`host.${moment}.subject`, names),
      heading: sayDates(say, moment, booking, say(hostHeading(moment, booking), names)),
      blocks: [
        { text },
        { facts: mailFactsOf(say, booking, time, { people, where }) },
        ...tellUntold(say, moment, booking, 'host'),
        ...tellOthers(say, moment, booking, setting),
        ...joinButton(say, moment, booking),
        {
          button: {
            label: say(`host.${moment}.button`),
            // the booking may no longer be theirs
            url: `${setting.publicUrl}/meetings${moment === 'handed-over' ? '' : `?booking=${booking.id}`}`,
            ...(takesPart(moment, booking) ? { quiet: true as const } : {}),
          },
        },
        ...factBlock(sayAnswers(booking.answers, host.locale).map(toFact)),
        {
          small: joinSentences([say('answer', { name }), say('why-host')], host.locale),
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
  const { contact, url, guest } = booking;
  const after = (sentence: string) => joinSentences([why, sentence], guest.locale);
  if (moment === 'mail-wanted') return { small: after(say('no-answer')) };
  if (contact !== null) return { small: after(say('answer', { name: quoteName(contact.name) })) };
  return { small: after(say('no-answer')), link: { label: say('write'), url: `${url}/message` } };
}

/** Moments at which a meeting comes into a host's calendar, or changes there. */
const isPlanned: ReadonlySet<Moment> = new Set(['confirmed', 'rescheduled', 'reassigned']);

/** A reminder that is late is none; an answer that is wanted has no use when the time has come. */
function untilOver(moment: Moment, { startMs, together }: ToldBooking, { nowMs }: Setting): { expiresAtMs?: number } {
  const lastMs = Math.max(startMs, ...together.map((one) => one.startMs));
  if (moment === 'reminder') return { expiresAtMs: nowMs + reminderUseMs };
  if (moment === 'requested' || moment === 'mail-wanted')
    return { expiresAtMs: Math.max(lastMs, nowMs + reminderUseMs) };
  return {};
}

/** So late a reminder may still come. */
export const reminderUseMs = 600_000;
