import { cleanText } from '#kernel/ical/ical-text.ts';

/** Characters of a description in a list. `GET /api/events/{event_id}` has all of it. */
const listedNotesChars = 2_000;

/** The beginning of a description, ending in `…` where it was cut; never half a character. */
export function listedNotes(notes: string): string {
  return notes.length <= listedNotesChars ? notes : `${cleanText(notes, listedNotesChars - 1)}…`;
}

/** Whether a listed description may have been cut. A cut before half a character leaves one character less. */
export const isCutNotes = (listed: string) => listed.length >= listedNotesChars - 1 && listed.endsWith('…');
