import { type MailBlock, type MailCalendar, spaceOut, spaceOutName } from '#platform/mail-message.ts';
import { isLinkWithheld, type Say } from './mail-facts.ts';
import { addToCalendar } from './rules/add-to-calendar.ts';
import { type InvitedEvent, type Organizer, writeInvitation } from './rules/invitation.ts';
import { changeSeries } from './rules/series-invitation.ts';
import { asGuestsSee, hostsOf, type Setting, type ToldBooking } from './rules/told-booking.ts';
import type { Moment } from './rules/who-is-told.ts';
import { placeOf, sayOpenPlace } from './say-place.ts';

/**
 * Describes a part of a meeting for calendars: the join link is its place and the first line of its text. A canceled
 * part has neither.
 */
export function describePart<Part extends Pick<InvitedEvent, 'joinUrl' | 'isCancelled'>>(
  say: Say,
  booking: ToldBooking,
  part: Part,
  notes: string,
  { isBrought = false }: { isBrought?: boolean } = {},
): Part & Pick<InvitedEvent, 'title' | 'notes' | 'place'> {
  const { joinUrl, isCancelled } = part;
  const title = spaceOutName(`${booking.title}: ${hostsOf(booking).name}`);
  if (isCancelled) return { ...part, title, notes: '', place: '' };
  const withheld = say(isBrought ? 'where.link-on-invitation' : 'where.link-on-page');
  const host = hostsOf(booking);
  const opened = () =>
    booking.lacksLink
      ? say('where.link-by-host', { host: spaceOutName(host.name) })
      : sayOpenPlace(say, { ...booking, host }, { isHost: false, name: spaceOutName });
  const join = joinUrl === null ? [] : [say('join-here', { url: joinUrl })];
  return {
    ...part,
    title,
    notes: [...join, ...(notes === '' ? [] : [notes])].join('\n\n'),
    place: spaceOut(placeOf(booking)) || (joinUrl ?? (isLinkWithheld(booking) ? withheld : opened())),
  };
}

/** For programs that do not read the invitation. A series is in the invitation alone. */
export function calendarLinks(
  say: Say,
  moment: Moment,
  booking: ToldBooking,
  reader: { isBrought?: boolean } = {},
): MailBlock[] {
  if (moment !== 'confirmed' || booking.together.length > 1) return [];
  const { google, outlook } = linksToCalendars(say, booking, reader);
  const to = [
    { label: say('calendar.google'), url: google },
    { label: say('calendar.outlook'), url: outlook },
  ];
  return [{ links: { label: say('calendar.add'), to } }];
}

/**
 * Pages of providers that add a confirmed booking to a calendar, with the texts of its calendar file. The address that changes
 * the booking is left out: it is a secret, and addresses are kept in logs.
 */
export function linksToCalendars(
  say: Say,
  booking: ToldBooking,
  reader: { isBrought?: boolean } = {},
): ReturnType<typeof addToCalendar> {
  const { startMs, endMs, joinUrl } = booking;
  return addToCalendar({ ...describePart(say, booking, { joinUrl, isCancelled: false }, '', reader), startMs, endMs });
}

type Part = Pick<InvitedEvent, 'isCancelled' | 'instanceMs'>;

/** A date of a series has a page of its own. All events of its rule have one text, so that leads to the list of dates. */
function pageOfPart({ series, url }: ToldBooking, { instanceMs }: Part): string {
  if (series === null || series.times.length < 2) return url;
  return series.times.find(({ firstMs }) => firstMs === instanceMs)?.url ?? `${url}#dates`;
}

/** The way to the page of a booking, in the text of its event. */
export function sayChangeHere(
  say: Say,
  booking: ToldBooking,
  part: Part,
  { isPageOnly }: { isPageOnly: boolean },
): string {
  const isOfRule = part.instanceMs === undefined && booking.series !== null && booking.series.times.length > 1;
  const url = pageOfPart(booking, part);
  if (isOfRule) return say(isPageOnly ? 'join-or-change-here-series' : 'change-here-series', { url });
  return say(isPageOnly ? 'join-or-change-here' : 'change-here', { url });
}

/** Only certain meetings go into calendars, and out of them. `to` and `page`: of a brought guest, with the page of their invitation. */
export function mailCalendarOf(
  moment: Moment,
  given: ToldBooking,
  { from, nowMs }: Setting,
  say: Say,
  { to, page }: { to?: string; page?: string | undefined } = {},
): { calendar?: MailCalendar } {
  if (given.calendar === null) return {};
  const { method, events } = changeOf(moment, given);
  // times of a series that remain may still take place
  const booking = method === 'CANCEL' ? asGuestsSee(given) : given;
  const { guest } = booking;
  const isBrought = to !== undefined;
  const isPageOnly = isLinkWithheld(booking);
  const pageOf = (part: Part) => (isBrought ? page : pageOfPart(booking, part));
  const notesOf = (part: Part) => {
    if (!isBrought) return sayChangeHere(say, booking, part, { isPageOnly });
    return isPageOnly && page !== undefined ? say('join-or-decline-here', { url: page }) : '';
  };
  // the booker has accepted; brought guests have not. The name in a booking that its guest has not confirmed is anybody's
  const attendees = [
    { email: guest.email, name: isBrought || booking.isProved ? spaceOutName(guest.name) : null, hasAccepted: true },
    ...(to === undefined ? [] : [{ email: to, name: null, hasAccepted: false }]),
  ];
  const organizer = organizerOf(booking, from);
  const invited = events.map((part) => {
    const pageUrl = pageOf(part);
    const notes = notesOf(part);
    return {
      ...describePart(say, booking, part.isCancelled ? { ...part, joinUrl: null } : part, notes, { isBrought }),
      ...(isPageOnly && pageUrl !== undefined && !part.isCancelled ? { pageUrl } : {}),
      attendees,
    };
  });
  return { calendar: { method, ics: writeInvitation({ method, organizer, stampMs: nowMs, events: invited }) } };
}

/**
 * Returns the organizer of the first invitation, even after a change of hosts: programs ignore changes by another
 * (decision 0067).
 */
export function organizerOf(booking: ToldBooking, install: string): Organizer {
  const { organizer: email, host, others } = booking;
  if (email === '') return { name: spaceOutName(hostsOf(booking).name), email: install, sentBy: null };
  const known = [host, ...others].find((one) => one.email === email);
  return { name: known === undefined ? email : spaceOutName(known.name), email, sentBy: install };
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
