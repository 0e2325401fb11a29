import { type FormEvent, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { accessContract } from '#features/access/contract.ts';
import { errorCodeOf } from '#kernel/contract-client.ts';
import { ActionButton, Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { showToast } from '#ui/toasts.tsx';
import form from './guest-form.module.css';
import { NewPasswordFields, useNewPassword } from './new-password.tsx';
import { Refusal } from './refusal.tsx';
import { useChangePassword } from './security-queries.ts';

export function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const change = useChangePassword();
  const entry = useNewPassword();
  const id = useId();
  const weak = errorCodeOf(accessContract.changePassword, change.error) === 'WEAK_PASSWORD';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (change.isPending || !entry.agrees()) return;
    change.mutate(entry.password, {
      onSuccess: ({ message }) => {
        showToast({ subject: 'password', state: 'ok', message });
        onClose();
      },
    });
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('security.password.title')}
      size="sm"
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <ActionButton form={id} pending={change.isPending} pendingLabel={t('security.saving')}>
            {t('security.password.action')}
          </ActionButton>
        </>
      }
    >
      <form id={id} className={form.form} onSubmit={submit}>
        {change.error && !weak ? <Refusal>{errorText(change.error)}</Refusal> : null}
        <p>{t('security.password.about')}</p>
        <NewPasswordFields
          entry={entry}
          label={t('security.password.label')}
          weak={weak && change.error ? change.error.message : null}
        />
      </form>
    </Dialog>
  );
}
