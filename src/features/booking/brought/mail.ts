import { type MailMessage, quoteName } from '#platform/mail-message.ts';
import { answersToHost, asFollowUp, invitedMail, lookOf, markUnproved, sayAnswer } from '../mail.ts';
import { invitedKey, mailFactsOf, nameMail, sayDates, sayWhen } from '../mail-facts.ts';
import { hostsOf, type Setting, type ToldBooking } from '../rules/told-booking.ts';
import type { KnownVersion } from '../rules/who-is-told.ts';
import { wordsIn } from '../words-in.ts';

/**
 * The last mail to a brought guest who declines: it takes the meeting out of their calendar. `held`: the version that their
 * calendar has; null where it has none.
 */
export function leftMail(told: ToldBooking, address: string, held: KnownVersion | null, setting: Setting): MailMessage {
  const { series, together } = told;
  const left: ToldBooking = {
    ...told,
    // each message to a calendar is newer than the one before (RFC 5546 3.2.5)
    sequence: told.sequence + 1,
    guests: [address],
    together: together.map((time) => ({ ...time, guests: [address] })),
    declineUrls: [],
    joinUrl: null,
    reason: null,
    isCertain: false,
    calendar: held && { method: 'cancel', startMs: held.startMs, endMs: held.endMs },
    series: series && { ...series, sequence: series.sequence + 1 },
  };
  const mail = invitedMail('left', left, 0, setting);
  return mail.unproved === undefined ? mail : asFollowUp({ ...mail, unproved: { ...mail.unproved, as: 'owed' } }, told);
}

/** A brought guest declined: to the guest who brought them. The meeting takes place without them. */
export function declinedMail(booking: ToldBooking, address: string, setting: Setting): MailMessage {
  const { guest } = booking;
  const host = hostsOf(booking);
  const say = wordsIn(guest.locale);
  const time = { locale: guest.locale, zone: guest.zone };
  const names = {
    title: quoteName(booking.title),
    host: quoteName(host.name),
    when: sayWhen(say, booking, time),
    who: quoteName(address),
  };
  return {
    ...nameMail('guest-declined', booking, `guest ${invitedKey(address)}`),
    to: guest.email,
    fromName: host.name,
    ...answersToHost('guest-declined', booking),
    userId: host.id,
    locale: guest.locale,
    ...lookOf(booking),
    content: {
      subject: say('guest.guest-declined.subject', names),
      heading: sayDates(say, 'guest-declined', booking, say('guest.guest-declined.heading', names)),
      blocks: [
        { text: say('guest.guest-declined.text', names) },
        {
          facts: mailFactsOf(say, { ...booking, reason: null }, time, {
            people: [[say('facts.with'), names.host]],
            where: [],
          }),
        },
        { button: { label: say('guest.guest-declined.button'), url: booking.proofUrl } },
        sayAnswer(say, 'guest-declined', booking, say('why-guest', names)),
      ],
    },
    expiresAtMs: Math.max(booking.startMs, setting.nowMs),
    ...markUnproved(booking, guest.email),
  };
}
