import { createHash } from 'node:crypto';
import { listHosts } from '#features/accounts/public.ts';
import { AppError } from '#kernel/errors.ts';
import { withoutUnseen } from '#kernel/text/unseen-signs.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { networkOf, takeAllowance, takeNetworkAllowance } from '#platform/limits.ts';
import { mailboxOf } from '#platform/recipients.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { demandUnblocked } from './demand-unblocked.ts';
import { findBooked } from './find-booked.ts';
import { loadTold } from './load-told.ts';
import { messageMail } from './message-mail.ts';
import { messageAttempts, messagesBeforeProof, messagesOfBooking, messagesOfGuest } from './rules/booking-load.ts';
import { noSuchBooking } from './rules/booking-refusal.ts';
import { isKnownGuest } from './rules/booking-states.ts';
import { longestMessage } from './rules/visit-data.ts';

const dayMs = 86_400_000;

/**
 * Mails what the guest of a booking writes to its hosts, who answer the guest. The same text counts once a day. A guest whose
 * booking waits for the confirmation of the address can write too, within limits of their own: their mail may be lost.
 * A suspended host gets none.
 * *Errors*: AppError not-found, invalid (INVALID_INPUT), forbidden (BLOCKED), conflict (NOBODY_THERE), limited.
 */
export async function writeToHosts(
  app: App,
  token: string,
  typed: string,
  { ip }: Pick<RequestFacts, 'ip'>,
): Promise<void> {
  await takeAllowance(app.db, messageAttempts, networkOf(ip));
  const booking = await findBooked(app.db, token);
  const told = booking.state === 'held' ? null : await loadTold(app, booking);
  if (told === null) throw noSuchBooking();
  const text = withoutUnseen(typed).replaceAll('\r\n', '\n').trim();
  if (text === '' || text.length > longestMessage)
    throw new AppError('invalid', 'INVALID_INPUT', 'Enter a message of up to 1,500 characters. Nothing was sent.');
  const there = await listHosts(
    app.db,
    [told.host, ...told.others].map(({ id }) => id),
  );
  const hosts = [told.host, ...told.others].filter(({ id }) => there.get(id)?.suspended === false);
  if (hosts.length === 0)
    throw new AppError('conflict', 'NOBODY_THERE', "Messages can't be delivered right now. Nothing was sent.");
  await demandUnblocked(
    app.db,
    hosts.map(({ id }) => id),
    [booking.guestEmail],
  );
  const guestOfHost = `${told.host.id} ${mailboxOf(booking.guestEmail)}`;
  const isKnown = isKnownGuest(booking.state);
  if (!isKnown) {
    await takeNetworkAllowance(app.db, messagesBeforeProof.ofNetwork, ip);
    await takeAllowance(app.db, messagesBeforeProof.ofGuest, guestOfHost);
    await takeAllowance(app.db, messagesBeforeProof.toHost, told.host.id);
  }
  await takeAllowance(app.db, messagesOfGuest, guestOfHost);
  await takeAllowance(app.db, messagesOfBooking, booking.id);
  const sha = createHash('sha256').update(text, 'utf8').digest('hex').slice(0, 32);
  const named = `${sha}:${Math.floor(app.clock.nowMs() / dayMs)}`;
  await inTransaction(app.db, async (tx) => {
    for (const host of hosts)
      await app.mail.send(tx, messageMail(told, host, { text, named, isKnown }, app.config.publicUrl));
  });
}
