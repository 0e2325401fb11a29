import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type CredentialKind, newCredentialShape } from '#features/workflows/rules/credential.ts';
import { ApiError } from '#kernel/contract-client.ts';
import { Banner } from '#ui/banner.tsx';
import { ActionButton, Button } from '#ui/button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { useForm } from '#ui/form.ts';
import { PasswordField } from '#ui/password-field.tsx';
import { forgetRefusal } from '#ui/refusal.tsx';
import { SelectField, TextField } from '#ui/text-field.tsx';
import styles from './channels-page.module.css';
import { useConnect } from './queries.ts';

const fieldsOf = {
  twilio: ['account_sid', 'auth_token', 'sender', 'country', 'monthly_cap'],
  'sms-webhook': ['label', 'url', 'country', 'monthly_cap'],
  'slack-webhook': ['label', 'url'],
  'slack-bot': ['token', 'channel'],
  'crm-webhook': ['label', 'url'],
  hubspot: ['token'],
} as const satisfies Record<CredentialKind, readonly string[]>;
type Field = (typeof fieldsOf)[CredentialKind][number];

const secrets: readonly Field[] = ['auth_token', 'token'];
/** A Slack address is a secret: it alone allows posting. */
const isSecret = (kind: CredentialKind, field: Field) =>
  secrets.includes(field) || (kind === 'slack-webhook' && field === 'url');

const initial: Record<Field, string> = {
  account_sid: '',
  auth_token: '',
  sender: '',
  country: '',
  monthly_cap: '500',
  label: '',
  url: '',
  token: '',
  channel: '',
};

/** The settings of a service. A refusal is shown at the field that can fix it. */
export function ConnectForm({
  kind,
  onBack,
  onConnected,
}: {
  kind: CredentialKind;
  onBack: () => void;
  onConnected: (label: string, signing: string | null) => void;
}) {
  const { t, i18n } = useTranslation();
  const errorText = useErrorText();
  const connect = useConnect();
  const fields: readonly Field[] = fieldsOf[kind];
  const form = useForm<Record<Field, string>>({ mode: 'controlled', initialValues: initial });

  const submit = form.onSubmit((values) => {
    const parsed = newCredentialShape.safeParse({
      kind,
      ...Object.fromEntries(fields.map((field) => [field, wireOf(field, values[field])])),
    });
    if (!parsed.success) {
      for (const { path } of parsed.error.issues) {
        const field = path[0] as Field;
        form.setFieldError(
          field,
          values[field].trim() === '' ? t('channels.form.required') : t(`channels.wrong.${field}`),
        );
      }
      return;
    }
    connect.mutate(parsed.data, {
      onSuccess: ({ credential, signing_secret: signing }) => onConnected(credential.label, signing),
      onError: (error) => {
        const named = error instanceof ApiError ? Object.entries(error.fields ?? {}) : [];
        for (const [field, message] of named) form.setFieldError(field, message);
      },
    });
  });

  const element = useRef<HTMLFormElement>(null);
  // The button that led here is gone, and with it the focus.
  useEffect(() => element.current?.querySelector('input')?.focus(), []);

  const general = connect.error && Object.keys(form.errors).length === 0 ? connect.error : null;
  return (
    <form ref={element} className={styles.form} onSubmit={submit} onInput={forgetRefusal(connect)} noValidate>
      <p className={styles.hint}>{t(`channels.help.${kind}`)}</p>
      {general ? (
        <Banner state="bad" role="alert" title={t('channels.form.failed')}>
          {errorText(general)}
        </Banner>
      ) : null}
      {fields.map((field) => {
        const label = t(`channels.field.${field}`);
        const props = form.getInputProps(field);
        if (field === 'country') {
          return (
            <SelectField
              key={field}
              label={label}
              description={t('channels.form.countryHint')}
              data={[{ value: '', label: t('channels.form.noCountry') }, ...listCountries(i18n.language)]}
              {...props}
            />
          );
        }
        if (isSecret(kind, field)) {
          return (
            <PasswordField
              key={field}
              label={label}
              required
              autoComplete="off"
              visibilityToggleButtonProps={{ 'aria-label': t('channels.form.show', { label }) }}
              {...props}
            />
          );
        }
        return (
          <TextField
            key={field}
            label={label}
            required={field !== 'channel'}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            inputMode={field === 'url' ? 'url' : field === 'monthly_cap' ? 'numeric' : 'text'}
            description={field === 'channel' ? t('channels.form.channelHint') : undefined}
            placeholder={placeholders[field]}
            {...props}
          />
        );
      })}
      <div className={styles.actions}>
        <Button variant="default" onClick={onBack}>
          {t('channels.form.back')}
        </Button>
        <ActionButton pending={connect.isPending} pendingLabel={t('channels.form.pending')}>
          {t('channels.form.submit')}
        </ActionButton>
      </div>
    </form>
  );
}

const placeholders: Partial<Record<Field, string>> = {
  account_sid: 'AC…',
  sender: '+14155550100',
  url: 'https://',
  channel: 'C0123ABCD',
};

function wireOf(field: Field, value: string): string | number | null {
  if (field === 'monthly_cap') return /^\d+$/.test(value.trim()) ? Number(value) : value;
  return value.trim() === '' && (field === 'country' || field === 'channel') ? null : value;
}

/** Every country that has a name in the reader's language. */
function listCountries(language: string): { value: string; label: string }[] {
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
  const { compare } = new Intl.Collator(language);
  const letters = Array.from({ length: 26 }, (_, n) => String.fromCodePoint(65 + n));
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .flatMap((value) => {
      const label = names.of(value);
      return label === undefined || /^(ZZ|X.|EU|EZ|UN|QO)$/.test(value) ? [] : [{ value, label }];
    })
    .toSorted((one, other) => compare(one.label, other.label));
}
