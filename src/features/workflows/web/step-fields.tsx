import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { actionOf } from '#features/workflows/rules/credential.ts';
import { isAboutBooking, type Trigger } from '#features/workflows/rules/definition.ts';
import { firstActionOf } from '#features/workflows/rules/templates.ts';
import { unknownVariables, variablesFor } from '#features/workflows/rules/variables.ts';
import { ActionButton, IconButton } from '#ui/button.tsx';
import { Checkbox } from '#ui/choice.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { SelectField, TextField } from '#ui/text-field.tsx';
import { showToast } from '#ui/toasts.tsx';
import { AccountField } from './account-field.tsx';
import { AddressAgreement } from './address-agreement.tsx';
import { useCredentials } from './channels/queries.ts';
import { keyOf } from './describe-workflow.ts';
import { type Action, type Step, usePreview, useTestStep } from './queries.ts';
import styles from './workflow-editor.module.css';

type Kind = Action['kind'];
type Of<One extends Kind> = Extract<Action, { kind: One }>;

const kinds = ['send-email', 'send-sms', 'notify-slack', 'push-to-crm'] as const satisfies Kind[];

export interface StepFieldsProps {
  step: Step;
  /** From 1. */
  number: number;
  count: number;
  trigger: Trigger;
  errors: Readonly<Record<string, string>>;
  onChange: (step: Step) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}

/** One step: what it does, how it reads, and a try. */
export function StepFields({ step, number, count, trigger, errors, onChange, onMove, onRemove }: StepFieldsProps) {
  const { t } = useTranslation();
  const { action } = step;
  const accounts = useCredentials().data?.credentials ?? [];
  const heading = t('workflows.step.nth', { n: number, action: t(`workflows.action.${keyOf(action.kind)}`) });
  const wrong = (part: string) =>
    errors[`definition.steps.${number - 1}.${part}`] ?? errors[`definition.steps.${number - 1}.action.${part}`];
  const put = (next: Action) => onChange({ ...step, action: next });
  return (
    <fieldset className={styles.step} aria-label={heading}>
      <div className={styles.stepHead}>
        <h3>{heading}</h3>
        {count > 1 ? (
          <>
            <IconButton
              label={t('workflows.step.up', { n: number })}
              disabled={number === 1}
              onClick={() => onMove(-1)}
            >
              <IconArrowUp size={16} aria-hidden />
            </IconButton>
            <IconButton
              label={t('workflows.step.down', { n: number })}
              disabled={number === count}
              onClick={() => onMove(1)}
            >
              <IconArrowDown size={16} aria-hidden />
            </IconButton>
            <IconButton label={t('workflows.step.remove', { n: number })} onClick={onRemove}>
              <IconTrash size={16} aria-hidden />
            </IconButton>
          </>
        ) : null}
      </div>
      <SelectField
        label={t('workflows.field.action')}
        value={action.kind}
        data={kinds.map((kind) => ({ value: kind, label: t(`workflows.action.${keyOf(kind)}`) }))}
        onChange={(event) => {
          const kind = event.currentTarget.value as Kind;
          const [account] = accounts.filter((one) => actionOf[one.kind] === kind);
          put(firstActionOf(kind, trigger, account?.id ?? ('' as NonNullable<typeof account>['id'])));
        }}
      />
      {action.kind === 'send-email' ? (
        <EmailFields action={action} trigger={trigger} wrong={wrong} onChange={put} />
      ) : action.kind === 'send-sms' ? (
        <SmsFields action={action} trigger={trigger} wrong={wrong} onChange={put} />
      ) : action.kind === 'notify-slack' ? (
        <SlackFields action={action} trigger={trigger} wrong={wrong} onChange={put} />
      ) : (
        <AccountField
          kind="push-to-crm"
          value={action.credential_id}
          error={wrong('kind') ?? wrong('credential_id')}
          onChange={(credential_id) => put({ ...action, credential_id })}
        />
      )}
      <Tried trigger={trigger} action={action} />
    </fieldset>
  );
}

interface FieldsProps<One extends Action> {
  action: One;
  trigger: Trigger;
  wrong: (part: string) => string | undefined;
  onChange: (action: One) => void;
}

const peopleOf = (trigger: Trigger) =>
  isAboutBooking(trigger) || trigger === 'form-submitted' ? (['guest', 'host'] as const) : (['host'] as const);

