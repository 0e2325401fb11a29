import { randomUUID } from 'node:crypto';
import { loadOwner } from '#features/accounts/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { ContactId, NoteId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { takeAllowance } from '#platform/limits.ts';
import { decideFollowUp, lockContact } from './contacts.ts';
import { contactsTopic } from './events.ts';
import { followUpMail } from './mail.ts';
import { followUpsADay, mostNotes } from './rules.ts';
import { lockRoom } from './store/contact-rows.ts';
import { insertFollowUp, insertNotes, setNoteDeleted } from './store/note-rows.ts';
import { isoOfMs } from './views.ts';

const perPerson = { action: 'note on a contact, account', burst: 1_000, periodSeconds: 86_400 };

/** Adds a note. *Errors*: AppError not-found, invalid (`EMPTY_NOTE`), limited, conflict (`TOO_MANY`). */
export function addNote(
  app: Pick<App, 'db' | 'clock' | 'feed'>,
  { userId }: Actor,
  contactId: ContactId,
  typed: string,
): Promise<{ id: NoteId; body: string; at: string }> {
  const body = typed.trim();
  if (body === '') throw new AppError('invalid', 'EMPTY_NOTE', 'The note is empty. Write something first.');
  return inTransaction(app.db, async (tx) => {
    await lockContact(tx, userId, contactId);
    await takeAllowance(tx, perPerson, userId);
    const note = { id: randomUUID() as NoteId, contactId, body, atMs: app.clock.nowMs() };
    if ((await insertNotes(tx, [note])) === 0)
      throw new AppError(
        'conflict',
        'TOO_MANY',
        `A contact can have up to ${mostNotes} notes. Delete one to add another.`,
      );
    await app.feed.publish(tx, userId, contactsTopic);
    return { id: note.id, body, at: isoOfMs(note.atMs) };
  });
}

/** Removes a note, or takes that back. *Errors*: AppError not-found. */
export function removeNote(
  app: Pick<App, 'db' | 'clock' | 'feed'>,
  { userId }: Actor,
  { id, note_id: noteId }: { id: ContactId; note_id: NoteId },
  isBack: boolean,
): Promise<void> {
  return inTransaction(app.db, async (tx) => {
    const nowMs = app.clock.nowMs();
    if (!(await setNoteDeleted(tx, userId, id, noteId, isBack ? null : nowMs, nowMs)))
      throw new AppError('not-found', 'NOT_FOUND', 'Note not found. It may have been deleted.');
    await app.feed.publish(tx, userId, contactsTopic);
  });
}

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
    throw new AppError('invalid', 'EMPTY_MAIL', 'Enter a subject and a message. Nothing was sent.');
  return inTransaction(app.db, async (tx) => {
    // one after the other, or two at once would both be the last that is allowed
    await lockRoom(tx, userId);
    const contact = await lockContact(tx, userId, contactId);
    switch (await decideFollowUp(app, tx, userId, contact)) {
      case 'no-mail-server':
        throw new AppError('unavailable', 'NO_MAIL_SERVER', "This server can't send email. Use your own email app.");
      case 'never-booked':
        throw new AppError(
          'forbidden',
          'NEVER_BOOKED',
          'You can only email people who booked with you and confirmed their address. Nothing was sent. Use your own email app.',
        );
      case 'limit':
        throw new AppError(
          'limited',
          'FOLLOW_UP_LIMIT',
          `You can send up to ${followUpsADay.one} emails a day to one contact, and ${followUpsADay.all} in total. Nothing was sent. Use your own email app.`,
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
