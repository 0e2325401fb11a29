import { listReaders } from '#features/accounts/public.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { loadTold } from './load-told.ts';
import { asFollowUp, guestMail, hostMail, invitedMail, reminderUseMs } from './mail.ts';
import { sendInTurn, soonMs } from './send-told.ts';
import { findBooking } from './store/bookings.ts';
import { listLapsed } from './store/lapsed-invitations.ts';
import { type DueReminder, listToRemind, markReminded } from './store/told-bookings.ts';
import { listDueWaiting } from './telling/store.ts';
import { tellWaiting } from './telling/waiting.ts';

const mostAtOnce = 200;

/** Reminds people of what is soon, by the reminders of its event type: once each, never of what is over or long due. */
export async function remindPeople(app: App, signal: AbortSignal): Promise<void> {
  const nowMs = app.clock.nowMs();
  for (const due of await listToRemind(app.db, { nowMs, lateMs: reminderUseMs, limit: mostAtOnce })) {
    signal.throwIfAborted();
    await remindOf(app, due, nowMs);
  }
}

/** Tells readers of changes that had to wait for the limit of mails. */
export async function tellAllWaiting(app: App, signal: AbortSignal): Promise<void> {
  const when = { nowMs: app.clock.nowMs(), lastMs: soonMs, limit: mostAtOnce };
  for (const id of await listDueWaiting(app.db, when)) {
    signal.throwIfAborted();
    await tellWaiting(app, id);
  }
}

async function remindOf(app: App, { id, minutes }: DueReminder, nowMs: number): Promise<void> {
  const booking = await findBooking(app.db, id);
  const loaded = booking === null ? null : await loadTold(app, booking);
  if (booking === null || loaded === null) return;
  const { startMs } = loaded;
  // the reason of an earlier move is old by now
  const told = { ...loaded, reason: null, toldAs: `${id}:${startMs}:${minutes}` };
  const hosts = [told.host, ...told.others];
  const readers = await listReaders(
    app.db,
    hosts.map((host) => host.id),
    'bookingReminders',
  );
  const setting = { publicUrl: app.config.publicUrl, from: app.mail.from.address, nowMs };
  await inTransaction(app.db, async (tx) => {
    if (!(await markReminded(tx, booking, { minutes, startMs }))) return;
    const lapsed = await listLapsed(tx, id);
    // a reader without an invitation gets one
    const invited = { ...told, calendar: { method: 'invite' } } as const;
    const isLapsed = (address: string) => lapsed.has(address.toLowerCase());
    await sendInTurn(app, tx, told, {
      brought: told.guests.map((address, number) =>
        isLapsed(address)
          ? invitedMail('confirmed', invited, number, setting)
          : asFollowUp(invitedMail('reminder', told, number, setting), told),
      ),
      others: (untold) => [
        isLapsed(told.guest.email)
          ? guestMail('confirmed', { ...invited, untold }, setting)
          : asFollowUp(guestMail('reminder', { ...told, untold }, setting), told),
        ...hosts
          .filter(({ id: hostId }) => readers.some((reader) => reader.id === hostId))
          .map((host) => ({
            ...hostMail('reminder', { ...told, untold }, setting, host),
            // once of a time, however many come
            key: `booking.reminder:${booking.appointmentId}:${startMs}:${minutes}:host ${host.id}`,
          })),
      ],
    });
  });
}
