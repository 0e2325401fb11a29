import * as z from 'zod/mini';
import { line } from '#kernel/codecs.ts';
import type { WorkBudget } from '#kernel/work-budget.ts';
import { type Answer, fold, isNumber, mostNumber } from './answers.ts';
import {
  Days,
  dayText,
  type FactId,
  type FactName,
  factId,
  languageCode,
  ownerId,
  tagText,
  weekdays,
  ZoneNames,
  zoneArea,
} from './fact.ts';
import { itemId, mostOptions, type QuestionKind } from './question.ts';

/**
 * A condition on one answer. An operator that ends in `-not` is the exact opposite, also without an answer; how much a
 * number is, and yes or no, is true only of what was answered. No pattern is ever carried out: texts are compared as texts.
 */

const words = (most: number) =>
  z.array(line(100).check(z.trim(), z.minLength(1))).check(z.minLength(1), z.maxLength(most));
const some = <Schema extends z.ZodMiniType>(one: Schema) => z.array(one).check(z.minLength(1), z.maxLength(50));
const domain = line(253).check(z.regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/));
const beginning = z.string().check(z.regex(/^(?:\+?[0-9]{1,14})$/));
const value = z
  .number()
  .check(z.gte(-mostNumber), z.lte(mostNumber), z.refine(isNumber, { error: 'At most three decimals' }));

export const conditionShape = z.discriminatedUnion('op', [
  z.strictObject({ question: itemId, op: z.enum(['filled', 'empty']) }),
  /** One of these: options by their ids, texts by their words. With several chosen options, one match is enough. */
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
  z.strictObject({
    fact: z.literal('language'),
    op: z.enum(['speaks', 'speaks-not']),
    values: some(languageCode),
  }),
  z.strictObject({ fact: z.literal('zone'), op: z.enum(['in-zone', 'in-zone-not']), values: some(zoneArea) }),
  z.strictObject({ fact: z.literal('day'), op: z.enum(['before', 'from']), day: dayText }),
  z.strictObject({
    fact: z.literal('day'),
    op: z.enum(['weekday', 'weekday-not']),
    values: z.array(z.enum(weekdays)).check(z.minLength(1), z.maxLength(7)),
  }),
  z.strictObject({ fact: z.literal('contact'), op: z.enum(['tag', 'tag-not']), values: some(tagText) }),
  z.strictObject({ fact: z.literal('contact'), op: z.enum(['owner', 'owner-not']), values: some(ownerId) }),
]);
export type Condition = z.output<typeof conditionShape>;
export type FactCondition = Extract<Condition, { fact: FactName }>;
export type QuestionCondition = Exclude<Condition, FactCondition>;
export type Operator = Condition['op'];

/** By what the answer is known that a condition is about: the id of a question, or a fact. */
export const subjectOf = (condition: Condition): string | FactId =>
  'fact' in condition ? factId(condition.fact) : condition.question;

/** Operators of each kind of question, in the order of the menu. */
export const operatorsOf: Readonly<Record<QuestionKind, readonly QuestionCondition['op'][]>> = {
  text: ['is', 'is-not', 'contains', 'contains-not', 'filled', 'empty'],
  long: ['contains', 'contains-not', 'filled', 'empty'],
  email: ['domain', 'domain-not', 'filled', 'empty'],
  phone: ['begins', 'begins-not', 'filled', 'empty'],
  number: ['equals', 'equals-not', 'less-than', 'at-most', 'more-than', 'at-least', 'filled', 'empty'],
  select: ['is', 'is-not', 'filled', 'empty'],
  'multi-select': ['is', 'is-not', 'filled', 'empty'],
  'yes-no': ['yes', 'no', 'filled', 'empty'],
};

/** The same of what is known besides answers. */
export const operatorsOfFact: {
  readonly [Fact in FactName]: readonly Extract<Condition, { fact: Fact }>['op'][];
} = {
  language: ['speaks', 'speaks-not'],
  zone: ['in-zone', 'in-zone-not'],
  day: ['from', 'before', 'weekday', 'weekday-not'],
  contact: ['tag', 'tag-not', 'owner', 'owner-not'],
};

