import type { App } from '#platform/app.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { loadTold } from '../load-told.ts';
import { describePart, organizerOf, sayChangeHere } from '../mail-calendar.ts';
import { writeInvitation } from '../rules/invitation.ts';
import { wholeOf } from '../rules/series-invitation.ts';
import { wordsIn } from '../words-in.ts';
import { findVisitedBooking } from './find-visited-booking.ts';

/**
 * A confirmed booking as a file for calendar programs; the same event as in its mail, which they know again by its uid.
 * Nobody is asked, so no attendee stands in it (RFC 5546 3.2.1).
 */
export async function sendCalendarFile(app: App, call: PageCall): Promise<PageAnswer | null> {
  const visited = await findVisitedBooking(app, call);
  if ('answer' in visited) return visited.answer;
  const { booked, booking, path } = visited;
  const told = booked.state === 'confirmed' ? await loadTold(app, booking) : null;
  if (told === null) return { kind: 'go', to: path };
  const { uid, sequence, startMs, endMs, host, joinUrl, series } = told;
  // the invitation may be of a time when it was shown
  const isShown = [host, ...told.others].some(({ shownEmail }) => shownEmail === told.organizer);
  const one = { uid, sequence, startMs, endMs, zone: host.zone, joinUrl, isCancelled: false };
  const sayMail = wordsIn(told.guest.locale);
  const text = writeInvitation({
    method: 'PUBLISH',
    organizer: organizerOf({ ...told, organizer: isShown ? told.organizer : '' }, app.mail.from.address),
    stampMs: app.clock.nowMs(),
    events: (series === null ? [one] : wholeOf(series)).map((part) => ({
      ...describePart(sayMail, told, part, sayChangeHere(sayMail, told, part, { isPageOnly: false })),
      attendees: [],
    })),
  });
  return { kind: 'file', type: 'text/calendar; charset=utf-8', name: 'booking.ics', text };
}
