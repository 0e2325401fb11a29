import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { ActionButton, Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { leaveApp } from '#ui/leave-app.ts';
import { forgetRefusal } from '#ui/refusal.tsx';
import { TextField } from '#ui/text-field.tsx';
import styles from './leaving-panel.module.css';
import { useDeleteAccount } from './queries.ts';

/** Cannot be undone, so that the address is typed. */
export function DeleteAccountDialog({
  email,
  opened,
  onClose,
}: {
  email: string;
  opened: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const remove = useDeleteAccount();
  const [typed, setTyped] = useState('');
  const isRight = typed.trim().toLowerCase() === email.toLowerCase();
  const leave = () => {
    queryClient.clear();
    void leaveApp('/login');
  };
  return (
    <Dialog opened={opened} onClose={onClose} title={t('accounts.leaving.question')} size="sm">
      <form
        onInput={forgetRefusal(remove)}
        onSubmit={(event) => {
          event.preventDefault();
          if (isRight) remove.mutate(typed, { onSuccess: leave });
        }}
        className={styles.form}
      >
        <p>{t('accounts.leaving.what')}</p>
        {remove.error ? (
          <Banner state="bad" role="alert" title={t('accounts.leaving.failed')}>
            {errorText(remove.error)}
          </Banner>
        ) : null}
        <TextField
          label={t('accounts.leaving.typeEmail', { email })}
          autoComplete="off"
          inputMode="email"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <div className={styles.actions}>
          <Button variant="default" onClick={onClose}>
            {t('accounts.leaving.keep')}
          </Button>
          <ActionButton
            color="bad"
            disabled={!isRight}
            pending={remove.isPending}
            pendingLabel={t('accounts.leaving.pending')}
          >
            {t('accounts.leaving.confirm')}
          </ActionButton>
        </div>
      </form>
    </Dialog>
  );
}
