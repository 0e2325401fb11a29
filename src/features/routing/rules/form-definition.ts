import * as z from 'zod/mini';
import { frameOrigin } from '#features/booking/rules/type-settings.ts';
import { line, text } from '#kernel/codecs.ts';
import { type Action, actionShape } from './action.ts';
import { conditionShape } from './condition.ts';
import { itemId, mostQuestions, questionShape } from './question.ts';

/** The definition of a routing form: questions and rules. The first rule that fits decides, else the fallback. */

/**
 * Types of forms: round robin and collective lead everybody to one event type of that kind, conditional routing to the
 * destinations of its rules.
 */
export const formTypes = ['round-robin', 'conditional', 'collective'] as const;
export type FormType = (typeof formTypes)[number];

export const mostRules = 50;
export const mostConditions = 10;

const ruleShape = z.strictObject({
  id: itemId,
  name: z.optional(line(120)), // without a name, screens show its number
  match: z.enum(['all', 'any']),
  conditions: z.array(conditionShape).check(z.minLength(1), z.maxLength(mostConditions)),
  action: actionShape,
});
export type Rule = z.output<typeof ruleShape>;

const unique = <Item>(items: readonly Item[], keyOf: (item: Item) => unknown) =>
  new Set(items.map(keyOf)).size === items.length;

export const definitionShape = z.strictObject({
  type: z.enum(formTypes),
  /** Text above the questions for visitors. */
  title: line(120).check(z.trim(), z.minLength(1)),
  intro: text(2_000),
  questions: z.array(questionShape).check(
    z.maxLength(mostQuestions),
    z.refine((questions: { id: string }[]) => unique(questions, ({ id }) => id), {
      error: 'Two questions have the same id',
    }),
  ),
  rules: z.array(ruleShape).check(
    z.maxLength(mostRules),
    z.refine((rules: { id: string }[]) => unique(rules, ({ id }) => id), { error: 'Two rules have the same id' }),
  ),
  fallback: actionShape,
  /** Sites that may show the form in a frame. */
  frames: z.array(frameOrigin).check(
    z.maxLength(20),
    z.refine((frames: string[]) => unique(frames, (frame) => frame), { error: 'The same page is listed twice' }),
  ),
});
export type Definition = z.output<typeof definitionShape>;

/** The definition of a new form: it asks for the contact, which booking pages are filled in with. */
export function startDefinition(type: FormType, title: string, fallback: Action): Definition {
  return {
    type,
    title,
    intro: '',
    questions: [
      { id: 'name', label: 'Your name', kind: 'text', required: true },
      { id: 'email', label: 'Email', kind: 'email', required: true },
    ],
    rules: [],
    fallback,
    frames: [],
  };
}
