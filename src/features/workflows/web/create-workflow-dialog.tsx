import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionKind } from '#features/workflows/rules/action.ts';
import { isTimed, type Offset, offeredTriggers, type Trigger } from '#features/workflows/rules/definition.ts';
import {
  firstAction,
  firstActionOf,
  fromTemplate,
  type TemplateKey,
  templateKeys,
} from '#features/workflows/rules/templates.ts';
import { newId } from '#kernel/new-id.ts';
import { ActionButton, Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { forgetRefusal, Refusal } from '#ui/refusal.tsx';
import { SelectField, TextField } from '#ui/text-field.tsx';
import { AccountField, useAccountsFor } from './account-field.tsx';
import { camel, keyOf } from './describe-workflow.ts';
import { type Definition, type Step, type Team, useCreateWorkflow } from './queries.ts';
import { TimingField } from './timing-field.tsx';
import styles from './workflow-editor.module.css';

/** Create Workflow: by what one has to say of it, or from a template; its texts are on the page that follows. */
export function CreateWorkflowDialog({
  kinds,
  teams,
  onClose,
}: {
  kinds: readonly string[];
  teams: readonly Team[];
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const create = useCreateWorkflow();
  const formId = useId();
  const [name, setName] = useState('');
  const [teamId, setTeam] = useState<Team['team_id']>();
  const [template, setTemplate] = useState<TemplateKey | ''>('');
  const [trigger, setTrigger] = useState<Trigger>('before-event');
  const [offset, setOffset] = useState<Offset>({ amount: 24, unit: 'hours' });

  const [kind, setKind] = useState<ActionKind>('send-email');
  const [chosen, setAccount] = useState<string>();
  const accounts = useAccountsFor(kind);
  const account = accounts.find(({ id }) => id === chosen) ?? accounts[0];
  const isReady = name.trim() !== '' && (kind === 'send-email' || account !== undefined);
  const offered = (['send-email', 'send-sms', 'notify-slack', 'push-to-crm'] as const).filter((one) =>
    kinds.includes(one),
  );

  const choose = (key: TemplateKey | '') => {
    setTemplate(key);
    if (key === '') return;
    const made = fromTemplate(key, newId() as Step['id']);
    setTrigger(made.trigger);
    setOffset(made.offset);
    setName(t(`workflows.template.${camel(key)}`));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    const id = newId() as Step['id'];
    const base = fromTemplate(template === '' ? 'reminder' : template, id);
    const isAsTemplate = template !== '' && base.trigger === trigger && kind === 'send-email';
    const steps = isAsTemplate
      ? base.steps
      : [{ id, action: account === undefined ? firstAction(trigger) : firstActionOf(kind, trigger, account.id) }];
    const definition: Definition = { ...base, trigger, offset, steps };
    create.mutate(
      { name: name.trim(), definition, ...(teamId === undefined ? {} : { team_id: teamId }) },
      {
        onSuccess: ({ workflow }) =>
          void navigate({ to: '/workflows/$workflowId', params: { workflowId: workflow.id }, replace: true }),
      },
    );
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('workflows.create.title')}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('workflows.cancel')}
          </Button>
          <ActionButton
            form={formId}
            pending={create.isPending}
            pendingLabel={t('workflows.create.pending')}
            disabled={!isReady}
          >
            {t('workflows.create.title')}
          </ActionButton>
        </>
      }
    >
      <form onInput={forgetRefusal(create)} id={formId} className={styles.form} onSubmit={submit}>
        <SelectField
          label={t('workflows.create.start')}
          value={template}
          data={[
            { value: '', label: t('workflows.create.empty') },
            ...templateKeys.map((key) => ({ value: key, label: t(`workflows.template.${camel(key)}`) })),
          ]}
          onChange={(event) => choose(event.currentTarget.value as TemplateKey | '')}
        />
        <TextField
          label={t('workflows.field.name')}
          placeholder={t('workflows.create.placeholder')}
          required
          maxLength={120}
          data-autofocus
          value={name}
          error={create.isError ? <Refusal error={create.error} /> : null}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {teams.length === 0 ? null : (
          <SelectField
            label={t('workflows.field.owner')}
            value={teamId ?? ''}
            data={[
              { value: '', label: t('workflows.field.mine') },
              ...teams.map(({ team_id: value, name: label }) => ({ value, label })),
            ]}
            onChange={(event) => setTeam(teams.find(({ team_id }) => team_id === event.currentTarget.value)?.team_id)}
          />
        )}
        <SelectField
          label={t('workflows.field.trigger')}
          value={trigger}
          data={offeredTriggers(teamId !== undefined).map((one) => ({
            value: one,
            label: t(`workflows.trigger.${camel(one)}`),
          }))}
          onChange={(event) => {
            const next = event.currentTarget.value as Trigger;
            // a workflow that follows an event acts at once unless its author chooses otherwise
            if (isTimed(next) !== isTimed(trigger)) setOffset({ amount: isTimed(next) ? 24 : 0, unit: 'hours' });
            setTrigger(next);
          }}
        />
        <SelectField
          label={t('workflows.field.action')}
          value={kind}
          data={offered.map((one) => ({ value: one, label: t(`workflows.action.${keyOf(one)}`) }))}
          onChange={(event) => setKind(event.currentTarget.value as ActionKind)}
        />
        {kind === 'send-email' ? null : <AccountField kind={kind} value={account?.id ?? ''} onChange={setAccount} />}
        <TimingField trigger={trigger} value={offset} onChange={setOffset} />
      </form>
    </Dialog>
  );
}
