import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { accessContract } from '#features/access/contract.ts';
import { errorCodeOf } from '#kernel/contract-client.ts';
import { Checkbox } from '#ui/choice.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { forgetRefusal } from '#ui/refusal.tsx';
import { showToast } from '#ui/toasts.tsx';
import { FormDialog } from './form-dialog.tsx';
import { NewPasswordFields, useNewPassword } from './pages/new-password.tsx';
import { useChangePassword, useFeeds } from './security-queries.ts';

/** Only administrators make API keys. */
export function ChangePasswordDialog({ mayHaveKeys, onClose }: { mayHaveKeys: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const change = useChangePassword();
  const entry = useNewPassword();
  const [endKeys, setEndKeys] = useState(false);
  const hasFeeds = (useFeeds().data?.feeds.length ?? 0) > 0;
  const weak = errorCodeOf(accessContract.changePassword, change.error) === 'WEAK_PASSWORD';
  const submit = () => {
    if (!entry.agrees()) return;
    change.mutate(
      { new_password: entry.password(), ...(mayHaveKeys || hasFeeds ? { end_keys: endKeys } : {}) },
      {
        onSuccess: ({ message }) => {
          showToast({ subject: 'password', state: 'ok', message });
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title={t('security.password.title')}
      action={t('security.password.action')}
      pending={change.isPending}
      pendingLabel={t('security.saving')}
      refused={change.error && !weak ? errorText(change.error) : null}
      onSubmit={submit}
      onInput={forgetRefusal(change)}
      onClose={onClose}
    >
      <p>{t('security.password.about')}</p>
      <NewPasswordFields
        t={(key, values) => t(key, { ...values })}
        entry={entry}
        label={t('security.password.label')}
        weak={weak && change.error ? change.error.message : null}
      />
      {mayHaveKeys || hasFeeds ? (
        <Checkbox
          label={t(mayHaveKeys ? 'security.password.endKeys' : 'security.password.endFeeds')}
          checked={endKeys}
          onChange={(event) => setEndKeys(event.currentTarget.checked)}
        />
      ) : null}
    </FormDialog>
  );
}
