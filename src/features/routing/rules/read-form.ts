import { type Answer, longestLong } from './answers.ts';
import type { Question } from './question.ts';

/**
 * The same of an address, where a `+` that stands as it is arrives as a space: the one before a country code and the one
 * within a mail address are put back.
 */
export function readPrefilled(questions: readonly Question[], query: URLSearchParams): Record<string, string[]> {
  const typed = readTyped(questions, query);
  for (const { id, kind } of questions) {
    if (kind === 'phone') typed[id] = (typed[id] ?? []).map((value) => value.replace(/^\s+(?=\d)/, '+'));
    if (kind === 'email') typed[id] = (typed[id] ?? []).map((value) => value.trim().replaceAll(' ', '+'));
  }
  return Object.fromEntries(Object.entries(typed).filter(([, values]) => values.length > 0));
}

/** Raw answers by question, from the fields of a form or an address. */
export function readTyped(questions: readonly Question[], fields: URLSearchParams): Record<string, string[]> {
  const typed: Record<string, string[]> = {};
  for (const { id, kind } of questions) {
    const named = fields.has(id) ? id : id.replaceAll('-', '_'); // as campaigns write `utm_source`
    const values = fields.getAll(named).map((value) => value.slice(0, longestLong + 1));
    const given =
      kind === 'multi-select' ? values.flatMap((value) => value.split(',')).slice(0, 100) : values.slice(-1);
    if (given.some((value) => value !== '')) typed[id] = given;
  }
  return typed;
}

/** The same as answers, still to be checked. Numbers may have a comma; what is no number stays text, and is refused. */
export function toAnswers(
  questions: readonly Question[],
  typed: Readonly<Record<string, readonly string[]>>,
): Record<string, Answer> {
  const answers: Record<string, Answer> = {};
  for (const { id, kind } of questions) {
    const given = typed[id];
    const [first = ''] = given ?? [];
    if (given === undefined || first.trim() === '') continue;
    if (kind === 'multi-select') answers[id] = [...given];
    else if (kind === 'yes-no') answers[id] = first === 'yes' ? true : first === 'no' ? false : first;
    else if (kind === 'number') answers[id] = readNumber(first);
    else answers[id] = first;
  }
  return answers;
}

function readNumber(written: string): number | string {
  const plain = written.trim().replace(',', '.');
  return /^[+-]?[0-9]{1,10}(?:\.[0-9]{1,3})?$/.test(plain) ? Number(plain) : written;
}
