import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { textConsentId } from '#features/booking/rules/text-consent.ts';
import { questionKinds } from '#features/booking/rules/type-settings.ts';
import { newId } from '#kernel/new-id.ts';
import { AddButton } from '#ui/add-button.tsx';
import { IconButton } from '#ui/button.tsx';
import { Checkbox } from '#ui/choice.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { SelectField, TextField } from '#ui/text-field.tsx';
import styles from './fields.module.css';
import type { Settings } from './queries.ts';
import type { SectionProps } from './type-draft.ts';

type Question = Settings['questions'][number];
const mostQuestions = 20;

/** Questions besides name and mail. Answers are kept under an id that stays while the words change. */
export function QuestionList({ settings, onChange, errors }: SectionProps) {
  const { t } = useTranslation();
  const { questions } = settings;
  const put = (at: number, question: Question) => onChange({ questions: questions.with(at, question) });
  const move = (at: number, by: number) => {
    const question = questions[at];
    if (question) onChange({ questions: questions.toSpliced(at, 1).toSpliced(at + by, 0, question) });
  };
  // its tick is consent, which workflows ask for before they send a text message; that needs a number
  const asksForNumber =
    questions.some(({ kind }) => kind === 'phone') ||
    (settings.location.kind === 'phone' && settings.location.who_calls === 'host');
  const addConsent = () =>
    onChange({
      questions: [
        ...questions,
        ...(asksForNumber
          ? []
          : [{ id: newQuestionId(), label: t('booking.question.number'), kind: 'phone' as const, required: false }]),
        { id: textConsentId, label: t('booking.question.textConsent'), kind: 'checkbox', required: false },
      ],
    });
  const add = () =>
    onChange({ questions: [...questions, { id: newQuestionId(), label: '', kind: 'text', required: false }] });
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{t('booking.question.title')}</legend>
      <p className={styles.hint}>{t('booking.question.text')}</p>
      {questions.map((question, at) => {
        const wrong = (part: string) => errors[`settings.questions.${at}.${part}`];
        const named = { label: question.label || t('booking.question.nth', { n: at + 1 }) };
        return (
          <fieldset key={question.id} className={styles.question} aria-label={named.label}>
            <div className={styles.fields}>
              <TextField
                label={t('booking.question.label')}
                required
                maxLength={200}
                value={question.label}
                error={wrong('label')}
                onChange={(event) => put(at, { ...question, label: event.currentTarget.value })}
              />
              <SelectField
                label={t('booking.question.kind')}
                value={question.kind}
                data={questionKinds.map((kind) => ({ value: kind, label: t(`booking.questionKind.${kind}`) }))}
                onChange={(event) =>
                  put(
                    at,
                    ofKind(question, event.currentTarget.value as Question['kind'], t('booking.question.firstOption')),
                  )
                }
              />
              {question.kind === 'choice' ? (
                <TextArea
                  className={styles.whole}
                  label={t('booking.question.options')}
                  description={t('booking.question.optionsHint')}
                  value={(question.options ?? []).join('\n')}
                  error={wrong('options')}
                  onChange={(event) => put(at, { ...question, options: event.currentTarget.value.split('\n') })}
                />
              ) : null}
            </div>
            <div className={styles.row}>
              <Checkbox
                label={t('booking.question.required')}
                checked={question.required}
                onChange={(event) => put(at, { ...question, required: event.currentTarget.checked })}
              />
              <span className={styles.end} />
              <IconButton label={t('booking.question.up', named)} disabled={at === 0} onClick={() => move(at, -1)}>
                <IconArrowUp size={16} aria-hidden />
              </IconButton>
              <IconButton
                label={t('booking.question.down', named)}
                disabled={at === questions.length - 1}
                onClick={() => move(at, 1)}
              >
                <IconArrowDown size={16} aria-hidden />
              </IconButton>
              <IconButton
                label={t('booking.question.remove', named)}
                onClick={() => onChange({ questions: questions.toSpliced(at, 1) })}
              >
                <IconTrash size={16} aria-hidden />
              </IconButton>
            </div>
          </fieldset>
        );
      })}
      {questions.length < mostQuestions ? (
        <div className={styles.row}>
          <AddButton onClick={add}>{t('booking.question.add')}</AddButton>
          {questions.some(({ id }) => id === textConsentId) || questions.length > mostQuestions - 2 ? null : (
            <AddButton onClick={addConsent}>{t('booking.question.addTextConsent')}</AddButton>
          )}
        </div>
      ) : null}
    </fieldset>
  );
}

function ofKind({ options, ...question }: Question, kind: Question['kind'], firstOption: string): Question {
  return kind === 'choice' ? { ...question, kind, options: options ?? [firstOption] } : { ...question, kind };
}

/** An answer must never go to another question than the one it was given to, so no id comes twice. */
const newQuestionId = () => `q-${newId().slice(0, 8)}`;
