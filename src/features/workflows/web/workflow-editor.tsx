import { useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isAboutBooking, mostSteps, offeredTriggers, type Trigger } from '#features/workflows/rules/definition.ts';
import { firstAction } from '#features/workflows/rules/templates.ts';
import { newId } from '#kernel/new-id.ts';
import { AddButton } from '#ui/add-button.tsx';
import { ActionButton, Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/choice.tsx';
import { focusFlawedDate } from '#ui/dates/flawed-date.ts';
import { TimeField } from '#ui/dates/when-field.tsx';
import { Panel } from '#ui/page.tsx';
import { focusPageTitle } from '#ui/page-title.ts';
import { openRefusal } from '#ui/refusal.tsx';
import { SaveBar } from '#ui/save-bar.tsx';
import { SaveRefused } from '#ui/save-refused.tsx';
import { SelectField, TextField } from '#ui/text-field.tsx';
import { showToast } from '#ui/toasts.tsx';
import { camel } from './describe-workflow.ts';
import { type Definition, type Step, useChangeWorkflow, useEventTypes, type Workflow } from './queries.ts';
import { StepFields } from './step-fields.tsx';
import { TimingField } from './timing-field.tsx';
import styles from './workflow-editor.module.css';

interface Draft {
  name: string;
  /** As they are typed, with commas. */
  tags: string;
  definition: Definition;
}

const draftOf = ({ name, tags, definition }: Workflow): Draft => ({ name, tags: tags.join(', '), definition });

const readTags = (typed: string) => [...new Set(typed.split(',').flatMap((tag) => tag.trim() || []))];

/** A workflow as it is saved, and as it would be. Saving makes a new version. */
export function WorkflowEditor({ workflow, onReload }: { workflow: Workflow; onReload: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const save = useChangeWorkflow();
  const [draft, setDraft] = useState(() => draftOf(workflow));
  const dirty = JSON.stringify(draft) !== JSON.stringify(draftOf(workflow));
  useBlocker({
    shouldBlockFn: () => dirty && !window.confirm(t('workflows.editor.leave')),
    enableBeforeUnload: dirty,
    disabled: !dirty,
  });
  const { definition } = draft;
  const body = { name: draft.name, tags: readTags(draft.tags), definition };
  const { error, errors } = openRefusal(save.error, save.variables?.body, body);
  const change = (patch: Partial<Definition>) =>
    setDraft((before) => ({ ...before, definition: { ...before.definition, ...patch } }));
  const { steps } = definition;
  const put = (at: number, step: Step) => change({ steps: steps.with(at, step) });
  const move = (at: number, by: number) => {
    const step = steps[at];
    if (step) change({ steps: steps.toSpliced(at, 1).toSpliced(at + by, 0, step) });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!dirty || focusFlawedDate(event.currentTarget)) return;
    save.mutate(
      {
        id: workflow.id,
        body: { version: workflow.version, ...body },
      },
      {
        onSuccess: (saved) => {
          queryClient.setQueryData(['workflow', workflow.id], saved);
          showToast({ subject: `workflow ${workflow.id}`, state: 'ok', message: t('workflows.editor.saved') });
          // the bar with its button goes
          focusPageTitle();
        },
      },
    );
  };
  return (
    <form className={styles.editor} onSubmit={submit} noValidate>
      <SaveRefused error={error} reload={t('workflows.editor.reload')} onReload={onReload} />
      <Panel title={t('workflows.editor.when')}>
        <div className={styles.fields}>
          <TextField
            label={t('workflows.field.name')}
            required
            maxLength={120}
            value={draft.name}
            error={errors.name}
            onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
          />
          <TextField
            label={t('workflows.field.tags')}
            description={t('workflows.field.tagsHint')}
            maxLength={400}
            value={draft.tags}
            error={errors.tags ?? errors['tags.0']}
            onChange={(event) => setDraft({ ...draft, tags: event.currentTarget.value })}
          />
          <SelectField
            label={t('workflows.field.trigger')}
            value={definition.trigger}
            data={offeredTriggers(workflow.team_id !== null).map((one) => ({
              value: one,
              label: t(`workflows.trigger.${camel(one)}`),
            }))}
            onChange={(event) => change({ trigger: event.currentTarget.value as Trigger })}
          />
          <TimingField
            trigger={definition.trigger}
            value={definition.offset}
            error={errors['definition.offset.amount']}
            onChange={(offset) => change({ offset })}
          />
          {isAboutBooking(definition.trigger) ? (
            <TypeFilter
              teamId={workflow.team_id}
              value={definition.filter.event_type_ids}
              error={errors['definition.filter.event_type_ids']}
              onChange={(event_type_ids) => change({ filter: { event_type_ids } })}
            />
          ) : null}
          <Exceptions definition={definition} errors={errors} onChange={change} />
        </div>
      </Panel>
      <Panel title={t('workflows.editor.what')}>
        <div className={styles.steps}>
          {steps.map((step, at) => (
            <StepFields
              key={step.id}
              step={step}
              number={at + 1}
              count={steps.length}
              trigger={definition.trigger}
              errors={errors}
              onChange={(next) => put(at, next)}
              onMove={(by) => move(at, by)}
              onRemove={() => change({ steps: steps.toSpliced(at, 1) })}
            />
          ))}
          {steps.length < mostSteps ? (
            <AddButton
              onClick={() =>
                change({
                  steps: [...steps, { id: newId() as Step['id'], action: firstAction(definition.trigger) }],
                })
              }
            >
              {t('workflows.step.add')}
            </AddButton>
          ) : null}
        </div>
      </Panel>
      <SaveBar changed={dirty} status={dirty ? t('workflows.editor.unsaved') : ''}>
        <Button
          type="button"
          variant="default"
          onClick={() => {
            setDraft(draftOf(workflow));
            save.reset();
          }}
        >
          {t('workflows.editor.discard')}
        </Button>
        <ActionButton pending={save.isPending} pendingLabel={t('workflows.saving')}>
          {t('workflows.editor.save')}
        </ActionButton>
      </SaveBar>
    </form>
  );
}

type TypeIds = Definition['filter']['event_type_ids'];

function TypeFilter({
  teamId,
  value,
  error,
  onChange,
}: {
  teamId: Workflow['team_id'];
  value: TypeIds;
  error: string | undefined;
  onChange: (ids: TypeIds) => void;
}) {
  const { t } = useTranslation();
  const found = useEventTypes().data;
  const types = (teamId === null ? found : found?.teams.find(({ team_id }) => team_id === teamId))?.event_types ?? [];
  if (types.length === 0) return null;
  return (
    <fieldset className={`${styles.group} ${styles.whole}`}>
      <legend className={styles.legend}>{t('workflows.field.types')}</legend>
      <Checkbox
        label={t('workflows.field.allTypes')}
        checked={value === null}
        onChange={(event) => onChange(event.currentTarget.checked ? null : types.slice(0, 1).map(({ id }) => id))}
      />
      {value === null
        ? null
        : types.map(({ id, title }) => (
            <Checkbox
              key={id}
              label={title}
              checked={value.includes(id)}
              // the last one stays: none of them would be no workflow
              disabled={value.length === 1 && value[0] === id}
              onChange={(event) =>
                onChange(event.currentTarget.checked ? [...value, id] : value.filter((one) => one !== id))
              }
            />
          ))}
      {error === undefined ? null : <p role="alert">{error}</p>}
    </fieldset>
  );
}

function Exceptions({
  definition,
  errors,
  onChange,
}: {
  definition: Definition;
  errors: Readonly<Record<string, string>>;
  onChange: (patch: Partial<Definition>) => void;
}) {
  const { t } = useTranslation();
  const { trigger, if_past, if_late, quiet_hours: quiet } = definition;
  return (
    <fieldset className={`${styles.group} ${styles.whole}`}>
      <legend className={styles.legend}>{t('workflows.field.exceptions')}</legend>
      {trigger === 'before-event' ? (
        <Checkbox
          label={t('workflows.field.ifPast')}
          checked={if_past === 'send-now'}
          onChange={(event) => onChange({ if_past: event.currentTarget.checked ? 'send-now' : 'skip' })}
        />
      ) : null}
      <Checkbox
        label={t('workflows.field.ifLate')}
        checked={if_late === 'send'}
        onChange={(event) => onChange({ if_late: event.currentTarget.checked ? 'send' : 'skip' })}
      />
      <Checkbox
        label={t('workflows.field.quiet')}
        checked={quiet !== null}
        onChange={(event) =>
          onChange({ quiet_hours: event.currentTarget.checked ? { from: '21:00', to: '08:00' } : null })
        }
      />
      {quiet === null ? null : (
        <div className={styles.pair}>
          {(['from', 'to'] as const).map((end) => (
            <TimeField
              key={end}
              required
              label={t(`workflows.quiet.${end}`)}
              value={quiet[end]}
              error={errors[`definition.quiet_hours.${end}`]}
              onValue={(value) => onChange({ quiet_hours: { ...quiet, [end]: value } })}
            />
          ))}
        </div>
      )}
    </fieldset>
  );
}
