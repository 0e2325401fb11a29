import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { operatorsOf } from '#features/routing/rules/condition.ts';
import { hasOptions } from '#features/routing/rules/question.ts';
import { Checkbox } from '#ui/choice.tsx';
import { SelectField, TextField } from '#ui/text-field.tsx';
import type { Condition, Question } from './queries.ts';
import styles from './routing.module.css';

type Operator = Condition['op'];

/** What is asked of a question first. */
export const firstCondition = (question: Question): Condition =>
  withOperator(question, operatorsOf[question.kind][0] ?? 'filled', []);

/** A condition with this operator, and what of the values fits it. */
function withOperator(question: Question, op: Operator, values: readonly string[]): Condition {
  const { id } = question;
  switch (op) {
    case 'filled':
    case 'empty':
    case 'yes':
    case 'no':
      return { question: id, op };
    case 'equals':
    case 'equals-not':
    case 'less-than':
    case 'at-most':
    case 'more-than':
    case 'at-least':
      return { question: id, op, value: Number(values[0] ?? 0) || 0 };
    default: {
      const [first] = question.options ?? [];
      const known = values.filter(
        (value) => !hasOptions(question.kind) || question.options?.some((one) => one.id === value),
      );
      return { question: id, op, values: known.length > 0 || first === undefined ? known : [first.id] };
    }
  }
}

export const valuesOf = (condition: Condition): readonly string[] =>
  'values' in condition ? condition.values : 'value' in condition ? [String(condition.value)] : [];

/** One thing that a rule asks of an answer. */
export function ConditionFields({
  condition,
  number,
  questions,
  wrong,
  onChange,
}: {
  condition: Condition;
  /** From 1. */
  number: number;
  questions: readonly Question[];
  wrong: (part: string) => string | undefined;
  onChange: (condition: Condition) => void;
}) {
  const { t } = useTranslation();
  const question = questions.find(({ id }) => id === condition.question);
  const operators = question === undefined ? [condition.op] : operatorsOf[question.kind];
  const listed = operators.includes(condition.op) ? operators : [condition.op, ...operators];
  const isEmpty = 'values' in condition && condition.values.length === 0;
  const flaw = isEmpty ? t('routing.condition.none') : wrong('.values');
  return (
    <>
      <SelectField
        className={styles.grow}
        aria-label={t('routing.condition.question', { n: number })}
        value={question?.id ?? ''}
        error={wrong('.question')}
        data={[
          ...(question === undefined ? [{ value: '', label: t('routing.condition.gone') }] : []),
          ...questions.map(({ id, label }, at) => ({
            value: id,
            label: label || t('routing.question.nth', { n: at + 1 }),
          })),
        ]}
        onChange={(event) => {
          const next = questions.find(({ id }) => id === event.currentTarget.value);
          if (next) onChange(firstCondition(next));
        }}
      />
      <SelectField
        className={styles.grow}
        aria-label={t('routing.condition.op', { n: number })}
        value={condition.op}
        error={wrong('.op')}
        data={listed.map((op) => ({ value: op, label: t(`routing.op.${op}`) }))}
        onChange={(event) => {
          if (question) onChange(withOperator(question, event.currentTarget.value as Operator, valuesOf(condition)));
        }}
      />
      {'values' in condition ? (
        question !== undefined && hasOptions(question.kind) ? (
          <fieldset
            className={`${styles.checks} ${styles.whole}`}
            aria-label={t('routing.condition.values', { n: number })}
          >
            {(question.options ?? []).map(({ id, label }, at) => (
              <Checkbox
                key={id}
                label={label || t('routing.option.nth', { n: at + 1 })}
                checked={condition.values.includes(id)}
                onChange={(event) =>
                  onChange({
                    ...condition,
                    values: (question.options ?? [])
                      .map((one) => one.id)
                      .filter((one) => (one === id ? event.currentTarget.checked : condition.values.includes(one))),
                  })
                }
              />
            ))}
            {flaw === undefined ? null : (
              <p className={`${styles.refused} ${styles.whole}`} role="alert" data-wrong>
                {flaw}
              </p>
            )}
          </fieldset>
        ) : (
          <WordsField
            key={`${condition.question} ${condition.op}`}
            label={t('routing.condition.values', { n: number })}
            placeholder={t(`routing.valuesHint.${condition.op}`)}
            value={condition.values}
            error={wrong('.values') ?? wrong('.values.0')}
            onChange={(values) => onChange({ ...condition, values })}
          />
        )
      ) : 'value' in condition ? (
        <TextField
          className={styles.grow}
          aria-label={t('routing.condition.values', { n: number })}
          type="number"
          step="any"
          value={condition.value}
          error={wrong('.value')}
          onChange={(event) => {
            const { valueAsNumber } = event.currentTarget;
            // what is no number yet, such as a sign alone, is still being typed
            if (!Number.isNaN(valueAsNumber)) onChange({ ...condition, value: valueAsNumber });
          }}
        />
      ) : null}
    </>
  );
}

/** Several words with commas between them. What is being typed stays as it is typed. */
function WordsField({
  label,
  placeholder,
  value,
  error,
  onChange,
}: {
  label: string;
  placeholder: string;
  value: readonly string[];
  error: string | undefined;
  onChange: (words: string[]) => void;
}) {
  const [typed, setTyped] = useState(value.join(', '));
  return (
    <TextField
      className={styles.whole}
      aria-label={label}
      placeholder={placeholder}
      value={typed}
      error={error}
      onChange={(event) => {
        const { value: next } = event.currentTarget;
        setTyped(next);
        onChange([...new Set(next.split(',').map((word) => word.trim()))].filter((word) => word !== ''));
      }}
    />
  );
}
