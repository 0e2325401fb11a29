import { isMailLink, type MailBlock, type MailFact, quoteName, quoteText } from '#platform/mail-message.ts';
import { type SayMail, sayMoment, sayRange, sayShortRange, type TimeFormat } from '#platform/mail-words.ts';
import type en from './mail.en.json';
import { addToCalendar } from './rules/add-to-calendar.ts';
import { hostsOf, type Setting, type ToldBooking } from './rules/told-booking.ts';
import type { Moment } from './rules/who-is-told.ts';
import { sayPlace, sayService } from './say-place.ts';

/** Parts of mails about bookings: time, place, people, and the ways into the call and into calendars. */

export type Say = SayMail<typeof en>;
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

export const toFact = ({ label, answer }: { label: string; answer: string }): MailFact => [label, quoteText(answer)];
export const factBlock = (facts: readonly MailFact[]): MailBlock[] => (facts.length === 0 ? [] : [{ facts }]);

/** The way into the call, while there is one. */
export function joinButton(say: Say, moment: Moment, booking: ToldBooking): MailBlock[] {
  const { joinUrl } = booking;
  if (!takesPart(moment, booking) || joinUrl === null || hasLinksOfTheirOwn(booking)) return [];
  if (isMailLink(joinUrl)) return [{ button: { label: say('join'), url: joinUrl } }];
  return [{ facts: [[say('join'), joinUrl]] }];
}

/** For programs that do not read the invitation. A series is in the invitation alone. */
export function calendarLinks(say: Say, moment: Moment, booking: ToldBooking): MailBlock[] {
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

export function sayPolicy(say: Say, { policy, startMs }: ToldBooking, time: TimeFormat, { nowMs }: Setting): string {
  if (policy.untilMs <= nowMs) return say('change.closed');
  if (policy.untilMs >= startMs) return say('change.until-start');
  // an hour may end in a stop of its own: `3:24 p.m.`
  return say('change.until', { until: sayMoment(policy.untilMs, time) }).replace(/\.\.$/, '.');
}

/** Where guests are told to come. What is not certain has no more than the name of its service. */
export function placesFor(say: Say, moment: Moment, booking: ToldBooking): MailFact[] {
  if (takesPart(moment, booking)) return sayPlace(say, meetingOf(booking), { isHost: false });
  const service = sayService(say, booking);
  return service === '' ? [] : [[say('facts.where'), service]];
}

export const meetingOf = (booking: ToldBooking) => ({
  ...booking,
  hasLink: booking.joinUrl !== null || hasLinksOfTheirOwn(booking),
});
