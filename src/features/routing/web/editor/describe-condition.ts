import type { TFunction } from 'i18next';
import { type FactName, nobody } from '#features/routing/rules/fact.ts';
import type { Condition, Person, Question } from '../queries.ts';

export interface Telling {
  people: readonly Person[];
  /** BCP 47. */
  locale: string;
  t: TFunction;
}

/** The text of a value that is compared with a fact: “German”, “Europe”, “Monday”, the name of a person. */
export function sayValue(fact: FactName, value: string, { locale }: Telling): string {
  if (fact === 'language') return new Intl.DisplayNames(locale, { type: 'language' }).of(value) ?? value;
  if (fact === 'day' && /^[1-7]$/.test(value))
    // the first of June 2026 was a Monday
    return Temporal.PlainDate.from('2026-06-01')
      .add({ days: Number(value) - 1 })
      .toLocaleString(locale, { weekday: 'long' });
  if (fact === 'day') return value && Temporal.PlainDate.from(value).toLocaleString(locale, { dateStyle: 'medium' });
  return value;
}

export const valuesOf = (condition: Condition): readonly string[] =>
  'values' in condition
    ? condition.values
    : 'value' in condition
      ? [String(condition.value)]
      : 'day' in condition
        ? [condition.day]
        : [];

/** A condition in words: “Team size is at least 50”. */
export function conditionText(condition: Condition, questions: readonly Question[], telling: Telling): string {
  const { t } = telling;
  const said = valuesOf(condition);
  const op = t(`routing.op.${condition.op}`);
  const parts = [];
  if ('fact' in condition) {
    const isOwner = condition.op === 'owner' || condition.op === 'owner-not';
    const words = said.map((value) => (isOwner ? sayOwner(value, telling) : sayValue(condition.fact, value, telling)));
    parts.push(t(`routing.known.${condition.fact}`), op, words.join(', '));
  } else {
    const question = questions.find(({ id }) => id === condition.question);
    const words = said.map((value) => question?.options?.find(({ id }) => id === value)?.label ?? value);
    parts.push(question?.label ?? t('routing.condition.gone'), op, words.join(', '));
  }
  return parts.filter((part) => part !== '').join(' ');
}

export const sayOwner = (value: string, { people, t }: Pick<Telling, 'people' | 't'>): string =>
  value === nobody
    ? t('routing.known.nobody')
    : (people.find(({ user_id: id }) => id === value)?.name ?? t('routing.submissions.gone'));
