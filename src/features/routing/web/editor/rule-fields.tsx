import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { mostConditions } from '#features/routing/rules/form-definition.ts';
import { AddButton } from '#ui/add-button.tsx';
import { IconButton } from '#ui/button.tsx';
import { SelectField, TextField } from '#ui/text-field.tsx';
import type { Person, Question, Rule, Target } from '../queries.ts';
import styles from '../routing.module.css';
import { ActionFields } from './action-fields.tsx';
import { ConditionFields, firstCondition } from './condition-fields.tsx';
import { firstFact } from './fact-fields.tsx';
import { focusNew } from './focus-new.ts';
import { MoveButtons } from './move-buttons.tsx';

export interface RuleFieldsProps {
  rule: Rule;
  /** From 1. */
  number: number;
  count: number;
  /** Whether it was just added, and gets the focus. */
  isNew: boolean;
  questions: readonly Question[];
  targets: readonly Target[] | undefined;
  /** Possible owners of a contact. */
  people: readonly Person[];
  wrong: (part: string) => string | undefined;
  onChange: (rule: Rule) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}

/** When, and what then. The first rule that fits decides. */
export function RuleFields({
  rule,
  number,
  count,
  isNew,
  questions,
  targets,
  people,
  wrong,
  onChange,
  onMove,
  onRemove,
}: RuleFieldsProps) {
  const { t } = useTranslation();
  const { conditions, match, name = '' } = rule;
  const heading = name || t('routing.rule.nth', { n: number });
  const flaw = wrong('') ?? wrong('.conditions');
  return (
    <fieldset className={styles.item} aria-label={heading} data-wrong={flaw === undefined ? undefined : true}>
      <div className={styles.itemHead}>
        <h3>
          <span className={styles.number}>{number}</span> {heading}
        </h3>
        <MoveButtons label={heading} number={number} count={count} onMove={onMove} onRemove={onRemove} />
      </div>
      {flaw === undefined ? null : (
        <p className={styles.refused} role="alert">
          {flaw}
        </p>
      )}
      <TextField
        ref={isNew ? focusNew : null}
        label={t('routing.rule.name')}
        placeholder={t('routing.rule.nth', { n: number })}
        maxLength={120}
        value={name}
        error={wrong('.name')}
        onChange={(event) => {
          const { name: _, ...bare } = rule;
          const { value } = event.currentTarget;
          onChange(value === '' ? bare : { ...bare, name: value });
        }}
      />
      <fieldset className={styles.group}>
        <legend className={styles.legend}>{t('routing.rule.when')}</legend>
        {conditions.length > 1 ? (
          <SelectField
            aria-label={t('routing.rule.match')}
            value={match}
            data={(['all', 'any'] as const).map((value) => ({ value, label: t(`routing.match.${value}`) }))}
            onChange={(event) => onChange({ ...rule, match: event.currentTarget.value as Rule['match'] })}
          />
        ) : null}
        {conditions.map((condition, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no id, and their fields keep nothing of their own
          <div key={at} className={styles.condition}>
            <ConditionFields
              condition={condition}
              number={at + 1}
              questions={questions}
              people={people}
              wrong={(part) => wrong(`.conditions.${at}${part}`)}
              onChange={(next) => onChange({ ...rule, conditions: conditions.with(at, next) })}
            />
            {conditions.length > 1 ? (
              <IconButton
                label={t('routing.condition.remove', { n: at + 1 })}
                onClick={() => onChange({ ...rule, conditions: conditions.toSpliced(at, 1) })}
              >
                <IconX size={16} aria-hidden />
              </IconButton>
            ) : null}
          </div>
        ))}
        {conditions.length < mostConditions ? (
          <AddButton
            variant="subtle"
            onClick={() => {
              const [question] = questions;
              const next = question === undefined ? firstFact('language') : firstCondition(question);
              onChange({ ...rule, conditions: [...conditions, next] });
            }}
          >
            {t('routing.condition.add')}
            <span className="hf-sr-only"> {heading}</span>
          </AddButton>
        ) : null}
      </fieldset>
      <fieldset className={styles.group}>
        <legend className={styles.legend}>{t('routing.rule.then')}</legend>
        <ActionFields
          action={rule.action}
          type="conditional"
          targets={targets}
          wrong={(part) => wrong(`.action${part}`)}
          onChange={(action) => onChange({ ...rule, action })}
        />
      </fieldset>
    </fieldset>
  );
}
