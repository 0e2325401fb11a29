import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import type { MailMessage } from '#platform/mail-message.ts';
import { bookingsTopic } from './events.ts';
import { insertAudit } from './store/booking-audit.ts';
import type { Booking } from './store/bookings.ts';

/** Sends mails about a booking. Its history tells the host of mails that did not go out to unproved addresses. */
export async function sendTold(
  app: Pick<App, 'clock' | 'feed' | 'mail'>,
  tx: Tx,
  { id, userId }: Pick<Booking, 'id' | 'userId'>,
  mails: readonly MailMessage[],
): Promise<void> {
  const { length: count } = await app.mail.sendAll(tx, mails);
  if (count === 0) return;
  const atMs = app.clock.nowMs();
  await insertAudit(tx, { bookingId: id, atMs, actor: 'system', kind: 'mail-withheld', details: { count } });
  await app.feed.publish(tx, userId, bookingsTopic);
}
