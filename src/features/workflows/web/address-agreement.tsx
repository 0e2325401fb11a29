import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '#ui/button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { TextField } from '#ui/text-field.tsx';
import { useAskAddress, useConfirmAddress } from './queries.ts';
import styles from './workflow-editor.module.css';

/** An address that is neither host nor guest: its reader agrees with a code that is mailed there. */
export function AddressAgreement({
  value,
  error,
  onChange,
}: {
  value: string;
  error: string | undefined;
  onChange: (address: string) => void;
}) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const ask = useAskAddress();
  const confirm = useConfirmAddress();
  const [code, setCode] = useState('');
  const agreed = confirm.isSuccess || ask.data?.confirmed === true;
  const isAsked = ask.isSuccess && !agreed;
  const failed = ask.error ?? confirm.error;
  const shownError = failed === null ? (agreed ? undefined : error) : errorText(failed);
  return (
    <div className={styles.group}>
      <TextField
        type="email"
        label={t('workflows.address.label')}
        description={agreed ? t('workflows.address.agreed') : t('workflows.address.hint')}
        maxLength={254}
        required
        value={value}
        error={isAsked ? undefined : shownError}
        onChange={(event) => {
          ask.reset();
          confirm.reset();
          onChange(event.currentTarget.value.trim());
        }}
      />
      {isAsked ? (
        <TextField
          label={t('workflows.address.code')}
          description={t('workflows.address.sent', { address: value })}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          value={code}
          error={shownError}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
      ) : null}
      {agreed ? null : (
        <span>
          {isAsked ? (
            <ActionButton
              type="button"
              variant="default"
              size="xs"
              pending={confirm.isPending}
              pendingLabel={t('workflows.saving')}
              onClick={() => confirm.mutate({ address: value, code })}
            >
              {t('workflows.address.confirm')}
            </ActionButton>
          ) : (
            <ActionButton
              type="button"
              variant="default"
              size="xs"
              disabled={!value.includes('@')}
              pending={ask.isPending}
              pendingLabel={t('workflows.address.sending')}
              onClick={() => ask.mutate(value)}
            >
              {t('workflows.address.send')}
            </ActionButton>
          )}
        </span>
      )}
    </div>
  );
}
