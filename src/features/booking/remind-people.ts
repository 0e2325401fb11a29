import { listReaders } from '#features/accounts/public.ts';
import type { BookingId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { loadTold } from './load-told.ts';
import { guestMail, hostMail, invitedMail, reminderUseMs } from './mail.ts';
import { findBooking } from './store/bookings.ts';
import { listToRemind, markReminded } from './store/told-bookings.ts';

const mostAtOnce = 200;

/** Reminds people of what is soon: once of each version of a booking, never of what is over or long due. */
export async function remindPeople(app: App, signal: AbortSignal): Promise<void> {
  const nowMs = app.clock.nowMs();
  for (const id of await listToRemind(app.db, { nowMs, lateMs: reminderUseMs, limit: mostAtOnce })) {
    signal.throwIfAborted();
    await remindOf(app, id, nowMs);
  }
}

async function remindOf(app: App, id: BookingId, nowMs: number): Promise<void> {
  const booking = await findBooking(app.db, id);
  const told = booking === null ? null : await loadTold(app, booking);
  if (booking === null || told === null) return;
  const hosts = [told.host, ...told.others];
  const readers = await listReaders(
    app.db,
    hosts.map((host) => host.id),
    'bookingReminders',
  );
  const setting = { publicUrl: app.config.publicUrl, from: app.mail.from.address, nowMs };
  await inTransaction(app.db, async (tx) => {
    if (!(await markReminded(tx, id, booking.sequence))) return;
    await app.mail.send(tx, guestMail('reminder', told, setting));
    for (const number of told.guests.keys()) await app.mail.send(tx, invitedMail('reminder', told, number, setting));
    for (const host of hosts.filter(({ id: hostId }) => readers.some((reader) => reader.id === hostId))) {
      // once of a time, however many come
      const key = `booking.reminder:${booking.appointmentId}:${told.startMs}:host ${host.id}`;
      await app.mail.send(tx, { ...hostMail('reminder', told, setting, host), key });
    }
  });
}
