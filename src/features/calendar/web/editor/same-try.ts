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

/** A random UUID; `crypto.randomUUID` is not there where a page came without TLS. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  // version 4, variant 1
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