function EmailFields({ action, trigger, wrong, onChange }: FieldsProps<Of<'send-email'>>) {
  const { t } = useTranslation();
  const people = [...peopleOf(trigger), ...(isAboutBooking(trigger) ? (['guests'] as const) : [])];
  const isAddress = !(people as readonly string[]).includes(action.to);
  const [isOther, setOther] = useState(isAddress);
  const texts = useTexts(action, trigger, wrong, onChange);
  return (
    <>
      <div className={styles.fields}>
        <SelectField
          label={t('workflows.step.to')}
          value={isOther ? 'address' : action.to}
          data={[
            ...people.map((one) => ({ value: one, label: t(`workflows.to.${one}`) })),
            { value: 'address', label: t('workflows.to.address') },
          ]}
          onChange={(event) => {
            const next = event.currentTarget.value;
            setOther(next === 'address');
            onChange({ ...action, to: next === 'address' ? '' : next });
          }}
        />
        {isOther ? (
          <AddressAgreement
            value={isAddress ? action.to : ''}
            error={wrong('to')}
            onChange={(to) => onChange({ ...action, to })}
          />
        ) : null}
        <TextField
          className={styles.whole}
          {...texts.field('subject')}
          label={t('workflows.step.subject')}
          required
          maxLength={200}
          value={action.subject}
          onChange={(event) => onChange({ ...action, subject: event.currentTarget.value })}
        />
        <TextArea
          className={styles.whole}
          {...texts.field('body')}
          label={t('workflows.step.body')}
          required
          rows={8}
          maxLength={4_000}
          value={action.body}
          onChange={(event) => onChange({ ...action, body: event.currentTarget.value })}
        />
      </div>
      <VariableList trigger={trigger} onInsert={texts.insert} />
      {isAboutBooking(trigger) ? (
        <Checkbox
          label={t('workflows.step.ics')}
          checked={action.ics}
          onChange={(event) => onChange({ ...action, ics: event.currentTarget.checked })}
        />
      ) : null}
    </>
  );
}

function SmsFields({ action, trigger, wrong, onChange }: FieldsProps<Of<'send-sms'>>) {
  const { t } = useTranslation();
  const people = peopleOf(trigger);
  const isNumber = !(people as readonly string[]).includes(action.to);
  const [isOther, setOther] = useState(isNumber);
  const texts = useTexts(action, trigger, wrong, onChange);
  return (
    <>
      <div className={styles.fields}>
        <AccountField
          kind="send-sms"
          value={action.credential_id}
          error={wrong('kind') ?? wrong('credential_id')}
          onChange={(credential_id) => onChange({ ...action, credential_id })}
        />
        <SelectField
          label={t('workflows.step.to')}
          value={isOther ? 'number' : action.to}
          data={[
            ...people.map((one) => ({ value: one, label: t(`workflows.to.${one}`) })),
            { value: 'number', label: t('workflows.to.number') },
          ]}
          onChange={(event) => {
            const next = event.currentTarget.value;
            setOther(next === 'number');
            onChange({ ...action, to: next === 'number' ? '+' : next });
          }}
        />
        {isOther ? (
          <TextField
            type="tel"
            label={t('workflows.step.number')}
            description={t('workflows.step.numberHint')}
            maxLength={16}
            value={isNumber ? action.to : ''}
            error={wrong('to')}
            onChange={(event) => onChange({ ...action, to: event.currentTarget.value.replaceAll(/[^+\d]/g, '') })}
          />
        ) : null}
        <TextArea
          className={styles.whole}
          {...texts.field('body')}
          label={t('workflows.step.body')}
          required
          rows={3}
          maxLength={640}
          value={action.body}
          onChange={(event) => onChange({ ...action, body: event.currentTarget.value })}
        />
      </div>
      <VariableList trigger={trigger} onInsert={texts.insert} />
    </>
  );
}

