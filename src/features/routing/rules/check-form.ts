import { type Condition, operatorsOf, subjectOf } from './condition.ts';
import { findUnreachable } from './find-unreachable.ts';
import type { Definition } from './form-definition.ts';
import { hasOptions } from './question.ts';

/** Flaws that keep a definition from being saved. Screens have a sentence for each. */
export const flaws = [
  'question-gone', // a condition names a question that is not there
  'operator', // the condition does not fit the question's kind
  'option-gone', // the option does not exist
  'uncovered', // no rule speaks of an option, and nobody said that it goes to the fallback
  'never', // a rule that no answers fit
  'covered', // a rule that is never looked at, as those before it take everything
  'type', // taking turns and meeting together have no rules, and lead to an event type
] as const;

export interface Flaw {
  /** `rules.2.conditions.0.values`, within the definition. */
  path: string;
  flaw: (typeof flaws)[number];
  message: string;
}

/**
 * All that is wrong about a definition in itself; whether event types and hosts are there is asked when it is saved.
 * Whatever passes answers every submission with exactly one action, and each of its rules can come to its turn.
 */
export function checkForm(definition: Definition): Flaw[] {
  const { questions, rules, type, fallback } = definition;
  const found: Flaw[] = [];
  const note = (path: string, flaw: Flaw['flaw'], message: string) => found.push({ path, flaw, message });
  if (type !== 'conditional') {
    if (rules.length > 0)
      note('rules', 'type', 'Only conditional routing uses rules. Remove them or make this form conditional.');
    if (fallback.kind !== 'event-type')
      note('fallback', 'type', 'Round robin and collective forms need an event type. Choose one.');
  }
  const asked = new Map(
    questions.map((question) => [
      question.id,
      { ...question, options: new Set(question.options?.map((option) => option.id)) },
    ]),
  );
  for (const [n, { conditions }] of rules.entries()) {
    for (const [at, condition] of conditions.entries()) {
      if ('fact' in condition) continue;
      const path = `rules.${n}.conditions.${at}`;
      const question = asked.get(condition.question);
      if (question === undefined)
        note(`${path}.question`, 'question-gone', 'This question was removed from the form. Choose another.');
      else if (!operatorsOf[question.kind].includes(condition.op))
        note(`${path}.op`, 'operator', "This comparison doesn't work with this question. Choose another.");
      else if (hasOptions(question.kind) && 'values' in condition) {
        const gone = condition.values.find((value) => !question.options.has(value));
        if (gone !== undefined)
          note(`${path}.values`, 'option-gone', 'This option was removed from the question. Choose another.');
      }
    }
  }
  if (found.length > 0) return found;
  const conditionsOf = Map.groupBy(
    rules.flatMap((rule) => rule.conditions),
    subjectOf,
  );
  for (const [n, { options = [], id }] of questions.entries()) {
    const conditions = conditionsOf.get(id);
    if (conditions === undefined) continue;
    const unnamed = listUnnamed(options, conditions);
    for (const [at, option] of options.entries()) {
      if (option.to_fallback === true || !unnamed.has(option.id)) continue;
      const message = `“${option.label}” isn't covered. Add it to a rule or send it to the fallback.`;
      note(`questions.${n}.options.${at}`, 'uncovered', message);
    }
  }
  for (const { n, why } of findUnreachable(definition))
    note(
      `rules.${n}`,
      why,
      why === 'never'
        ? 'No answers can match this rule. Change its conditions or delete it.'
        : 'Earlier rules already match everything this one would. Move it up, change it, or delete it.',
    );
  return found;
}

/** The options of one question that none of the conditions on it is true of. */
function listUnnamed(options: readonly { id: string }[], conditions: readonly Condition[]): ReadonlySet<string> {
  const left = new Set(options.map(({ id }) => id));
  for (const condition of conditions) {
    if (condition.op === 'filled') return new Set();
    if (condition.op === 'is') for (const id of condition.values) left.delete(id);
    if (condition.op !== 'is-not') continue;
    const values = new Set(condition.values);
    for (const id of left) if (!values.has(id)) left.delete(id);
  }
  return left;
}
