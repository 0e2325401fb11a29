import { listBookingFacts } from '#features/booking/public.ts';
import type { BookingId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import { withdrawMails } from '#platform/mail-outbox.ts';
import type { ListenerApp } from '#platform/news.ts';
import { listOutgoing } from './store/run-rows.ts';
import { stepMailKeys } from './write-step-mail.ts';

/**
 * A mail that nobody has begun to send says nothing any more of a meeting, or of a time, that is not so: whatever workflow it
 * is of, paused ones too, and also where the worker that handed it over died before it could say so.
 */
export async function withdrawOverdue(app: ListenerApp, tx: Tx, bookingId: BookingId): Promise<void> {
  const outgoing = await listOutgoing(tx, bookingId);
  if (outgoing.length === 0) return;
  const booking = (await listBookingFacts(app, tx, [bookingId])).get(bookingId);
  const takesPlace = booking?.state === 'confirmed' || booking?.state === 'pending';
  const overdue = outgoing.filter(
    ({ aboutMs }) => !takesPlace || (aboutMs !== null && aboutMs !== booking.startMs && aboutMs !== booking.endMs),
  );
  await withdrawMails(tx, overdue.flatMap(stepMailKeys));
}
