import type { TFunction } from 'i18next';
import { valuesOf } from './condition-fields.tsx';
import type { Condition, Question } from './queries.ts';

/** A condition in words: “Team size is at least 50”. */
export function conditionText(condition: Condition, questions: readonly Question[], t: TFunction): string {
  const question = questions.find(({ id }) => id === condition.question);
  const words = valuesOf(condition).map((value) => question?.options?.find(({ id }) => id === value)?.label ?? value);
  return [question?.label ?? t('routing.condition.gone'), t(`routing.op.${condition.op}`), words.join(', ')]
    .filter((part) => part !== '')
    .join(' ');
}
