import { teamOfBooking } from '#features/booking/public.ts';
import type { BookingChange } from '#features/booking/rules/booking-states.ts';
import type { BookingId, UserId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import type { ListenerApp } from '#platform/news.ts';
import { runsTopic } from './events.ts';
import { planBookings } from './plan-bookings.ts';
import { listActiveWorkflows, lockWorkflowsAbout } from './store/workflow-rows.ts';
import { withdrawOverdue } from './withdraw-overdue.ts';

/** What of a booking's life runs follow from. */
const followed: ReadonlySet<BookingChange> = new Set([
  'requested',
  'confirmed',
  'declined',
  'cancelled',
  'rescheduled',
  'reassigned',
  'no-show',
  'expired',
]);

/** What takes a meeting, or its time, away. */
const ending: ReadonlySet<BookingChange> = new Set(['declined', 'cancelled', 'rescheduled', 'expired']);

/** Plans what follows from a change of a booking, in the transaction of that change. Answers whether something is due at once. */
export async function followBooking(
  app: ListenerApp,
  tx: Tx,
  heard: { bookingId: string; userId: string; what: BookingChange },
): Promise<boolean> {
  if (!followed.has(heard.what)) return false;
  const userId = heard.userId as UserId;
  if (ending.has(heard.what)) await withdrawOverdue(app, tx, heard.bookingId as BookingId);
  const bookingId = heard.bookingId as BookingId;
  const team = teamOfBooking(bookingId);
  await lockWorkflowsAbout(tx, userId, team);
  const workflows = await listActiveWorkflows(tx, userId, team);
  if (workflows.length === 0) return false;
  const isDue = await planBookings(app, tx, { bookingIds: [bookingId], workflows, isNews: true });
  await app.feed.publishToAll(tx, [...new Set([userId, ...workflows.map((one) => one.userId)])], runsTopic);
  return isDue;
}
