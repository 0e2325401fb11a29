import { randomUUID } from 'node:crypto';
import { loadOwner } from '#features/accounts/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { ContactId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { contactsTopic } from './events.ts';
import { judgeFollowUp } from './judge-follow-up.ts';
import { loadContact } from './load-contact.ts';
import { followUpMail } from './mail.ts';
import { followUpsADay } from './rules/contact-limits.ts';
import { lockRoom } from './store/contact-rows.ts';
import { insertFollowUp } from './store/note-rows.ts';

/**
 * A mail to one contact, written down with it. *Errors*: AppError not-found, invalid (`EMPTY_MAIL`), unavailable
 * (`NO_MAIL_SERVER`), forbidden (`NEVER_BOOKED`), limited (`FOLLOW_UP_LIMIT`); nothing is sent then.
 */
export function sendFollowUp(
  app: Pick<App, 'db' | 'clock' | 'mail' | 'feed'>,
  { userId }: Actor,
  contactId: ContactId,
  wish: { subject: string; body: string },
): Promise<void> {
  const subject = wish.subject.trim();
  const body = wish.body.trim();
  if (subject === '' || body === '')
    throw new AppError('invalid', 'EMPTY_MAIL', 'A mail needs a subject and a text. Nothing was sent.');
  return inTransaction(app.db, async (tx) => {
    // one after the other, or two at once would both be the last that is allowed
    await lockRoom(tx, userId);
    const contact = await loadContact(tx, userId, contactId);
    switch (await judgeFollowUp(app, tx, userId, contact)) {
      case 'no-mail-server':
        throw new AppError(
          'unavailable',
          'NO_MAIL_SERVER',
          'This server sends no mail. Nothing was sent; use your mail program.',
        );
      case 'never-booked':
        throw new AppError(
          'forbidden',
          'NEVER_BOOKED',
          'Mail leaves from here only to people who have booked with you and confirmed their address. Nothing was sent; use your mail program.',
        );
      case 'limit':
        throw new AppError(
          'limited',
          'FOLLOW_UP_LIMIT',
          `At most ${followUpsADay.one} mails to one contact and ${followUpsADay.all} in all leave within a day. Nothing was sent; use your mail program.`,
          { retryAfterMs: 3_600_000 },
        );
      case 'here':
        break;
    }
    const id = randomUUID();
    await insertFollowUp(tx, userId, contactId, { id, subject, body, atMs: app.clock.nowMs() });
    const by = await loadOwner(tx, userId);
    await app.mail.send(tx, followUpMail({ id, userId, to: contact.address, by, subject, body }));
    await app.feed.publish(tx, userId, contactsTopic);
  });
}
