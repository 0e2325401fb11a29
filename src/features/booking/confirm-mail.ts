import { AppError } from '#kernel/errors.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import { resumeRecipient } from '#platform/recipients.ts';
import { becomeConfirmed } from './become-confirmed.ts';
import { addressProved } from './events.ts';
import { findBooked } from './find-booked.ts';
import { isProof } from './is-proof.ts';
import { listProvedBy } from './list-proved-by.ts';
import { type LoadedBooking, loadTold } from './load-told.ts';
import { guestMail } from './mail.ts';
import { isLinkWithheld, withoutFreeText } from './mail-facts.ts';
import { noteChange } from './note-change.ts';
import { noSuchBooking } from './rules/booking-refusal.ts';
import type { BookingState } from './rules/booking-states.ts';
import { sendTold } from './send-told.ts';
import { lockAppointment, lockBookings, settleBlocks } from './store/appointments.ts';
import { type Booking, findBooking, markProved, updateBooking } from './store/bookings.ts';
import { findType } from './store/event-type-rows.ts';
import { listLapsed } from './store/lapsed-invitations.ts';
import { listPerhapsWithheld, noteLinkTold } from './store/meeting-links.ts';
import { noteOrganizer } from './store/told-bookings.ts';
import { hurryWaiting } from './telling/store.ts';

/**
 * A guest shows to read the mail of their address, by the secret that only the mail carries. The booking of the mail counts
 * from now on, with its series. `also`: other bookings of that address with the same host or team that its reader has chosen,
 * since anybody can book with an address. Other hosts are not named in the mail: their bookings have mails of their own.
 * Invitations that had to leave out a link, and those that the limit kept back or ended, are sent again.
 * *Errors*: AppError not-found, forbidden (NOT_PROVED), conflict (TOO_LATE) where what waited has been given up.
 */
export async function confirmMail(
  app: App,
  token: string,
  { proof, also = [] }: { proof: string; also?: readonly string[] },
): Promise<Booking> {
  const booking = await findBooked(app.db, token);
  if (!isProof(app, booking, proof)) throw notProved();
  const { id, guestEmail: email } = booking;
  return inTransaction(app.db, async (tx) => {
    const nowMs = app.clock.nowMs();
    const waiting = chosenOf(await listProvedBy(tx, booking, nowMs), [id, ...also]);
    const withheld = await findWithheld(app, tx, booking);
    await lockBookings(tx, [id, ...waiting.map((one) => one.id), ...withheld.flatMap(({ ids }) => ids)]);
    for (const one of waiting) await letThrough(app, tx, one, nowMs);
    await resumeRecipient(tx, email);
    await markProved(tx, booking, nowMs);
    await sendWithheld(app, tx, withheld);
    await hurryWaiting(tx, email);
    await app.news.announce(tx, addressProved, { email });
    const known = await findBooking(tx, id);
    if (known === null) throw noSuchBooking();
    if (!provable.includes(known.state) && waiting.length === 0) throw tooLate();
    return known;
  });
}

/** These bookings, each with its series. */
function chosenOf(waiting: readonly Booking[], ids: readonly string[]): Booking[] {
  const chosen = waiting.filter(({ id }) => ids.includes(id));
  const series = new Set(chosen.flatMap(({ seriesId }) => seriesId ?? []));
  return waiting.filter((one) => chosen.includes(one) || (one.seriesId !== null && series.has(one.seriesId)));
}

async function letThrough(app: App, tx: Tx, booking: Booking, nowMs: number): Promise<void> {
  const { id, eventTypeId, appointmentId } = booking;
  const type = eventTypeId === null ? null : await findType(tx, eventTypeId);
  if (type?.settings.confirmation !== true) {
    const confirmed = await becomeConfirmed(app, tx, booking, 'awaiting-mail', nowMs);
    if (confirmed === null) return;
    await updateBooking(tx, id, ['confirmed'], { mailConfirmedMs: nowMs });
    await noteChange(app, tx, confirmed, { what: 'confirmed', actor: 'guest' });
    return;
  }
  await lockAppointment(tx, appointmentId);
  const change = { state: 'pending', expiresMs: null, mailConfirmedMs: nowMs } as const;
  const requested = await updateBooking(tx, id, ['awaiting-mail'], change);
  if (requested === null) return;
  await settleBlocks(tx, requested.appointmentId);
  await noteChange(app, tx, requested, { what: 'requested', actor: 'guest' });
}

/** A guest has at most a few dozen: five series of ten dates. */
const mostAtOnce = 60;

/**
 * Invitations that this guest lacks, or whose link they lack, as the address is not confirmed with the host. Dates of a series
 * are one invitation.
 * Asked before the address is marked as proved.
 */
async function findWithheld(app: App, tx: Tx, booking: Booking): Promise<LoadedBooking[]> {
  const all = await listPerhapsWithheld(tx, booking, { nowMs: app.clock.nowMs(), limit: mostAtOnce });
  const found: LoadedBooking[] = [];
  for (const [first, ...more] of Map.groupBy(all, ({ id, seriesId }) => seriesId ?? id).values()) {
    const told = first && (await loadTogether(app, tx, first, [first, ...more]));
    if (told?.unconfirmed.includes(told.guest.email) !== true) continue;
    if (isLinkWithheld(withoutFreeText(told)) || (await hasLapsed(tx, told))) found.push(told);
  }
  return found;
}

const hasLapsed = async (tx: Tx, { id, guest }: LoadedBooking) =>
  (await listLapsed(tx, id)).has(guest.email.toLowerCase());

/** Sends these invitations again, once the address is proved. Other guests of the booking get no mail. */
async function sendWithheld(app: App, tx: Tx, found: readonly LoadedBooking[]): Promise<void> {
  const setting = { publicUrl: app.config.publicUrl, from: app.mail.from.address, nowMs: app.clock.nowMs() };
  for (const { id, ids } of found) {
    const booking = await findBooking(tx, id);
    const told =
      booking &&
      (await loadTogether(
        app,
        tx,
        booking,
        ids.map((one) => ({ id: one })),
      ));
    if (told === null || told.unconfirmed.includes(told.guest.email)) continue;
    const isLapsed = await hasLapsed(tx, told);
    const linked = { ...told, calendar: { method: 'invite' }, toldAs: `${told.toldAs}:proved` } as const;
    await noteLinkTold(tx, told.ids);
    await noteOrganizer(tx, told.ids, told.organizer);
    await sendTold(app, tx, { id, userId: told.host.id }, [
      guestMail(isLapsed ? 'confirmed' : 'linked', linked, setting),
    ]);
  }
}

const loadTogether = (app: App, tx: Tx, booking: Booking, all: readonly Pick<Booking, 'id'>[]) =>
  loadTold(
    { ...app, db: tx },
    booking,
    booking.seriesId === null ? {} : { together: new Set(all.map(({ id }) => id)) },
  );

/** A reader who got the mail of a booking reads the address, also after it was canceled or declined. */
export const provable: readonly BookingState[] = ['pending', 'confirmed', 'cancelled', 'declined'];

const notProved = () =>
  new AppError('forbidden', 'NOT_PROVED', 'Use the link in the email we sent to this address to confirm it.');

const tooLate = () => new AppError('conflict', 'TOO_LATE', 'This booking has expired. Choose another time.');
