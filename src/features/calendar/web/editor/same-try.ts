import { newId } from '#kernel/new-id.ts';
import type { NewEvent } from './edit-shapes.ts';

/** The last event that was sent without an answer, as text, and its id. */
let unanswered: { text: string; editId: string } | undefined;

/**
 * Sends a new event under an id that stays the same until an answer comes: a second press, or a retry after a lost
 * answer, creates no second event. A changed text is another event.
 */
export async function sameTry<T>(body: NewEvent, send: (tried: NewEvent) => Promise<T>): Promise<T> {
  const text = JSON.stringify(body);
  if (unanswered?.text !== text) unanswered = { text, editId: newId() };
  const mine = unanswered;
  const answer = await send({ ...body, edit_id: mine.editId });
  if (unanswered === mine) unanswered = undefined;
  return answer;
}
