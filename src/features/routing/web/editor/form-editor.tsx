import { useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { subjectOf } from '#features/routing/rules/condition.ts';
import { mostRules } from '#features/routing/rules/form-definition.ts';
import { mostQuestions } from '#features/routing/rules/question.ts';
import { newId } from '#kernel/new-id.ts';
import { AddButton } from '#ui/add-button.tsx';
import { ActionButton, Button } from '#ui/button.tsx';
import { focusFlawedDate } from '#ui/dates/flawed-date.ts';
import { Panel } from '#ui/page.tsx';
import { focusPageTitle } from '#ui/page-title.ts';
import { openRefusal } from '#ui/refusal.tsx';
import { SaveBar } from '#ui/save-bar.tsx';
import { SaveRefused } from '#ui/save-refused.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { TextField } from '#ui/text-field.tsx';
import { showToast } from '#ui/toasts.tsx';
import { type Definition, type Form, formKey, useChangeForm, useTargets, type WholeForm } from '../queries.ts';
import styles from '../routing.module.css';
import { ActionFields } from './action-fields.tsx';
import { firstCondition } from './condition-fields.tsx';
import { firstFact } from './fact-fields.tsx';
import { freshId, nameItems, placeErrors } from './name-items.ts';
import { QuestionFields } from './question-fields.tsx';
import { RuleFields } from './rule-fields.tsx';
import { TryPanel } from './try-panel.tsx';

interface Draft {
  name: string;
  description: string;
  slug: string;
  definition: Definition;
}

/** A form as it is saved, and as it would be. */
export function FormEditor({
  form,
  definition: saved,
  onReload,
}: {
  form: Form;
  definition: Definition;
  onReload: () => void;
}) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const save = useChangeForm();
  const element = useRef<HTMLFormElement>(null);
  const { name, description, slug } = form;
  const base: Draft = { name, description, slug, definition: saved };
  const [draft, setDraft] = useState(base);
  const [added, setAdded] = useState<string>();
  const { targets, people = [] } = useTargets(form.team_id).data ?? {};
  const dirty = JSON.stringify(draft) !== JSON.stringify(base);
  useBlocker({
    shouldBlockFn: () => dirty && !window.confirm(t('routing.editor.leave')),
    enableBeforeUnload: dirty,
    disabled: !dirty,
  });
  const { definition } = draft;
  const { type, questions, rules, fallback } = definition;
  const refusal = openRefusal(save.error, save.variables?.body, draft);
  const errors = placeErrors(refusal.errors, definition);
  const change = (patch: Partial<Definition>) =>
    setDraft((before) => ({ ...before, definition: { ...before.definition, ...patch } }));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!dirty || save.isPending || focusFlawedDate(event.currentTarget)) return;
    const named = { ...draft, definition: nameItems(definition) };
    setDraft(named);
    save.mutate(
      { id: form.id, body: { revision: form.revision, ...named } },
      {
        onSuccess: (whole) => {
          queryClient.setQueryData<WholeForm>(formKey(form.id), whole);
          showToast({ subject: `form ${form.id}`, state: 'ok', message: t('routing.editor.saved') });
          // the bar with its button goes
          focusPageTitle();
        },
        onError: () => {
          requestAnimationFrame(() => showFirstWrong(element.current));
        },
      },
    );
  };
  const moved = <Item,>(list: readonly Item[], at: number, by: number) => {
    const item = list[at];
    return item === undefined ? [...list] : list.toSpliced(at, 1).toSpliced(at + by, 0, item);
  };
  return (
    <form ref={element} className={styles.editor} onSubmit={submit} noValidate>
      <SaveRefused error={refusal.error} reload={t('routing.editor.reload')} onReload={onReload} />
      {[...errors]
        .filter(([path]) => /^definition\.(?:questions|rules|type)\b/.test(path))
        .map(([path, message]) => (
          <p key={path} className={styles.refused} data-wrong>
            {message}
          </p>
        ))}
      <fieldset className={styles.all} disabled={!form.may_change}>
        <Panel title={t('routing.editor.about')}>
          <div className={styles.fields}>
            <TextField
              label={t('routing.field.name')}
              required
              maxLength={120}
              value={draft.name}
              error={errors.get('name')}
              onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
            />
            <TextField
              label={t('routing.field.slug')}
              required
              maxLength={60}
              value={draft.slug}
              error={errors.get('slug')}
              onChange={(event) => setDraft({ ...draft, slug: event.currentTarget.value })}
            />
            <TextArea
              className={styles.whole}
              label={t('routing.field.description')}
              minRows={2}
              maxLength={2_000}
              value={draft.description}
              error={errors.get('description')}
              onChange={(event) => setDraft({ ...draft, description: event.currentTarget.value })}
            />
          </div>
        </Panel>
        <Panel title={t('routing.question.title')} text={t('routing.question.text')}>
          <div className={styles.form}>
            <TextField
              label={t('routing.field.title')}
              required
              maxLength={120}
              value={definition.title}
              error={errors.get('definition.title')}
              onChange={(event) => change({ title: event.currentTarget.value })}
            />
            <TextArea
              label={t('routing.field.intro')}
              minRows={2}
              maxLength={2_000}
              value={definition.intro}
              error={errors.get('definition.intro')}
              onChange={(event) => change({ intro: event.currentTarget.value })}
            />
            {questions.map((question, at) => (
              <QuestionFields
                key={question.id}
                question={question}
                number={at + 1}
                count={questions.length}
                isNew={question.id === added}
                isWrong={[...errors.keys()].some((path) => `${path}.`.startsWith(`questions ${question.id}.`))}
                decides={
                  type === 'conditional' &&
                  rules.some((rule) => rule.conditions.some((one) => subjectOf(one) === question.id))
                }
                wrong={(part) => errors.get(`questions ${question.id}${part}`)}
                onChange={(next) => change({ questions: questions.with(at, next) })}
                onMove={(by) => change({ questions: moved(questions, at, by) })}
                onRemove={() => change({ questions: questions.toSpliced(at, 1) })}
              />
            ))}
            {questions.length < mostQuestions ? (
              <AddButton
                onClick={() => {
                  const id = freshId('question');
                  setAdded(id);
                  change({ questions: [...questions, { id, label: '', kind: 'text', required: true }] });
                }}
              >
                {t('routing.question.add')}
              </AddButton>
            ) : null}
          </div>
        </Panel>
        {type === 'conditional' ? (
          <Panel title={t('routing.rule.title')} text={t('routing.rule.text')}>
            <div className={styles.form}>
              {rules.length === 0 ? <p className={styles.hint}>{t('routing.rule.none')}</p> : null}
              {rules.map((rule, at) => (
                <RuleFields
                  key={rule.id}
                  rule={rule}
                  number={at + 1}
                  count={rules.length}
                  isNew={rule.id === added}
                  questions={questions}
                  targets={targets}
                  people={people}
                  wrong={(part) => errors.get(`rules ${rule.id}${part}`)}
                  onChange={(next) => change({ rules: rules.with(at, next) })}
                  onMove={(by) => change({ rules: moved(rules, at, by) })}
                  onRemove={() => change({ rules: rules.toSpliced(at, 1) })}
                />
              ))}
              {rules.length < mostRules ? (
                <AddButton
                  onClick={() => {
                    const [about] = questions.filter(({ id }) => id !== 'name' && id !== 'email');
                    const question = about ?? questions[0];
                    const id = `rule-${newId().slice(0, 8)}`;
                    const conditions = [question === undefined ? firstFact('language') : firstCondition(question)];
                    setAdded(id);
                    change({ rules: [...rules, { id, match: 'all', conditions, action: fallback }] });
                  }}
                >
                  {t('routing.rule.add')}
                </AddButton>
              ) : null}
            </div>
          </Panel>
        ) : null}
        <Panel
          title={type === 'conditional' ? t('routing.fallback.title') : t('routing.fallback.only')}
          text={type === 'conditional' ? t('routing.fallback.text') : t(`routing.typeText.${type}`)}
        >
          <ActionFields
            action={fallback}
            type={type}
            targets={targets}
            wrong={(part) => errors.get(`definition.fallback${part}`)}
            onChange={(next) => change({ fallback: next })}
          />
        </Panel>
        <Panel title={t('routing.frames.title')} text={t('routing.frames.text')}>
          <TextArea
            aria-label={t('routing.frames.title')}
            minRows={2}
            placeholder="https://example.org"
            value={definition.frames.join('\n')}
            error={[...errors].find(([path]) => path.startsWith('definition.frames'))?.[1]}
            onChange={(event) => change({ frames: event.currentTarget.value.split('\n').map((one) => one.trim()) })}
            onBlur={() => change({ frames: definition.frames.filter((one) => one !== '') })}
          />
        </Panel>
      </fieldset>
      {form.may_change ? <TryPanel form={form} definition={definition} targets={targets} people={people} /> : null}
      <SaveBar changed={dirty} status={dirty ? t('routing.editor.unsaved') : ''}>
        <Button
          variant="default"
          onClick={() => {
            setDraft(base);
            save.reset();
          }}
        >
          {t('routing.editor.discard')}
        </Button>
        <ActionButton pending={save.isPending} pendingLabel={t('routing.editor.saving')}>
          {t('routing.editor.save')}
        </ActionButton>
      </SaveBar>
    </form>
  );
}

/** A long form was refused: to the first thing that is wrong, else to the top, where it says why. */
function showFirstWrong(form: HTMLFormElement | null): void {
  const wrong = form?.querySelector<HTMLElement>('[aria-invalid="true"], [data-wrong]');
  if (!wrong) {
    form?.scrollIntoView();
    return;
  }
  const field = wrong.matches('input, select, textarea') ? wrong : wrong.querySelector<HTMLElement>('input, select');
  wrong.scrollIntoView({ block: 'center' });
  field?.focus({ preventScroll: true });
}
