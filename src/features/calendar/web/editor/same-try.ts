import { newId } from '#kernel/new-id.ts';
import type { NewEvent } from './edit-shapes.ts';

/** What was sent last and has no answer, as text, and the id it went under. */
let unanswered: { text: string; editId: string } | undefined;

/**
 * Sends a new event under an id that stays the same until an answer is here: a second press, and a try after an answer
 * was lost, make no second event. What reads differently is another event.
 */
export async function sameTry<T>(body: NewEvent, send: (tried: NewEvent) => Promise<T>): Promise<T> {
  const text = JSON.stringify(body);
  if (unanswered?.text !== text) unanswered = { text, editId: newId() };
  const mine = unanswered;
  const answer = await send({ ...body, edit_id: mine.editId });
  if (unanswered === mine) unanswered = undefined;
  return answer;
}
