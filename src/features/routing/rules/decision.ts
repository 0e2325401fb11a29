import type { UserId } from '#kernel/ids.ts';
import type { Sliced } from '#kernel/work-budget.ts';
import type { Action, Trouble } from './action.ts';
import type { Answers } from './answers.ts';
import { type Condition, Folds, holds, type Operator, subjectOf } from './condition.ts';
import { type Facts, nobody } from './fact.ts';
import type { Definition, Rule } from './form-definition.ts';
import type { Question } from './question.ts';

/** Why a rule did or did not fit: whether each of its conditions held, in their order. */
interface RuleReason {
  ruleId: string;
  fits: boolean;
  held: boolean[];
}

interface Decision {
  /** Null: the fallback. */
  ruleId: string | null;
  action: Action;
  /** The reasons of every examined rule; the last rule decided. */
  reasons: RuleReason[];
}

/** Exactly one action for these answers and the known facts (`toKnown`). Pauses after each condition. */
export function* decide(
  { rules, fallback }: Pick<Definition, 'rules' | 'fallback'>,
  answers: Answers,
  folds = new Folds(),
): Sliced<Decision> {
  const reasons: RuleReason[] = [];
  for (const rule of rules) {
    const reason = yield* judgeRule(rule, answers, folds);
    reasons.push(reason);
    if (reason.fits) return { ruleId: rule.id, action: rule.action, reasons };
  }
  return { ruleId: null, action: fallback, reasons };
}

function* judgeRule({ id, match, conditions }: Rule, answers: Answers, folds: Folds): Sliced<RuleReason> {
  const held: boolean[] = [];
  for (const condition of conditions) {
    held.push(holds(condition, answers[subjectOf(condition)], folds));
    yield;
  }
  return { ruleId: id, fits: match === 'all' ? held.every(Boolean) : held.some(Boolean), held };
}

/** The record of a decision. It is complete, because the form may have changed when somebody reads it. */
export interface DecisionRecord {
  ruleId: string | null;
  ruleName: string | null;
  reasons: {
    ruleId: string;
    ruleName: string;
    match: 'all' | 'any';
    fits: boolean;
    held: boolean[];
    conditions: string[];
  }[];
  action: Action | null;
  trouble: Trouble | null;
  /** The name of the action at that time. */
  leadsTo: string;
  /** Hosts of the event type: only these, or null for all. */
  hostIds: UserId[] | null;
  /** Facts that rules asked for. Decisions from before facts existed have none. */
  facts?: Facts;
}

type Kept = Pick<DecisionRecord, 'ruleId' | 'ruleName' | 'reasons'>;

/** A decision with the names and the words of the form as it is now. */
export function keepReasons({ ruleId, reasons }: Decision, { rules, questions }: Definition): Kept {
  const nameOf = (id: string) => {
    const n = rules.findIndex((rule) => rule.id === id);
    return rules[n]?.name || `Rule ${n + 1}`;
  };
  return {
    ruleId,
    ruleName: ruleId === null ? null : nameOf(ruleId),
    reasons: reasons.map(({ ruleId: id, fits, held }) => {
      const rule = rules.find((one) => one.id === id);
      const conditions = rule?.conditions.map((condition) => sayCondition(condition, questions)) ?? [];
      return { ruleId: id, ruleName: nameOf(id), match: rule?.match ?? 'all', fits, held, conditions };
    }),
  };
}

const operatorWords: Readonly<Record<Operator, string>> = {
  filled: 'is answered',
  empty: 'is not answered',
  is: 'is',
  'is-not': 'is not',
  contains: 'contains',
  'contains-not': 'does not contain',
  domain: 'is at',
  'domain-not': 'is not at',
  begins: 'begins with',
  'begins-not': 'does not begin with',
  equals: 'is',
  'equals-not': 'is not',
  'less-than': 'is less than',
  'at-most': 'is at most',
  'more-than': 'is more than',
  'at-least': 'is at least',
  yes: 'is yes',
  no: 'is no',
  speaks: 'is',
  'speaks-not': 'is not',
  'in-zone': 'is',
  'in-zone-not': 'is not',
  before: 'is before',
  from: 'is on or after',
  weekday: 'is a',
  'weekday-not': 'is not a',
  tag: 'has the tag',
  'tag-not': 'does not have the tag',
  owner: 'is looked after by',
  'owner-not': 'is not looked after by',
};

const factWords = {
  language: 'The language of the browser',
  zone: 'The time zone',
  day: 'The day of the answer',
  contact: 'The contact',
} as const;

const languageNames = new Intl.DisplayNames('en', { type: 'language' });
const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** People stay ids: they are named to who reads it, and forgotten with them (`nameOwners`). */
function sayFact(condition: Extract<Condition, { fact: unknown }>): string {
  const sayOne = (value: string) => {
    if (condition.fact === 'language') return languageNames.of(value) ?? value;
    return condition.fact === 'day' ? (weekdayNames[Number(value) - 1] ?? value) : value;
  };
  const what = 'values' in condition ? condition.values.map(sayOne).join(' or ') : condition.day;
  return `${factWords[condition.fact]} ${operatorWords[condition.op]} ${what}`;
}

const lookedAfter = /(^The contact is (?:not )?looked after by )(.*)$/;

/** The words of a condition with the people in it by their names. */
export const nameOwners = (said: string, nameOf: (id: string) => string): string =>
  said.replace(
    lookedAfter,
    (_, start: string, ids: string) =>
      start +
      ids
        .split(' or ')
        .map((one) => (one === nobody ? one : nameOf(one)))
        .join(' or '),
  );

function sayCondition(condition: Condition, questions: readonly Question[]): string {
  if ('fact' in condition) return sayFact(condition);
  const question = questions.find(({ id }) => id === condition.question);
  const nameOf = (value: string) => question?.options?.find(({ id }) => id === value)?.label ?? value;
  const what =
    'values' in condition
      ? ` ${condition.values.map(nameOf).join(' or ')}`
      : 'value' in condition
        ? ` ${condition.value}`
        : '';
  return `${question?.label ?? condition.question} ${operatorWords[condition.op]}${what}`;
}

export const toReasonView = ({ ruleId, fits, held }: RuleReason) => ({ rule_id: ruleId, fits, held });
