import { mailtoOf } from '#features/accounts/rules/email.ts';
import { type MailMessage, quoteAddress, quoteName } from '#platform/mail-message.ts';
import { mailWords, sayMoment, sayRange } from '#platform/mail-words.ts';
import type en from './mail.en.json';
import { answersToHost, lookOf, markUnproved, sayAnswer } from './mail.ts';
import { dateFact } from './mail-facts.ts';
import type { ToldBooking } from './rules/told-booking.ts';
import type { Question } from './store/questions.ts';

type Told = Omit<Question, 'userId'>;

const wordsIn = mailWords<typeof en>(import.meta.dirname);

/**
 * The mail about a host's question. Answers are given in the product, so that opening a mail changes nothing. The mail
 * names the guest's address but has no reply address. A reply would quote titles of the host's calendar to the guest.
 */
export function questionMail(booking: ToldBooking, question: Told, publicUrl: string): MailMessage {
  const { host, guest } = booking;
  const { kind, startMs, endMs, title } = question;
  const say = wordsIn(host.locale);
  const time = { locale: host.locale, zone: host.zone, timeFormat: host.timeFormat };
  const names = {
    title: quoteName(booking.title),
    guest: quoteName(guest.name),
    when: sayMoment(booking.startMs, time),
  };
  const other = title === null ? '' : quoteName(title);
  const span = startMs === null || endMs === null ? '' : sayRange({ startMs, endMs }, time);
  const words = kind === 'moved' && other !== '' ? 'moved-onto' : kind;
  return {
    key: `booking.question:${question.id}:${question.askedMs}`,
    kind: 'booking.question',
    about: booking.ids,
    to: host.email,
    userId: host.id,
    locale: host.locale,
    content: {
      subject: say(`question.${kind}.subject`, names),
      heading: say(`question.${kind}.heading`, names),
      blocks: [
        { text: say(`question.${words}.text`, { ...names, other }) },
        {
          facts: [
            [say('facts.what'), quoteName(booking.title)],
            [say('facts.when'), sayRange(booking, time)],
            ...dateFact(say, booking),
            [say('facts.guest'), names.guest],
            [say('facts.mail'), quoteAddress(guest.email), mailtoOf(guest.email)],
            ...(kind === 'moved' ? [[say('question.now-at'), span] as const] : []),
            ...(question.subject === '' ? [] : [[other === '' ? say('question.other') : other, span] as const]),
          ],
        },
        { button: { label: say(`question.${kind}.button`), url: `${publicUrl}/meetings?booking=${booking.id}` } },
        { small: say('question.why') },
      ],
    },
  };
}

/** To a guest whose host cannot keep the time any more: nothing of what came up is told. */
export function anotherTimeMail(booking: ToldBooking, question: Told): MailMessage {
  const { guest, host } = booking;
  const say = wordsIn(guest.locale);
  const time = { locale: guest.locale, zone: guest.zone };
  const names = { title: quoteName(booking.title), host: quoteName(host.name), when: sayMoment(booking.startMs, time) };
  return {
    key: `booking.another-time:${question.id}:${question.askedMs}:${booking.id}`,
    kind: 'booking.another-time',
    about: booking.ids,
    to: guest.email,
    fromName: host.name,
    ...answersToHost('another-time', booking),
    userId: host.id,
    locale: guest.locale,
    ...lookOf(booking),
    content: {
      subject: say('another-time.subject', names),
      heading: say('another-time.heading', names),
      blocks: [
        { text: say('another-time.text', names) },
        {
          facts: [
            [say('facts.what'), quoteName(booking.title)],
            [say('facts.when'), sayRange(booking, time)],
            ...dateFact(say, booking),
            [say('facts.with'), names.host],
          ],
        },
        { button: { label: say('another-time.button'), url: `${booking.url}/reschedule` } },
        sayAnswer(say, 'another-time', booking, say('why-guest', names)),
      ],
    },
    expiresAtMs: booking.startMs,
    ...markUnproved(booking, guest.email),
  };
}
