import { useTranslation } from 'react-i18next';
import { operatorsOf, operatorsOfFact, type QuestionCondition, subjectOf } from '#features/routing/rules/condition.ts';
import { dayIn, factId, factNames } from '#features/routing/rules/fact.ts';
import { hasOptions } from '#features/routing/rules/question.ts';
import { Checkbox } from '#ui/choice.tsx';
import { useNowMs } from '#ui/clock.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { SelectField, TextField } from '#ui/text-field.tsx';
import type { Condition, Person, Question } from '../queries.ts';
import styles from '../routing.module.css';
import { valuesOf } from './describe-condition.ts';
import { FactFields, firstFact, withFactOperator } from './fact-fields.tsx';
import { WordsField } from './words-field.tsx';

type Operator = QuestionCondition['op'];

/** The initial condition on a question. */
export const firstCondition = (question: Question): QuestionCondition =>
  withOperator(question, operatorsOf[question.kind][0] ?? 'filled', []);

/** A condition with this operator, and what of the values fits it. */
function withOperator(question: Question, op: Operator, values: readonly string[]): QuestionCondition {
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

/** One thing that a rule asks of an answer. */
export function ConditionFields({
  condition,
  number,
  questions,
  people,
  wrong,
  onChange,
}: {
  condition: Condition;
  /** From 1. */
  number: number;
  questions: readonly Question[];
  people: readonly Person[];
  wrong: (part: string) => string | undefined;
  onChange: (condition: Condition) => void;
}) {
  const { t } = useTranslation();
  const { zone } = usePreferences();
  const nowMs = useNowMs();
  const subject = subjectOf(condition);
  const question = questions.find(({ id }) => id === subject);
  const isFact = 'fact' in condition;
  const operators: readonly Condition['op'][] = isFact
    ? operatorsOfFact[condition.fact]
    : question === undefined
      ? [condition.op]
      : operatorsOf[question.kind];
  const listed = operators.includes(condition.op) ? operators : [condition.op, ...operators];
  return (
    <>
      <SelectField
        className={styles.grow}
        aria-label={t('routing.condition.question', { n: number })}
        value={isFact ? subject : (question?.id ?? '')}
        error={wrong('.question')}
        data={[
          ...(question === undefined && !isFact ? [{ value: '', label: t('routing.condition.gone') }] : []),
          {
            group: t('routing.known.answers'),
            items: questions.map(({ id, label }, at) => ({
              value: id,
              label: label || t('routing.question.nth', { n: at + 1 }),
            })),
          },
          {
            group: t('routing.known.title'),
            items: factNames.map((name) => ({ value: factId(name), label: t(`routing.known.${name}`) })),
          },
        ]}
        onChange={(event) => {
          const { value } = event.currentTarget;
          const fact = factNames.find((name) => factId(name) === value);
          const next = questions.find(({ id }) => id === value);
          if (fact) onChange(firstFact(fact));
          else if (next) onChange(firstCondition(next));
        }}
      />
      <SelectField
        className={styles.grow}
        aria-label={t('routing.condition.op', { n: number })}
        value={condition.op}
        error={wrong('.op')}
        data={listed.map((op) => ({ value: op, label: t(`routing.op.${op}`) }))}
        onChange={(event) => {
          const op = event.currentTarget.value;
          if (isFact) onChange(withFactOperator(condition, op as typeof condition.op, dayIn(zone, nowMs)));
          else if (question) onChange(withOperator(question, op as Operator, valuesOf(condition)));
        }}
      />
      {isFact ? (
        <FactFields condition={condition} number={number} people={people} wrong={wrong} onChange={onChange} />
      ) : (
        <AnswerValue condition={condition} number={number} question={question} wrong={wrong} onChange={onChange} />
      )}
    </>
  );
}

/** With what an answer is compared. */
function AnswerValue({
  condition,
  number,
  question,
  wrong,
  onChange,
}: {
  condition: QuestionCondition;
  number: number;
  question: Question | undefined;
  wrong: (part: string) => string | undefined;
  onChange: (condition: Condition) => void;
}) {
  const { t } = useTranslation();
  const isEmpty = 'values' in condition && condition.values.length === 0;
  const flaw = isEmpty ? t('routing.condition.none') : wrong('.values');
  return (
    <>
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
            // incomplete numbers, such as a sign alone, are still being typed
            if (!Number.isNaN(valueAsNumber)) onChange({ ...condition, value: valueAsNumber });
          }}
        />
      ) : null}
    </>
  );
}
