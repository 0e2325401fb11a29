import { mailWords } from '#platform/mail-words.ts';
import type en from './mail.en.json';
import type { ToldAnswer } from './rules/check-answers.ts';

/** The words for bookings outside of pages: in mails, in calendars, in messages. By BCP 47. */
export const wordsIn = mailWords<typeof en>(import.meta.dirname);

/** Answers as texts, in the language of their reader. */
export const sayAnswers = (answers: readonly ToldAnswer[], locale: string): { label: string; answer: string }[] =>
  answers.map(({ label, answer }) => ({ label, answer: answer === true ? wordsIn(locale)('event.yes') : answer }));
