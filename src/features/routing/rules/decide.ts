import type { Sliced } from '#kernel/work-budget.ts';
import type { Action } from './action.ts';
import type { Answers } from './answers.ts';
import { Folds, holds, subjectOf } from './condition.ts';
import type { Definition, Rule } from './form-definition.ts';

/** Why a rule did or did not fit: whether each of its conditions held, in their order. */
export interface RuleReason {
  ruleId: string;
  fits: boolean;
  held: boolean[];
}

export interface Decision {
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
