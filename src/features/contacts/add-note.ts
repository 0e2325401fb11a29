import { randomUUID } from 'node:crypto';
import { AppError } from '#kernel/errors.ts';
import type { ContactId, NoteId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { contactsTopic } from './events.ts';
import { loadContact } from './load-contact.ts';
import { mostNotes } from './rules/contact-limits.ts';
import { insertNotes, setNoteDeleted } from './store/note-rows.ts';
import { isoOfMs } from './view-contact.ts';

/** *Errors*: AppError not-found, invalid (`EMPTY_NOTE`), conflict (`TOO_MANY`). */
export function addNote(
  app: Pick<App, 'db' | 'clock' | 'feed'>,
  { userId }: Actor,
  contactId: ContactId,
  typed: string,
): Promise<{ id: NoteId; body: string; at: string }> {
  const body = typed.trim();
  if (body === '') throw new AppError('invalid', 'EMPTY_NOTE', 'There is nothing in this note. Nothing was added.');
  return inTransaction(app.db, async (tx) => {
    await loadContact(tx, userId, contactId);
    const note = { id: randomUUID() as NoteId, contactId, body, atMs: app.clock.nowMs() };
    if ((await insertNotes(tx, [note])) === 0)
      throw new AppError(
        'conflict',
        'TOO_MANY',
        `A contact has room for ${mostNotes} notes. Nothing was added; remove some.`,
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
      throw new AppError('not-found', 'NOT_FOUND', 'There is no such note. It may be gone already.');
    await app.feed.publish(tx, userId, contactsTopic);
  });
}