/** The cost of a character to fold, and of a member of a set, in compared characters. */
const foldCost = 10;
const setCost = 30;

/**
 * The folded texts, zones, and days of one piece of work: each text is folded once, however many conditions look at it. The budget
 * counts characters as `bytes`, since folding makes eighteen of some. *Errors* of each method: WorkLimitError past the budget.
 */
export class Folds {
  readonly zones = new ZoneNames();
  readonly days = new Days();
  readonly #budget: WorkBudget | undefined;
  readonly #texts = new Map<string, string>();
  readonly #sets = new WeakMap<readonly string[], ReadonlySet<string>>();

  constructor(budget?: WorkBudget) {
    this.#budget = budget;
  }

  of(written: string): string {
    const known = this.#texts.get(written);
    if (known !== undefined) return known;
    this.#budget?.spend('bytes', foldCost * written.length);
    const folded = fold(written);
    this.#budget?.spend('bytes', foldCost * folded.length);
    this.#texts.set(written, folded);
    return folded;
  }

  all(written: readonly string[]): string[] {
    return written.map((one) => this.of(one));
  }

  /** Folded texts of a list from its item `first` on, which is the same in every call with this list. */
  setOf(written: readonly string[], first = 0): ReadonlySet<string> {
    const known = this.#sets.get(written);
    if (known !== undefined) return known;
    this.#budget?.spend('bytes', setCost * written.length);
    const set = new Set(this.all(first === 0 ? written : written.slice(first)));
    this.#sets.set(written, set);
    return set;
  }

  /** Whether a folded text contains another. */
  contains(text: string, part: string): boolean {
    this.#budget?.spend('bytes', text.length);
    return text.includes(part);
  }
}

/** Whether an answer is as a condition asks; undefined: nothing was answered, which is none of anything. */
export function holds(condition: Condition, answer: Answer | undefined, folds: Folds): boolean {
  switch (condition.op) {
    case 'filled':
      return answer !== undefined;
    case 'empty':
      return answer === undefined;
    case 'is':
    case 'is-not': {
      const given = Array.isArray(answer) ? folds.setOf(answer) : folds.of(String(answer ?? ''));
      const isGiven = (value: string) => (typeof given === 'string' ? given === value : given.has(value));
      return condition.values.some((value) => isGiven(folds.of(value))) === (condition.op === 'is');
    }
    case 'contains':
    case 'contains-not': {
      const given = folds.of(typeof answer === 'string' ? answer : '');
      const isIn = (value: string) => folds.contains(given, folds.of(value));
      return condition.values.some(isIn) === (condition.op === 'contains');
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
    case 'speaks':
    case 'speaks-not':
      return condition.values.some((value) => value === answer) === (condition.op === 'speaks');
    case 'in-zone':
    case 'in-zone-not': {
      const given = typeof answer === 'string' ? answer : '';
      const isIn = (value: string) => given.startsWith(`${value}/`) || folds.zones.isSame(value, given);
      return condition.values.some(isIn) === (condition.op === 'in-zone');
    }
    // days are written so that the earlier one is the lesser text
    case 'before':
      return typeof answer === 'string' && answer < condition.day;
    case 'from':
      return typeof answer === 'string' && answer >= condition.day;
    case 'weekday':
    case 'weekday-not': {
      const given = typeof answer === 'string' ? folds.days.weekdayOf(answer) : '';
      return condition.values.some((value) => value === given) === (condition.op === 'weekday');
    }
    case 'tag':
    case 'tag-not': {
      const given = folds.setOf(Array.isArray(answer) ? answer : [], 1);
      return condition.values.some((value) => given.has(folds.of(value))) === (condition.op === 'tag');
    }
    case 'owner':
    case 'owner-not': {
      const [owner] = Array.isArray(answer) ? answer : [];
      return condition.values.some((value) => value === owner) === (condition.op === 'owner');
    }
  }
}

export const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1).toLowerCase();
