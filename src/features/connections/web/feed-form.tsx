import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { ActionButton, Button } from '#ui/button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { useForm } from '#ui/form.ts';
import { forgetRefusal, Refusal } from '#ui/refusal.tsx';
import { TextField } from '#ui/text-field.tsx';
import { showToast } from '#ui/toasts.tsx';
import styles from './connect-form.module.css';
import { fieldOfError } from './field-of-error.ts';
import { useConnectFeed } from './queries.ts';

/** The address of a published calendar; a refusal is shown at it. */
export function FeedForm({ onBack, onConnected }: { onBack: () => void; onConnected: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const connect = useConnectFeed();
  const form = useForm({
    mode: 'controlled',
    initialValues: { url: '' },
    validate: { url: (value) => (value.trim() === '' ? t('connections.form.required') : null) },
    validateInputOnBlur: true,
  });
  const submit = form.onSubmit(({ url }) =>
    connect.mutate(url, {
      onSuccess: ({ account }) => {
        showToast({
          subject: 'connect',
          state: 'ok',
          message: t('connections.connected', { provider: account.email }),
        });
        onConnected();
      },
      onError: (error) => {
        if (fieldOfError(error) === 'url') form.setFieldError('url', errorText(error));
      },
    }),
  );
  const fields = useRef<HTMLFormElement>(null);
  // The button that led here is gone, and with it the focus.
  useEffect(() => fields.current?.querySelector('input')?.focus(), []);
  const general = connect.error && Object.keys(form.errors).length === 0 ? connect.error : null;
  return (
    <form ref={fields} className={styles.form} onSubmit={submit} onInput={forgetRefusal(connect)} noValidate>
      <div className={styles.help}>
        <p>{t('connections.feed.help')}</p>
      </div>
      {general ? (
        <Banner state="bad" role="alert" title={t('connections.form.failed')}>
          <Refusal error={general} />
        </Banner>
      ) : null}
      <TextField
        label={t('connections.feed.address')}
        placeholder="webcal://"
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        inputMode="url"
        {...form.getInputProps('url')}
      />
      <div className={styles.actions}>
        <Button variant="default" onClick={onBack}>
          {t('connections.form.back')}
        </Button>
        <ActionButton pending={connect.isPending} pendingLabel={t('connections.form.pending')}>
          {t('connections.feed.submit')}
        </ActionButton>
      </div>
    </form>
  );
}
