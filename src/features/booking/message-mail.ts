import { mailtoOf } from '#features/accounts/rules/email.ts';
import { type MailMessage, quoteAddress, quoteName, quoteText } from '#platform/mail-message.ts';
import { joinSentences, sayMoment, sayRange } from '#platform/mail-words.ts';
import { answersToGuest } from './mail.ts';
import { dateFact } from './mail-facts.ts';
import type { ToldBooking, ToldHost } from './rules/told-booking.ts';
import { wordsIn } from './words-in.ts';

/**
 * A guest's message to a host, from the page of the booking. `named`: another text has another name. `isKnown`: false where the
 * address of the guest is not confirmed, so that the host has no such booking.
 */
export function messageMail(
  booking: ToldBooking,
  host: ToldHost,
  { text, named, isKnown }: { text: string; named: string; isKnown: boolean },
  publicUrl: string,
): MailMessage {
  const { guest } = booking;
  const say = wordsIn(host.locale);
  const time = { locale: host.locale, zone: host.zone, timeFormat: host.timeFormat };
  const name = quoteName(guest.name);
  const names = { title: quoteName(booking.title), guest: name, when: sayMoment(booking.startMs, time) };
  return {
    key: `booking.message:${booking.id}:${host.id}:${named}`,
    kind: 'booking.message',
    about: booking.ids,
    to: host.email,
    fromName: guest.name,
    ...answersToGuest(booking),
    userId: host.id,
    locale: host.locale,
    content: {
      subject: say('message.subject', names),
      heading: say('message.heading', names),
      blocks: [
        // beside the name of its writer, so that it does not pass for words of the install
        { facts: [[name, quoteText(text, longestFact)]] },
        {
          facts: [
            [say('facts.what'), quoteName(booking.title)],
            [say('facts.when'), sayRange(booking, time)],
            ...dateFact(say, booking),
            [say('facts.guest'), name],
            [say('facts.mail'), quoteAddress(guest.email), mailtoOf(guest.email)],
          ],
        },
        isKnown
          ? { button: { label: say('message.button'), url: `${publicUrl}/meetings?booking=${booking.id}` } }
          : { text: say('message.unconfirmed', names) },
        { small: joinSentences([say('message.why', names), say('answer', { name })], host.locale) },
      ],
    },
  };
}

/** More than the longest message with what quoting adds to it. */
const longestFact = 4_000;
