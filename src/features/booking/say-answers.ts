import type { ToldAnswer } from './rules/check-answers.ts';
import { wordsIn } from './words-in.ts';

/** Answers as texts, in the language of their reader. */
export const sayAnswers = (answers: readonly ToldAnswer[], locale: string): { label: string; answer: string }[] =>
  answers.map(({ label, answer }) => ({ label, answer: answer === true ? wordsIn(locale)('event.yes') : answer }));
