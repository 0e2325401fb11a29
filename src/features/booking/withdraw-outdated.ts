import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import type { ToldBooking } from './mail.ts';
import { loadAppointment } from './store/appointments.ts';
import type { Booking } from './store/bookings.ts';

/**
 * Takes back reminders that wait in the outbox of a booking that changed: its guest's, those to hosts who left, and all
 * those to hosts where nobody comes to that time any more.
 */
export async function withdrawOutdated(
  app: App,
  tx: Tx,
  { id, appointmentId }: Booking,
  { told, isMoved }: { told: ToldBooking; isMoved: boolean },
): Promise<void> {
  const { live, seats } = await loadAppointment(tx, appointmentId);
  const left = told.left.map((host) => host.id);
  const all = [told.host, ...told.others].map((host) => host.id).concat(left);
  const ofHosts = !live || (isMoved && seats === 1) ? all : left;
  await app.mail.withdrawAll(tx, { userIds: all, prefixes: [`booking.reminder:${id}:`] });
  await app.mail.withdrawAll(tx, { userIds: ofHosts, prefixes: [`booking.reminder:${appointmentId}:`] });
}
