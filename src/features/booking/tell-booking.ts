import type { BookingId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { MailMessage } from '#platform/mail-message.ts';
import { loadTold } from './load-told.ts';
import { guestMail, hostMail, invitedMail, keyOf, type Moment, type ToldBooking } from './mail.ts';
import type { BookingActor, BookingChange, BookingState } from './rules/booking-states.ts';
import { listAudit } from './store/booking-audit.ts';
import { type Booking, findBooking } from './store/bookings.ts';
import { noteToldWithoutLink, takeToldWithoutLink } from './store/meeting-links.ts';

interface Change {
  bookingId: BookingId;
  what: BookingChange;
  sequence: number;
}

/** Meetings that a provider makes, and whose link comes after them. */
const made = new Set(['google-meet', 'teams']);

/** The states in which a change is still news. */
const news: Partial<Record<BookingChange, readonly BookingState[]>> = {
  'mail-wanted': ['awaiting-mail'],
  requested: ['pending'],
  confirmed: ['confirmed'],
  rescheduled: ['pending', 'confirmed'],
  linked: ['confirmed'],
  declined: ['declined'],
  cancelled: ['cancelled'],
  expired: ['expired'],
};

/**
 * Tells everybody of a booking what happened to it. Whoever comes late reads the booking as it is: what has been overtaken
 * is not told any more, and what was told is not told twice.
 */
export async function tellBooking(app: App, { bookingId, what, sequence }: Change): Promise<void> {
  const booking = await findBooking(app.db, bookingId);
  if (booking === null || booking.sequence !== sequence) return;
  if (news[what]?.includes(booking.state) !== true) return;
  const audit = (await listAudit(app.db, bookingId)).findLast(({ kind }) => kind === what);
  if (audit === undefined) return;
  const { actor, details } = audit as { actor: BookingActor; details: { from?: { startMs?: number } | BookingState } };
  const stateBefore = typeof details.from === 'string' ? details.from : null;
  const beforeMs = typeof details.from === 'object' ? (details.from.startMs ?? null) : null;
  // an address that was never shown to be the guest's gets the one mail that asks, and no more
  if (stateBefore === 'awaiting-mail') return;
  // what is moved, or gets its link, is one time
  const together = what !== 'rescheduled' && what !== 'linked';
  const told = await loadTold(app, booking, { beforeMs, together });
  // of times that were booked, confirmed or cancelled together the first tells of all
  if (told === null || (told.series[0] ?? booking).uid !== booking.uid) return;
  const mails = mailsOf(
    momentOf(what, booking),
    told,
    { actor, wasCertain: stateBefore !== 'pending' },
    {
      publicUrl: app.config.publicUrl,
      from: app.mail.from.address,
      nowMs: app.clock.nowMs(),
    },
  );
  const awaitsLink = told.joinUrl === null && made.has(told.location.kind) && told.series.length <= 1;
  await inTransaction(app.db, async (tx) => {
    if (what === 'linked' && !(await takeToldWithoutLink(tx, bookingId))) return;
    if (awaitsLink && booking.state === 'confirmed' && !(await noteToldWithoutLink(tx, booking)))
      throw new Error(`the link of booking ${bookingId} came while its mails were written: they are written again`);
    for (const mail of mails) await app.mail.send(tx, mail);
    // nobody is reminded of what is over
    await app.mail.withdraw(tx, keyOf('reminder', { id: bookingId, sequence: sequence - 1 }, 'guest'));
  });
}

function momentOf(what: BookingChange, { state }: Booking): Moment {
  if (what === 'rescheduled' && state === 'pending') return 'rescheduled-pending';
  return what as Moment;
}

function mailsOf(
  moment: Moment,
  told: ToldBooking,
  { actor, wasCertain }: { actor: BookingActor; wasCertain: boolean },
  setting: Parameters<typeof guestMail>[2],
): MailMessage[] {
  const isBringing =
    moment === 'confirmed' || moment === 'rescheduled' || moment === 'linked' || (moment === 'cancelled' && wasCertain);
  // who did it in their calendar knows
  const isForHost =
    actor !== 'host' &&
    actor !== 'calendar' &&
    moment !== 'linked' &&
    moment !== 'mail-wanted' &&
    moment !== 'declined';
  return [
    guestMail(moment, told, setting),
    ...(isBringing ? told.guests.map((_, number) => invitedMail(moment, told, number, setting)) : []),
    ...(isForHost ? [hostMail(moment, told, setting)] : []),
  ];
}
