import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readAddressEntry } from '#features/accounts/rules/address-list.ts';
import type { SignUpPolicy } from '#features/accounts/rules/sign-up.ts';
import { Button } from '#ui/button.tsx';
import { Panel } from '#ui/page.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { SelectField } from '#ui/text-field.tsx';
import { showToast } from '#ui/toasts.tsx';
import { ReasonDialog } from '../reason-dialog.tsx';
import { useChangeInstallSettings } from './queries.ts';
import styles from './settings-panels.module.css';

/** The setting for sign-ups. */
export function SignUpPanel({ policy, allowed }: { policy: SignUpPolicy; allowed: readonly string[] }) {
  const { t } = useTranslation();
  const change = useChangeInstallSettings();
  const [chosen, setChosen] = useState<SignUpPolicy>(policy);
  const [typed, setTyped] = useState(allowed.join('\n'));
  const [isAsking, setAsking] = useState(false);
  const lines = typed.split('\n').map((line) => line.trim());
  const named = lines.filter((line) => line !== '');
  const wrong = named.filter((line) => readAddressEntry(line) === null);
  const isChanged = chosen !== policy || named.join('\n') !== allowed.join('\n');
  return (
    <Panel title={t('adminSettings.signUp.title')} text={t('adminSettings.signUp.text')}>
      <div className={styles.form}>
        <SelectField
          label={t('adminSettings.signUp.policy')}
          value={chosen}
          data={[
            { value: 'open', label: t('adminSettings.signUp.open') },
            { value: 'invited', label: t('adminSettings.signUp.invited') },
            { value: 'closed', label: t('adminSettings.signUp.closed') },
          ]}
          onChange={(event) => setChosen(event.currentTarget.value as SignUpPolicy)}
        />
        {chosen === 'invited' ? (
          <TextArea
            label={t('adminSettings.signUp.allowed')}
            description={t('adminSettings.signUp.allowedText')}
            minRows={3}
            value={typed}
            error={wrong.length === 0 ? undefined : t('adminSettings.signUp.notAll', { lines: wrong.join(', ') })}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        ) : null}
        <div className={styles.actions}>
          <Button
            disabled={!isChanged || (chosen === 'invited' && wrong.length > 0) || named.length > 200}
            onClick={() => setAsking(true)}
          >
            {t('adminSettings.signUp.save')}
          </Button>
        </div>
      </div>
      {isAsking ? (
        <ReasonDialog
          opened
          title={t('adminSettings.signUp.question')}
          confirmLabel={t('adminSettings.signUp.save')}
          pending={change.isPending}
          error={change.error}
          onClose={() => setAsking(false)}
          onConfirm={(reason) =>
            change.mutate(
              { signUp: chosen, ...(chosen === 'invited' ? { signUpAllowed: named } : {}), reason },
              {
                onSuccess: () => {
                  setAsking(false);
                  showToast({ subject: 'sign-up', state: 'ok', message: t('adminSettings.signUp.changed') });
                },
              },
            )
          }
        />
      ) : null}
    </Panel>
  );
}
