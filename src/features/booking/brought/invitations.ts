import type { App } from '#platform/app.ts';
import { type Database, inTransaction, type Tx } from '#platform/db.ts';
import { withdrawMailsLike } from '#platform/mail-outbox.ts';
import { type LoadedBooking, loadTold } from '../load-told.ts';
import { lockBooking } from '../lock-booking.ts';
import { invitedKey } from '../mail-facts.ts';
import { noteChange } from '../note-change.ts';
import { noSuchBooking } from '../rules/booking-refusal.ts';
import { isChangeable } from '../rules/change-window.ts';
import { sendTold } from '../send-told.ts';
import { settleBlocks } from '../store/appointments.ts';
import { type Booking, findBooking } from '../store/bookings.ts';
import { listLapsed } from '../store/lapsed-invitations.ts';
import { findKnown } from '../store/told-bookings.ts';
import { dropWaiting, listWaiting } from '../telling/store.ts';
import { writeAppointment } from '../write-appointment.ts';
import { readInviteToken } from './links.ts';
import { declinedMail, leftMail } from './mail.ts';
import { type BroughtDate, dropGuest, listDates } from './store.ts';

/** The part of a brought guest in a booking, or in all dates of its series. */
export interface Invitation {
  /** The one that the token names. */
  booking: Booking;
  address: string;
  /** Dates that the guest can decline, by their times. */
  open: readonly BroughtDate[];
  /** Dates that they have declined. */
  declined: readonly BroughtDate[];
}

/** The invitation that a token leads to. *Errors*: AppError not-found. */
export async function findInvitation(
  app: Pick<App, 'keyring' | 'clock'>,
  db: Database,
  token: string,
): Promise<Invitation> {
  const named = readInviteToken(app, token);
  const booking = named === null ? null : await findBooking(db, named.id);
  if (named === null || booking === null) throw noSuchBooking();
  const dates = await listDates(db, booking);
  const address = dates.flatMap(({ guests, declined }) => [...guests, ...declined]).find(named.isOf);
  if (address === undefined) throw noSuchBooking();
  const nowMs = app.clock.nowMs();
  return {
    booking,
    address,
    open: dates.filter(
      ({ state, guests, startMs }) => isChangeable(state) && startMs > nowMs && guests.includes(address),
    ),
    declined: dates.filter(({ declined }) => declined.includes(address)),
  };
}

/**
 * Takes a brought guest out of a booking, or out of these dates of its series as far as they are still to come. Their seats are
 * free, the host's event no longer lists them, and the guest who brought them gets a mail. A second time nothing happens.
 * *Errors*: AppError not-found.
 */
export async function declineInvitation(app: App, token: string, ids: readonly string[]): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    const { booking, address, open } = await findInvitation(app, tx, token);
    const left: Booking[] = [];
    for (const one of open) {
      if (booking.seriesId !== null && !ids.includes(one.id)) continue;
      const locked = await lockBooking(tx, one);
      if (locked === null || !isChangeable(locked.state) || !(await dropGuest(tx, one.id, address))) continue;
      await settleBlocks(tx, locked.appointmentId);
      if (locked.state === 'confirmed') await writeAppointment(app, tx, locked.appointmentId);
      await noteChange(app, tx, locked, { what: 'guest-declined', actor: 'guest', details: { guest: address } });
      left.push(locked);
    }
    const [first] = left;
    if (first === undefined) return;
    const together = booking.seriesId === null ? 'alone' : new Set(left.map(({ id }) => id));
    const told = await loadTold({ ...app, db: tx }, first, { together });
    // a mail about several dates is still of use to a guest of some of them
    const seriesId = left.length === open.length ? booking.seriesId : null;
    if (told !== null) await tellOfDecline(app, tx, told, { address, seriesId });
  });
}

/** Mails to the guest who declined, so that calendars lose the meeting, and to the guest who brought them. */
async function tellOfDecline(
  app: App,
  tx: Tx,
  told: LoadedBooking,
  { address, seriesId }: { address: string; seriesId: string | null },
): Promise<void> {
  const hosts = [told.host, ...told.others].map(({ id }) => id);
  const names = seriesId === null ? told.ids : [...told.ids, seriesId];
  const forms = names.map((name) => `booking.%:${name}:%:${invitedKey(address)}`);
  await withdrawMailsLike(tx, hosts, forms);
  const known = (await findKnown(tx, told.ids)).get(told.id);
  const isInvited = known?.invited === true && !(await listLapsed(tx, told.id)).has(address.toLowerCase());
  const setting = { publicUrl: app.config.publicUrl, from: app.mail.from.address, nowMs: app.clock.nowMs() };
  const holds = (await listWaiting(tx, told.id)).get(address.toLowerCase()) ?? known;
  await dropWaiting(tx, told.ids, [address]);
  const held = isInvited && holds?.state === 'confirmed' ? holds : null;
  await sendTold(app, tx, { id: told.id, userId: told.host.id }, [
    ...(isInvited ? [leftMail(told, address, held, setting)] : []),
    ...(told.unconfirmed.includes(told.guest.email) ? [] : [declinedMail(told, address, setting)]),
  ]);
}
