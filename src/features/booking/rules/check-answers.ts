import { withoutUnseen } from '#kernel/text/unseen-signs.ts';
import type { TypeSettings } from './type-settings.ts';

type Question = TypeSettings['questions'][number];
export type Answer = string | boolean;

const lineMost = 500;
const textMost = 5_000;
/** Characters of all answers of a booking. Each date of a series keeps its own copy. */
const bookingMost = 500_000;

/**
 * Answers as they are kept, by the questions of one event type and nothing else; or what is wrong, by the field of the
 * request. Left out and empty are the same. `dates`: how many are booked with these answers.
 */
export function checkAnswers(
  questions: readonly Question[],
  given: Readonly<Record<string, Answer>>,
  dates = 1,
): { ok: true; answers: Record<string, Answer> } | { ok: false; fields: Record<string, string> } {
  const fields: Record<string, string> = {};
  const answers: Record<string, Answer> = {};
  const known = new Set(questions.map(({ id }) => id));
  for (const id of Object.keys(given))
    if (!known.has(id)) fields[`answers.${id}`] = "This question isn't part of the form.";
  for (const question of questions) {
    const answer = Object.hasOwn(given, question.id) ? given[question.id] : undefined;
    const text = typeof answer === 'string' ? withoutUnseen(answer).trim() : answer;
    const kept = typeof text === 'string' && question.kind === 'phone' ? plainSigns(text) : text;
    if (kept === undefined || kept === '' || kept === false) {
      if (question.required) fields[`answers.${question.id}`] = 'An answer is required.';
      continue;
    }
    const wrong = whatIsWrong(question, kept);
    if (wrong === null) answers[question.id] = kept;
    else fields[`answers.${question.id}`] = wrong;
  }
  const lengthOf = (answer: Answer) => (typeof answer === 'string' ? answer.length : 0);
  const sizes = Object.entries(answers).map(([id, answer]): [string, number] => [id, lengthOf(answer)]);
  const most = Math.floor(bookingMost / dates);
  const [longest] = sizes.toSorted(([, one], [, other]) => other - one);
  if (longest !== undefined && sizes.reduce((sum, [, size]) => sum + size, 0) > most)
    fields[`answers.${longest[0]}`] =
      `All answers together can have up to ${most} characters for ${dates} dates. Shorten them or choose fewer dates.`;
  return Object.keys(fields).length > 0 ? { ok: false, fields } : { ok: true, answers };
}

function whatIsWrong({ kind, options = [] }: Question, answer: Answer): string | null {
  if (kind === 'checkbox') return answer === true ? null : 'Expected yes or no.';
  if (typeof answer !== 'string') return 'Expected a text.';
  if (kind === 'choice')
    return options.some((option) => withoutUnseen(option) === answer) ? null : 'Choose one of the options.';
  if (kind === 'long') return answer.length <= textMost ? null : `Use up to ${textMost} characters.`;
  if (/[\n\r\t]/.test(answer)) return 'Expected one line.';
  if (kind === 'phone') return isPhone(answer) ? null : 'Enter a valid phone number.';
  return answer.length <= lineMost ? null : `Use up to ${lineMost} characters.`;
}

/** Digits and signs of any keyboard as ASCII: `＋８１` is `+81`, and `٠١٢` is `012`. */
export const plainSigns = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[٠-٩۰-۹]/g, (digit) => `${digit.charCodeAt(0) & 15}`)
    .replace(/[‐-―−ー]/g, '-');

/** As people write numbers, national ones too. */
export function isPhone(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '').length;
  return digits >= 3 && digits <= 20 && /^\+?[\d\s().\-/]+(?:(?:x|ext\.?)\s?\d+)?$/i.test(text);
}

/** An answer beside its question. A tick stays data, since its word depends on the language of the reader. */
export interface ToldAnswer {
  label: string;
  answer: string | true;
}

/** A question as a guest read it. */
export type AskedQuestion = Pick<Question, 'id' | 'label' | 'kind'>;

/** The questions that a guest has answered: they are kept, since their event type may ask something else later. */
export const listAsked = (questions: readonly Question[], answers: Readonly<Record<string, Answer>>): AskedQuestion[] =>
  questions.flatMap(({ id, label, kind }) => (answers[id] === undefined ? [] : [{ id, label, kind }]));

/** Questions with their answers, in the order of the form. */
export function tellAnswers(
  questions: readonly Pick<Question, 'id' | 'label'>[],
  answers: Readonly<Record<string, Answer>>,
): ToldAnswer[] {
  return questions.flatMap(({ id, label }) => {
    const answer = answers[id];
    if (answer === undefined) return [];
    return [{ label, answer: answer === true ? answer : String(answer) }];
  });
}

/** Countries whose zero is a part of the number, and is dialed from abroad too: Italy, San Marino, and three in Africa. */
const keepsZero = /^(?:\+|00)(?:39|378|225|241|242)/;

/**
 * The link that dials a number. In `+81 (0)90-1234 5678` the zero is dialed only within the country (ITU-T E.123, 7.3),
 * so the link has none.
 */
export function telLink(phone: string): string {
  const number = phone.replaceAll(/[^\d+()]/g, '');
  const isInternational = /^(?:\+|00)/.test(number);
  const dialed = isInternational && !keepsZero.test(number) ? number.replace('(0)', '') : number;
  return `tel:${dialed.replaceAll(/(?!^\+)\D/g, '')}`;
}
