import type { Reading, ShownHost, Words } from '#features/booking/rules/visit-data.ts';
import type { Question } from './question.ts';

/** Filled in by the script of the page; no question is called so. */
export const zoneField = 'own.tz';

/** A form as its page shows it. */
export interface FormData {
  words: Words;
  reading: Reading;
  host: ShownHost;
  title: string;
  intro: string;
  questions: readonly Pick<Question, 'id' | 'label' | 'hint' | 'kind' | 'required' | 'hidden' | 'options'>[];
  /** Answers as typed or filled in by the address, by question; several for a multiple choice. */
  typed: Readonly<Record<string, readonly string[]>>;
  /** The complaint beside an answer, by question; `''` is about the whole form. */
  complaints: Readonly<Record<string, string>>;
  /** Where the form goes. */
  path: string;
  /** Sent along: zone, clock, embedding, and what names this attempt. */
  carried: Readonly<Record<string, string>>;
  embedded: boolean;
  /** Under load: the browser calculates, then sends the form again. */
  isWorking: boolean;
}
