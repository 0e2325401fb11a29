import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { takeAllowance } from '#platform/limits.ts';
import { mailboxOf, noMoreMails } from '#platform/recipients.ts';
import { findBooked } from './find-booked.ts';
import { loadTold } from './load-told.ts';
import { guestMail, keyOf, markUnproved } from './mail.ts';
import { askedAgain } from './rules/booking-load.ts';
import { endedAlready } from './rules/booking-refusal.ts';

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
  const mail = guestMail('mail-wanted', told, setting);
  const key = `${keyOf('mail-wanted', told, 'guest')} again ${nowMs}`;
  const isSent = await inTransaction(app.db, (tx) =>
    app.mail.send(tx, { ...mail, key, ...markUnproved(told, mail.to) }),
  );
  if (!isSent) throw noMoreMails();
}
