import type * as z from 'zod/mini';
import type {
  detailsShape,
  editShape,
  fieldsShape,
  newEventShape,
  scopes,
  whenShape,
} from '#features/edits/contract.ts';

export type EventWhen = z.output<typeof whenShape>;
/** The body of `POST /events`. */
export type NewEvent = z.output<typeof newEventShape>;
/** All that a form says of an event. */
export type EventBody = z.output<typeof fieldsShape>;
export type EventDetails = z.output<typeof detailsShape>;
export type Edit = z.output<typeof editShape>;
export type EditScope = (typeof scopes)[number];

export type AnswerWord = 'accepted' | 'tentative' | 'declined';

/** An answer to an invitation as a person gives it. */
export interface Answering {
  eventId: string;
  answer: AnswerWord;
  scope: 'this' | 'all';
  /** For the organizer; null: none. */
  note: string | null;
}
