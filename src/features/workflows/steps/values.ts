import { type BookingFacts, sayAnswers } from '#features/booking/public.ts';
import { chooseTongue } from '#kernel/languages.ts';
import { shownText } from '#kernel/text/shown-text.ts';
import { withoutAddresses } from '#kernel/text/without-addresses.ts';
import { sayError } from '#platform/error-words.ts';
import { quoteName, quoteText } from '#platform/mail-message.ts';
import { sayClock, sayParts, sayTime, type TimeFormat } from '#platform/mail-words.ts';
import { wordsIn } from '../mail.ts';
import type { Recipient } from '../rules/action.ts';
import type { OtherMatter } from '../rules/other-matter.ts';
import { filledLimits, type Values } from '../rules/variables.ts';

export interface StepHost {
  userId: string;
  name: string;
  email: string;
  /** For guests; null where it is hidden from them. */
  shownEmail: string | null;
  phone: string | null;
  zone: string;
  locale: string;
  timeFormat: '12h' | '24h';
}

/** How what others typed is made harmless where it goes. */
interface Quoting {
  name: (text: string) => string;
  text: (text: string) => string;
}

/** In mails it can turn no text around, and is made no link. */
export const mailQuoting: Quoting = { name: quoteName, text: quoteText };
/** Elsewhere it is one line without unseen signs, and the channel escapes it as its service wants it. */
export const plainQuoting: Quoting = {
  name: (text) => shownText(text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')),
  text: shownText,
};

interface Setting {
  host: StepHost;
  publicUrl: string;
  quoting: Quoting;
}

/** The values of a booking's variables, in the zone and language of whom they are for. */
export function valuesOf(booking: BookingFacts, to: Recipient, { host, publicUrl, quoting }: Setting): Values {
  const { guest, last } = booking;
  const time: TimeFormat = {
    locale: to.locale,
    zone: to.zone,
    ...(to.role === 'host' ? { timeFormat: host.timeFormat } : {}),
  };
  const isBooker = to.role === 'guest' && to.address === guest.email;
  // a known address does not show who typed the rest, and brought guests have not asked for words of the booker
  const isTyped = to.role === 'guest' ? !isBooker || !guest.hasConfirmed : !to.isProved;
  const shown = isTyped ? { ...booking, guest: untyped(guest, to) } : booking;
  return {
    ...guestValues(shown.guest, to, quoting),
    host_name: quoting.name(host.name),
    host_email: addressFor(to, host),
    event_name: quoting.name(booking.title),
    event_date: sayParts(booking.startMs, time, { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' }),
    event_time: sayClock(booking.startMs, time),
    event_end_time: sayClock(booking.endMs, time),
    event_duration: String(Math.round((booking.endMs - booking.startMs) / 60_000)),
    previous_time: last?.beforeMs == null ? '' : sayTime(last.beforeMs, time),
    // as on the page of the booking and by the API: guests learn it while the booking is confirmed
    location: to.role === 'host' || booking.state === 'confirmed' ? placeOf(shown, quoting) : '',
    answers: sayList(sayAnswers(isTyped ? [] : booking.answers, to.locale), quoting),
    reason: booking.reason === null || (isTyped && booking.isReasonOfGuest) ? '' : quoting.text(booking.reason),
    // the link can change the booking, so only that guest gets it
    booking_link: isBooker
      ? (booking.url ?? '')
      : to.role === 'host'
        ? `${publicUrl}/meetings?booking=${booking.id}`
        : '',
    // a link that is hard to guess is for the guest who has it
    book_again_link: booking.bookUrl ?? (isBooker ? (booking.linkUrl ?? '') : ''),
  };
}

/** Answers as lines, as far as a value may hold them. */
function sayList(answers: readonly { label: string; answer: string }[], quoting: Quoting): string {
  const lines: string[] = [];
  let left: number = filledLimits.value.chars;
  for (const { label, answer } of answers) {
    if (left < 0) break;
    const line = `${label}: ${quoting.text(answer)}`;
    left -= line.length;
    lines.push(line);
  }
  return lines.join('\n');
}

const sayYesOrNo = (isYes: boolean, locale: string) => wordsIn(locale)(isYes ? 'answer.yes' : 'answer.no');

/** The same of what is no booking. */
export function valuesOfOther(matter: OtherMatter, to: Recipient, { host, quoting }: Setting): Values {
  const { locale } = to;
  const people = { host_name: quoting.name(host.name), host_email: addressFor(to, host) };
  if (matter.kind === 'calendar')
    return { ...people, calendar_account: matter.account, problem: sayProblem(matter.problem, locale) };
  // anybody can enter the address of somebody else in a form
  const isTyped = to.role === 'guest';
  return {
    ...people,
    ...(matter.guest === null ? {} : guestValues(isTyped ? untyped(matter.guest, to) : matter.guest, to, quoting)),
    form_name: quoting.name(matter.form),
    form_answers: sayList(
      (isTyped ? [] : matter.answers).map(({ label, answer }) => ({
        label,
        answer: typeof answer === 'string' ? answer : sayYesOrNo(answer, locale),
      })),
      quoting,
    ),
  };
}

/** A sentence of ours, which is kept in English, maybe after a count: `12 × …`. */
function sayProblem(problem: string, locale: string): string {
  const [, count = '', text = problem] = /^(\d+ × )(.*)$/s.exec(problem) ?? [];
  return `${count}${sayError(text, chooseTongue([locale]).language)}`;
}

const addressFor = ({ role }: Recipient, { email, shownEmail }: StepHost) =>
  role === 'host' ? email : (shownEmail ?? '');

/** Whether a reader is the guest by phone. Nobody has proved that a number is the guest's. */
const isNumber = ({ role, address }: Recipient, email: string) => role === 'guest' && address !== email;

/** A guest without the words that somebody else may have typed. Readers are called by their address, as a name is such a word too. */
const untyped = <Guest extends { name: string; email: string }>(guest: Guest, to: Recipient) => ({
  ...guest,
  name: to.role !== 'guest' ? withoutAddresses(guest.name) : isNumber(to, guest.email) ? guest.name : guest.email,
  phone: null,
});

/** A text message has no address of the guest, and phones find no link in the name. */
function guestValues(
  { name, email, phone }: { name: string; email: string; phone: string | null },
  to: Recipient,
  quoting: Quoting,
) {
  const byPhone = isNumber(to, email);
  const quote = byPhone ? (text: string) => partSigns(quoting.name(text)).slice(0, 80) : quoting.name;
  return {
    guest_name: quote(name),
    guest_first_name: quote(name.trim().split(/\s+/)[0] ?? ''),
    guest_email: byPhone ? '' : email,
    guest_phone: phone === null ? '' : quoting.name(phone),
  };
}

/** `J.R. Smith` becomes `J. R. Smith`, and `example.org/now` `example. org/ now`. Browsers read four signs as a dot. */
const partSigns = (name: string) => name.replace(/[.。．｡:/@](?=\S)/g, '$& ');

function placeOf({ joinUrl, location, guest }: BookingFacts, quoting: Quoting): string {
  if (joinUrl !== null) return joinUrl;
  if (location.kind === 'in-person') return location.address.trim();
  if (location.kind !== 'phone') return '';
  if (location.who_calls === 'guest') return location.number;
  return guest.phone === null ? '' : quoting.name(guest.phone);
}