function SlackFields({ action, trigger, wrong, onChange }: FieldsProps<Of<'notify-slack'>>) {
  const { t } = useTranslation();
  const texts = useTexts(action, trigger, wrong, onChange);
  return (
    <>
      <div className={styles.fields}>
        <AccountField
          kind="notify-slack"
          value={action.credential_id}
          error={wrong('kind') ?? wrong('credential_id')}
          onChange={(credential_id) => onChange({ ...action, credential_id })}
        />
        <TextField
          label={t('workflows.step.channel')}
          description={t('workflows.step.channelHint')}
          placeholder="#bookings"
          maxLength={80}
          value={action.channel ?? ''}
          error={wrong('channel')}
          onChange={(event) => onChange({ ...action, channel: event.currentTarget.value.trim() || null })}
        />
        <TextArea
          className={styles.whole}
          {...texts.field('body')}
          label={t('workflows.step.body')}
          required
          rows={4}
          maxLength={3_000}
          value={action.body}
          onChange={(event) => onChange({ ...action, body: event.currentTarget.value })}
        />
      </div>
      <VariableList trigger={trigger} onInsert={texts.insert} />
    </>
  );
}

type Part = 'subject' | 'body';
type Texts = Partial<Record<Part, string>>;
type Typed = HTMLInputElement | HTMLTextAreaElement;

/** The fields that hold variables: which was typed into last, and what of them means nothing. */
function useTexts<One extends Action & Texts>(
  action: One,
  trigger: Trigger,
  wrong: (part: string) => string | undefined,
  onChange: (action: One) => void,
) {
  const { t } = useTranslation();
  const last = useRef<Part>('body');
  const fields = useRef<Partial<Record<Part, Typed | null>>>({});
  const unknown = (text: string) => {
    const [name] = unknownVariables(text, trigger);
    return name === undefined ? undefined : t('workflows.step.unknown', { name: `{${name}}` });
  };
  return {
    field: (part: Part) => ({
      ref: (field: Typed | null) => {
        fields.current[part] = field;
      },
      error: wrong(part) ?? unknown(action[part] ?? ''),
      onFocus: () => {
        last.current = part;
      },
    }),
    /** Where the cursor is, or was. */
    insert: (name: string) => {
      const field = fields.current[last.current];
      const text = action[last.current] ?? '';
      const at = field?.selectionStart ?? text.length;
      onChange({ ...action, [last.current]: `${text.slice(0, at)}{${name}}${text.slice(field?.selectionEnd ?? at)}` });
      field?.focus();
    },
  };
}

function VariableList({ trigger, onInsert }: { trigger: Trigger; onInsert: (name: string) => void }) {
  const { t } = useTranslation();
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{t('workflows.step.variables')}</legend>
      <div className={styles.variables}>
        {variablesFor(trigger).map(({ name }) => (
          <button key={name} type="button" className={styles.variable} onClick={() => onInsert(name)}>
            {`{${name}}`}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

/** How it reads with a real booking, and a button that sends it to its author. */
function Tried({ trigger, action }: { trigger: Trigger; action: Action }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const preview = usePreview({ trigger, action }).data;
  const test = useTestStep();
  const send = () =>
    test.mutate(
      { trigger, action },
      {
        onSuccess: ({ outcome, reason, to }) =>
          showToast({
            subject: 'step test',
            state: outcome === 'done' ? 'ok' : 'bad',
            message:
              outcome === 'done'
                ? to === null
                  ? t('workflows.step.testedThere')
                  : t('workflows.step.tested', { to })
                : t('workflows.step.testRefused', { reason: reason ?? '' }),
          }),
        onError: (error) => showToast({ subject: 'step test', state: 'bad', message: errorText(error) }),
      },
    );
  return (
    <>
      {preview?.body == null ? null : (
        <section className={styles.preview} aria-label={t('workflows.step.preview')}>
          <p className={styles.hint}>
            {preview.sample ? t('workflows.step.previewSample') : t('workflows.step.previewReal')}
          </p>
          {preview.subject === null ? null : <p className={styles.previewSubject}>{preview.subject}</p>}
          <p className={styles.previewBody}>{preview.body}</p>
        </section>
      )}
      <span className={styles.row}>
        <ActionButton
          type="button"
          variant="default"
          size="xs"
          pending={test.isPending}
          pendingLabel={t('workflows.step.testing')}
          onClick={send}
        >
          {t('workflows.step.test')}
        </ActionButton>
        <span className={styles.hint}>
          {action.kind === 'send-email' || action.kind === 'send-sms'
            ? t('workflows.step.testHint')
            : t('workflows.step.testHintReal')}
        </span>
      </span>
    </>
  );
}
