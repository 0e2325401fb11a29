import * as z from 'zod/mini';
import { line, text } from '#kernel/codecs.ts';
import { withoutUnseen } from '#kernel/text/unseen-signs.ts';
import { itemId, mostOptions, mostQuestions, type Question } from './question.ts';

/** Answers by the ids of the questions, without the unanswered ones. Options are named by their ids. */

const answerShape = z.union([
  text(5_000),
  z.number().check(z.gte(-1e15), z.lte(1e15)), // a question says which of them it takes
  z.boolean(),
  z.array(itemId).check(z.maxLength(mostOptions)),
]);
export const answersShape = z
  .record(itemId, answerShape)
  .check(z.refine((answers) => Object.keys(answers).length <= mostQuestions, { error: 'More answers than questions' }));
export type Answer = z.output<typeof answerShape>;
export type Answers = Readonly<Record<string, Answer>>;

export const longestText = 500;
export const longestLong = 5_000;
/** How much longer an answer may be once it is folded: some characters become eighteen. */
const mostFolded = 2;
export const mostNumber = 1_000_000_000;

/** Why an answer cannot be taken; the page has a sentence for each. */
export const complaints = ['missing', 'email', 'phone', 'number', 'option', 'too-long', 'unknown'] as const;
export type Complaint = (typeof complaints)[number];

const emailPattern = /^[^\s<>()[\]\\,;:"@]{1,64}@[^\s<>()[\]\\,;:"@.]+(?:\.[^\s<>()[\]\\,;:"@.]+)+$/;

/** Digits, with a plus where there was one. */
export const plainPhone = (written: string) => written.replace(/[\s().\-/]/g, '');

/** Texts that differ in capitals, in how a letter is written or in how many spaces there are, are the same. */
export const fold = (written: string) => written.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();

/** Numbers have three decimals at most, so that between two of them there is a countable many. */
export const isNumber = (value: number) =>
  Math.abs(value) <= mostNumber && Math.abs(value * 1_000 - Math.round(value * 1_000)) < 1e-4;

/**
 * Answers as they are kept (trimmed, numbers of phones and addresses in one spelling), and what is wrong by question.
 * Answers without a question are `unknown`.
 */
export function checkAnswers(
  questions: readonly Question[],
  given: Readonly<Record<string, Answer>>,
): { answers: Record<string, Answer>; wrong: Record<string, Complaint> } {
  const answers: Record<string, Answer> = {};
  const wrong: Record<string, Complaint> = {};
  const asked = new Map(questions.map((question) => [question.id, question]));
  for (const id of Object.keys(given)) if (!asked.has(id)) wrong[id] = 'unknown';
  for (const question of questions) {
    const read = readAnswer(question, given[question.id]);
    if (read === undefined) {
      if (question.required) wrong[question.id] = 'missing';
    } else if ('wrong' in read) wrong[question.id] = read.wrong;
    else answers[question.id] = read.answer;
  }
  return { answers, wrong };
}

/** Undefined: not answered. */
function readAnswer(
  { kind, options = [] }: Question,
  given: Answer | undefined,
): { answer: Answer } | { wrong: Complaint } | undefined {
  if (given === undefined || given === '' || (Array.isArray(given) && given.length === 0)) return undefined;
  const known = (id: string) => options.some((option) => option.id === id);
  switch (kind) {
    case 'yes-no':
      return typeof given === 'boolean' ? { answer: given } : { wrong: 'option' };
    case 'number':
      return typeof given === 'number' && isNumber(given) ? { answer: given } : { wrong: 'number' };
    case 'multi-select':
      return Array.isArray(given) && given.every(known)
        ? { answer: options.flatMap(({ id }) => (given.includes(id) ? [id] : [])) }
        : { wrong: 'option' };
    case 'select':
      return typeof given === 'string' && known(given) ? { answer: given } : { wrong: 'option' };
    default: {
      if (typeof given !== 'string') return { wrong: kind === 'email' || kind === 'phone' ? kind : 'option' };
      const trimmed = withoutUnseen(given).normalize('NFC').trim();
      if (trimmed === '') return undefined;
      const longest = kind === 'long' ? longestLong : longestText;
      if (trimmed.length > longest || fold(trimmed).length > mostFolded * longest) return { wrong: 'too-long' };
      if (kind === 'email')
        return trimmed.length <= 254 && emailPattern.test(trimmed) ? { answer: trimmed } : { wrong: 'email' };
      if (kind === 'phone') {
        const plain = plainPhone(trimmed);
        return /^\+?[0-9]{5,15}$/.test(plain) ? { answer: plain } : { wrong: 'phone' };
      }
      const one = kind === 'text' ? line(longestText) : text(longestLong);
      return z.safeParse(one, trimmed).success ? { answer: trimmed } : { wrong: 'too-long' };
    }
  }
}

/** The contact in the answers: the question `name`, and the first questions for an e-mail address and a number. */
export function contactOf(
  questions: readonly Question[],
  answers: Answers,
): { name: string | null; email: string | null; phone: string | null } {
  const said = (question: Question | undefined) => {
    const answer = question === undefined ? undefined : answers[question.id];
    return typeof answer === 'string' ? answer : null;
  };
  return {
    name: said(questions.find(({ id, kind }) => id === 'name' && kind === 'text')),
    email: said(questions.find(({ kind }) => kind === 'email')),
    phone: said(questions.find(({ kind }) => kind === 'phone')),
  };
}

/** An answer beside its question as it was called. */
export const saidAnswerShape = z.strictObject({
  id: z.string(),
  label: z.string(),
  answer: z.union([z.string(), z.boolean()]),
});
export type SaidAnswer = z.output<typeof saidAnswerShape>;

/**
 * Answers in words, in the order of the questions; options by what they are called. Yes and no stay data, since their words
 * depend on the language of the reader.
 */
export function sayAnswers(questions: readonly Question[], answers: Answers): SaidAnswer[] {
  return questions.flatMap(({ id, label, options = [] }): SaidAnswer[] => {
    const answer = answers[id];
    if (answer === undefined) return [];
    const nameOf = (option: string) => options.find((one) => one.id === option)?.label ?? option;
    if (typeof answer === 'boolean') return [{ id, label, answer }];
    return [{ id, label, answer: Array.isArray(answer) ? answer.map(nameOf).join(', ') : nameOf(String(answer)) }];
  });
}
