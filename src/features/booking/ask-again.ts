import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { takeAllowance } from '#platform/limits.ts';
import { type MailMessage, quoteName, unlinkText } from '#platform/mail-message.ts';
import { sayMoment } from '#platform/mail-words.ts';
import { mailboxOf, noMoreMails } from '#platform/recipients.ts';
import { findBooked } from './find-booked.ts';
import { listProvedBy } from './list-proved-by.ts';
import { loadTold } from './load-told.ts';
import { guestMail, markUnproved } from './mail.ts';
import { keyOf } from './mail-facts.ts';
import { askedAgain } from './rules/booking-load.ts';
import { endedAlready } from './rules/booking-refusal.ts';
import type { ToldBooking } from './rules/told-booking.ts';
import { type Appointment, loadAppointment } from './store/appointments.ts';
import { insertAudit } from './store/booking-audit.ts';
import type { Booking } from './store/bookings.ts';
import { wordsIn } from './words-in.ts';

/**
 * Sends the mail once more that asks the guest of a booking to prove their address.
 * *Errors*: AppError not-found, conflict (TOO_LATE) where nothing waits for it, limited.
 */
export async function askAgain(app: App, token: string): Promise<void> {
  const booking = await findBooked(app.db, token);
  const nowMs = app.clock.nowMs();
  if (booking.state !== 'awaiting-mail' || (booking.expiresMs ?? 0) <= nowMs) throw endedAlready();
  await takeAllowance(app.db, askedAgain, `${booking.userId} ${mailboxOf(booking.guestEmail)}`);
  const told = await loadTold(app, booking, { together: 'same-moment' });
  if (told === null) return;
  const setting = { publicUrl: app.config.publicUrl, from: app.mail.from.address, nowMs };
  const waiting = (await listProvedBy(app.db, booking, nowMs)).filter(({ id }) => !told.ids.includes(id));
  const mail = nameOthers(guestMail('mail-wanted', told, setting), told, await loadOthers(app, waiting));
  const key = `${keyOf('mail-wanted', told, 'guest')} again ${nowMs}`;
  const isSent = await inTransaction(app.db, async (tx) => {
    if (!(await app.mail.send(tx, { ...mail, key, ...markUnproved(told, mail.to) }))) return false;
    // from now on a mail of its own asks for the proof
    for (const id of told.ids)
      await insertAudit(tx, { bookingId: id, atMs: nowMs, actor: 'guest', kind: 'mail-wanted', details: {} });
    return true;
  });
  if (!isSent) throw noMoreMails();
}

/** A fact has a limit. */
const mostNamed = 5;
const longestTitle = 160;

const loadOthers = ({ db }: App, waiting: readonly Booking[]) =>
  Promise.all(waiting.slice(0, mostNamed).map(({ appointmentId }) => loadAppointment(db, appointmentId)));

/** The mail names the other bookings that its link confirms. */
function nameOthers(mail: MailMessage, { guest }: ToldBooking, others: readonly Appointment[]): MailMessage {
  if (others.length === 0) return mail;
  const time = { locale: guest.locale, zone: guest.zone };
  const lines = others.map(
    ({ title, startMs }) => `${quoteName(unlinkText(title, longestTitle))}, ${sayMoment(startMs, time)}`,
  );
  const fact = [wordsIn(guest.locale)('facts.confirms'), lines.join('\n')] as const;
  const { content } = mail;
  return { ...mail, content: { ...content, blocks: content.blocks.toSpliced(2, 0, { facts: [fact] }) } };
}
