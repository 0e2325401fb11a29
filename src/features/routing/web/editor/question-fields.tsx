import { IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hasOptions, mostOptions, questionKinds } from '#features/routing/rules/question.ts';
import { AddButton } from '#ui/add-button.tsx';
import { Checkbox } from '#ui/choice.tsx';
import { SelectField, TextField } from '#ui/text-field.tsx';
import type { Question } from '../queries.ts';
import styles from '../routing.module.css';
import { focusNew } from './focus-new.ts';
import { MoveButtons } from './move-buttons.tsx';
import { freshId } from './name-items.ts';

export interface QuestionFieldsProps {
  question: Question;
  /** From 1. */
  number: number;
  count: number;
  /** Whether it was just added, and gets the focus. */
  isNew: boolean;
  /** Something of it was refused. */
  isWrong: boolean;
  /** Some rule asks for its answer. */
  decides: boolean;
  wrong: (part: string) => string | undefined;
  onChange: (question: Question) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}

/** The fields of a question. Its id stays when the label changes: rules, addresses, and kept answers use it. */
export function QuestionFields({
  question,
  number,
  count,
  isNew,
  isWrong,
  decides,
  wrong,
  onChange,
  onMove,
  onRemove,
}: QuestionFieldsProps) {
  const { t } = useTranslation();
  const { kind, label, hint, required, hidden = false, options = [] } = question;
  const name = label || t('routing.question.nth', { n: number });
  const [isOpen, setOpen] = useState(isNew);
  // errors inside must be visible
  if (isWrong && !isOpen) setOpen(true);
  const [newOption, setNewOption] = useState<string>();
  const put = (list: typeof options) => onChange({ ...question, options: list });
  return (
    <fieldset className={styles.item} aria-label={name}>
      <div className={styles.itemHead}>
        <h3>
          <button type="button" className={styles.fold} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <IconChevronRight size={16} aria-hidden />
            {name}
          </button>
        </h3>
        {isOpen ? null : (
          <span className={styles.hint}>
            {t(`routing.kind.${kind}`)}
            {hidden ? ` · ${t('routing.prefill.hidden')}` : required ? '' : ` · ${t('routing.question.optional')}`}
          </span>
        )}
        <MoveButtons label={name} number={number} count={count} onMove={onMove} onRemove={onRemove} />
      </div>
      {isOpen ? (
        <>
          <div className={styles.fields}>
            <TextField
              ref={isNew ? focusNew : null}
              label={t('routing.question.label')}
              required
              maxLength={200}
              value={label}
              error={wrong('.label') ?? wrong('.id')}
              onChange={(event) => onChange({ ...question, label: event.currentTarget.value })}
            />
            <SelectField
              label={t('routing.question.kind')}
              value={kind}
              error={wrong('.kind')}
              data={questionKinds.map((one) => ({ value: one, label: t(`routing.kind.${one}`) }))}
              onChange={(event) => onChange(ofKind(question, event.currentTarget.value as Question['kind']))}
            />
            {hidden ? null : (
              <TextField
                className={styles.whole}
                label={t('routing.question.hint')}
                maxLength={300}
                value={hint ?? ''}
                error={wrong('.hint')}
                onChange={(event) => {
                  const { hint: _, ...bare } = question;
                  const { value } = event.currentTarget;
                  onChange(value === '' ? bare : { ...bare, hint: value });
                }}
              />
            )}
          </div>
          {hasOptions(kind) ? (
            <fieldset className={styles.group}>
              <legend className={styles.legend}>{t('routing.option.title')}</legend>
              {options.map((option, at) => {
                const optionName = option.label || t('routing.option.nth', { n: at + 1 });
                const flaw = wrong(`.options.${at}`) ?? wrong(`.options.${at}.label`) ?? wrong(`.options.${at}.id`);
                return (
                  <div key={option.id} className={styles.option}>
                    <TextField
                      ref={option.id === newOption ? focusNew : null}
                      className={styles.grow}
                      aria-label={t('routing.option.nth', { n: at + 1 })}
                      required
                      maxLength={200}
                      value={option.label}
                      error={flaw}
                      onChange={(event) => put(options.with(at, { ...option, label: event.currentTarget.value }))}
                    />
                    <span className={styles.itemButtons}>
                      <MoveButtons
                        label={optionName}
                        number={at + 1}
                        count={options.length}
                        onMove={(by) => put(options.toSpliced(at, 1).toSpliced(at + by, 0, option))}
                        onRemove={() => put(options.toSpliced(at, 1))}
                      />
                    </span>
                    {decides || option.to_fallback ? (
                      <Checkbox
                        className={styles.whole}
                        label={t('routing.option.toFallback', { label: optionName })}
                        checked={option.to_fallback ?? false}
                        onChange={(event) => {
                          const { to_fallback: _, ...bare } = option;
                          put(options.with(at, event.currentTarget.checked ? { ...bare, to_fallback: true } : bare));
                        }}
                      />
                    ) : null}
                  </div>
                );
              })}
              {wrong('.options') === undefined ? null : (
                <p className={styles.refused} role="alert" data-wrong>
                  {wrong('.options')}
                </p>
              )}
              {options.length < mostOptions ? (
                <AddButton
                  variant="subtle"
                  onClick={() => {
                    const id = freshId('option');
                    setNewOption(id);
                    put([...options, { id, label: '' }]);
                  }}
                >
                  {t('routing.option.add')}
                  <span className="hf-sr-only"> {name}</span>
                </AddButton>
              ) : null}
            </fieldset>
          ) : null}
          <div className={styles.checks}>
            {hidden ? null : (
              <Checkbox
                label={t('routing.question.required')}
                checked={required}
                onChange={(event) => onChange({ ...question, required: event.currentTarget.checked })}
              />
            )}
            {kind === 'text' ? (
              <Checkbox
                label={t('routing.question.hidden')}
                checked={hidden}
                onChange={(event) => {
                  const { hidden: _, ...bare } = question;
                  onChange(event.currentTarget.checked ? { ...bare, hidden: true, required: false } : bare);
                }}
              />
            ) : null}
          </div>
          {(wrong('.hidden') ?? wrong('')) ? (
            <p className={styles.refused} role="alert" data-wrong>
              {wrong('.hidden') ?? wrong('')}
            </p>
          ) : null}
        </>
      ) : null}
    </fieldset>
  );
}

/** The question with another kind: it gains the fields of that kind and loses those that it cannot have. */
function ofKind({ options, hidden, ...question }: Question, kind: Question['kind']): Question {
  return {
    ...question,
    kind,
    ...(hasOptions(kind) ? { options: options ?? [{ id: freshId('option'), label: '' }] } : {}),
    ...(kind === 'text' && hidden ? { hidden } : {}),
  };
}
