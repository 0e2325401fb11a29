import * as z from 'zod/mini';
import { questionShape } from '#features/routing/rules/question.ts';
import { newId } from '#kernel/new-id.ts';
import type { Definition, Question } from '../queries.ts';

/** Ids of unsaved questions and options. Saving replaces them with readable names for addresses and exports. */
const fresh = /^(?:question|option)-[0-9a-f]{8}$/;
export const freshId = (kind: 'question' | 'option') => `${kind}-${newId().slice(0, 8)}`;

/** `Company size` as `company-size`; null where nothing of it can stand in an id. */
function idOf(label: string): string | null {
  const plain = label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-|-$/g, '');
  return z.safeParse(questionShape.shape.id, plain).success ? plain : null;
}

/** New ids by old ones: readable, and none twice. Existing items keep their ids. */
function renamed(items: readonly { id: string; label: string }[]): Map<string, string> {
  const taken = new Set(items.map(({ id }) => id));
  return new Map(
    items.map(({ id, label }) => {
      const wanted = fresh.test(id) ? idOf(label) : null;
      if (wanted === null || taken.has(wanted)) return [id, id];
      taken.add(wanted);
      return [id, wanted];
    }),
  );
}

/** Gives what was added since the last saving the ids that it keeps, in questions, options and the rules that speak of them. */
export function nameItems(definition: Definition): Definition {
  const ids = renamed(definition.questions);
  const options = new Map(definition.questions.map((question) => [question.id, renamed(question.options ?? [])]));
  const nameOption = (question: string, option: string) => options.get(question)?.get(option) ?? option;
  return {
    ...definition,
    questions: definition.questions.map(
      (question): Question => ({
        ...question,
        id: ids.get(question.id) ?? question.id,
        ...(question.options === undefined
          ? {}
          : { options: question.options.map((one) => ({ ...one, id: nameOption(question.id, one.id) })) }),
      }),
    ),
    rules: definition.rules.map((rule) => ({
      ...rule,
      conditions: rule.conditions.map((condition) =>
        'fact' in condition
          ? condition
          : {
              ...condition,
              question: ids.get(condition.question) ?? condition.question,
              ...('values' in condition
                ? { values: condition.values.map((value) => nameOption(condition.question, value)) }
                : {}),
            },
      ),
    })),
  };
}

/**
 * Where a server refused, by ids instead of places, so that what is moved keeps what was said of it:
 * `definition.rules.2.conditions.0.op` is `rule pro conditions.0.op`.
 */
export function placeErrors(
  fields: Readonly<Record<string, string>>,
  { questions, rules }: Definition,
): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(fields).map(([path, message]) => {
      const [, list, at, ...rest] = path.replace(/^body\./, '').split('.');
      const item = list === 'questions' ? questions[Number(at)] : list === 'rules' ? rules[Number(at)] : undefined;
      return [item === undefined ? path.replace(/^body\./, '') : [`${list} ${item.id}`, ...rest].join('.'), message];
    }),
  );
}
