import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '#ui/button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { PasswordField } from '#ui/password-field.tsx';
import { forgetRefusal } from '#ui/refusal.tsx';
import { showToast } from '#ui/toasts.tsx';
import { type Account, useReconnect } from './queries.ts';
import styles from './reconnect-form.module.css';

/** A new password for an account whose old one no longer works; everything else is kept. */
export function ReconnectForm({ account }: { account: Account }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const reconnect = useReconnect();
  const [password, setPassword] = useState('');
  return (
    <form
      onInput={forgetRefusal(reconnect)}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        reconnect.mutate(
          { params: { accountId: account.accountId }, body: { password } },
          {
            onSuccess: () =>
              showToast({
                subject: `account ${account.accountId}`,
                state: 'ok',
                message: t('connections.reconnect.done', { account: account.email }),
              }),
          },
        );
      }}
    >
      <PasswordField
        className={styles.field}
        label={t('connections.reconnect.password')}
        autoComplete="off"
        required
        withAsterisk={false}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={reconnect.error ? errorText(reconnect.error) : null}
        visibilityToggleButtonProps={{ 'aria-label': t('connections.form.showPassword') }}
      />
      <ActionButton pending={reconnect.isPending} pendingLabel={t('connections.reconnect.pending')}>
        {t('connections.reconnect.action')}
      </ActionButton>
    </form>
  );
}
