import { IconExternalLink } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { ActionButton, Button } from '#ui/button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { useForm } from '#ui/form.ts';
import { PasswordField } from '#ui/password-field.tsx';
import { providerName } from '#ui/provider-mark.tsx';
import { forgetRefusal, Refusal } from '#ui/refusal.tsx';
import { TextField } from '#ui/text-field.tsx';
import { showToast } from '#ui/toasts.tsx';
import styles from './connect-form.module.css';
import { fieldOfError } from './field-of-error.ts';
import { type ProviderCard, useConnectCaldav } from './queries.ts';

/** Address, user and password of a CalDAV account; a refusal is shown at the field that can mend it. */
export function ConnectForm({
  card,
  onBack,
  onConnected,
}: {
  card: ProviderCard;
  onBack: () => void;
  onConnected: () => void;
}) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const connect = useConnectCaldav();
  const asksForUrl = card.urlLabel !== null;
  const required = (value: string) => (value.trim() === '' ? t('connections.form.required') : null);
  const form = useForm({
    mode: 'controlled',
    initialValues: { url: card.url ?? '', username: '', password: '' },
    validate: {
      url: required,
      username: required,
      password: (value) => (value ? null : t('connections.form.required')),
    },
    validateInputOnBlur: true,
  });

  const submit = form.onSubmit((values) =>
    connect.mutate(
      { profile: card.profile, ...values },
      {
        onSuccess: () => {
          showToast({
            subject: 'connect',
            state: 'ok',
            message: t('connections.connected', {
              provider: providerName(card.profile === 'generic' ? 'caldav' : card.profile),
            }),
          });
          onConnected();
        },
        onError: (error) => {
          const field = fieldOfError(error);
          if (field && (field !== 'url' || asksForUrl)) form.setFieldError(field, errorText(error));
        },
      },
    ),
  );

  const fields = useRef<HTMLFormElement>(null);
  // The button that led here is gone, and with it the focus.
  useEffect(() => fields.current?.querySelector('input')?.focus(), []);

  const general = connect.error && Object.keys(form.errors).length === 0 ? connect.error : null;
  return (
    <form ref={fields} className={styles.form} onSubmit={submit} onInput={forgetRefusal(connect)} noValidate>
      <div className={styles.help}>
        <p>{card.help}</p>
        {card.helpUrl ? (
          <a href={card.helpUrl} target="_blank" rel="noreferrer">
            {t('connections.form.helpLink')} <IconExternalLink size={13} aria-hidden />
          </a>
        ) : null}
      </div>
      {general ? (
        <Banner state="bad" role="alert" title={t('connections.form.failed')}>
          <Refusal error={general} />
        </Banner>
      ) : null}
      {asksForUrl ? (
        <TextField
          label={card.urlLabel}
          required
          autoComplete="url"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="url"
          {...form.getInputProps('url')}
        />
      ) : null}
      <TextField
        label={card.usernameLabel}
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...form.getInputProps('username')}
      />
      <PasswordField
        label={card.passwordLabel}
        required
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': t('connections.form.showPassword') }}
        {...form.getInputProps('password')}
      />
      <div className={styles.actions}>
        <Button variant="default" onClick={onBack}>
          {t('connections.form.back')}
        </Button>
        <ActionButton pending={connect.isPending} pendingLabel={t('connections.form.pending')}>
          {t('connections.form.submit')}
        </ActionButton>
      </div>
    </form>
  );
}
