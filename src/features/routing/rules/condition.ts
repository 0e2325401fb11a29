import * as z from 'zod/mini';
import { line } from '#kernel/codecs.ts';
import { type Answer, isNumber, mostNumber } from './answers.ts';
import { itemId, mostOptions, type QuestionKind } from './question.ts';

/**
 * What a rule asks of one answer. What ends in `-not` is the exact opposite, also where nothing was answered; how much a
 * number is, and yes or no, is true only of what was answered. No pattern is ever carried out: texts are compared as texts.
 */

const words = (most: number) =>
  z.array(line(100).check(z.trim(), z.minLength(1))).check(z.minLength(1), z.maxLength(most));
const domain = line(253).check(z.regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/));
const beginning = z.string().check(z.regex(/^(?:\+?[0-9]{1,14})$/));
const value = z
  .number()
  .check(z.gte(-mostNumber), z.lte(mostNumber), z.refine(isNumber, { error: 'At most three decimals' }));

export const conditionShape = z.discriminatedUnion('op', [
  z.strictObject({ question: itemId, op: z.enum(['filled', 'empty']) }),
  /** One of these: options by their ids, texts by their words. Of several that were chosen, any of them. */
  z.strictObject({ question: itemId, op: z.enum(['is', 'is-not']), values: words(mostOptions) }),
  z.strictObject({ question: itemId, op: z.enum(['contains', 'contains-not']), values: words(20) }),
  z.strictObject({
    question: itemId,
    op: z.enum(['domain', 'domain-not']),
    values: z.array(domain).check(z.minLength(1), z.maxLength(50)),
  }),
  z.strictObject({
    question: itemId,
    op: z.enum(['begins', 'begins-not']),
    values: z.array(beginning).check(z.minLength(1), z.maxLength(50)),
  }),
  z.strictObject({ question: itemId, op: z.enum(['equals', 'equals-not']), value }),
  z.strictObject({ question: itemId, op: z.enum(['less-than', 'at-most', 'more-than', 'at-least']), value }),
  z.strictObject({ question: itemId, op: z.enum(['yes', 'no']) }),
]);
export type Condition = z.output<typeof conditionShape>;
export type Operator = Condition['op'];

/** What can be asked of each kind of question, in the order in which it is offered. */
export const operatorsOf: Readonly<Record<QuestionKind, readonly Operator[]>> = {
  text: ['is', 'is-not', 'contains', 'contains-not', 'filled', 'empty'],
  long: ['contains', 'contains-not', 'filled', 'empty'],
  email: ['domain', 'domain-not', 'filled', 'empty'],
  phone: ['begins', 'begins-not', 'filled', 'empty'],
  number: ['equals', 'equals-not', 'less-than', 'at-most', 'more-than', 'at-least', 'filled', 'empty'],
  select: ['is', 'is-not', 'filled', 'empty'],
  'multi-select': ['is', 'is-not', 'filled', 'empty'],
  'yes-no': ['yes', 'no', 'filled', 'empty'],
};

/** Texts that differ in capitals, in how a letter is written or in how many spaces there are, are the same. */
export const fold = (written: string) => written.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();

/** Whether an answer is as a condition asks; undefined: nothing was answered, which is none of anything. */
export function holds(condition: Condition, answer: Answer | undefined): boolean {
  switch (condition.op) {
    case 'filled':
      return answer !== undefined;
    case 'empty':
      return answer === undefined;
    case 'is':
    case 'is-not': {
      const given = (Array.isArray(answer) ? answer : [answer]).map((one) => fold(String(one ?? '')));
      return condition.values.some((value) => given.includes(fold(value))) === (condition.op === 'is');
    }
    case 'contains':
    case 'contains-not': {
      const given = fold(typeof answer === 'string' ? answer : '');
      return condition.values.some((value) => given.includes(fold(value))) === (condition.op === 'contains');
    }
    case 'domain':
    case 'domain-not': {
      const given = typeof answer === 'string' ? domainOf(answer) : '';
      return condition.values.includes(given) === (condition.op === 'domain');
    }
    case 'begins':
    case 'begins-not': {
      const given = typeof answer === 'string' ? answer : '';
      return condition.values.some((value) => given.startsWith(value)) === (condition.op === 'begins');
    }
    case 'equals':
      return answer === condition.value;
    case 'equals-not':
      return answer !== condition.value;
    case 'less-than':
      return typeof answer === 'number' && answer < condition.value;
    case 'at-most':
      return typeof answer === 'number' && answer <= condition.value;
    case 'more-than':
      return typeof answer === 'number' && answer > condition.value;
    case 'at-least':
      return typeof answer === 'number' && answer >= condition.value;
    case 'yes':
      return answer === true;
    case 'no':
      return answer === false;
  }
}

export const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1).toLowerCase();
