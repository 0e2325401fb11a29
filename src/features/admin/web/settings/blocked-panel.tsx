import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readAddressEntry } from '#features/accounts/rules/address-list.ts';
import { Button } from '#ui/button.tsx';
import { Panel } from '#ui/page.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { showToast } from '#ui/toasts.tsx';
import { ReasonDialog } from '../reason-dialog.tsx';
import { useChangeInstallSettings } from './queries.ts';
import styles from './settings-panels.module.css';

/** Addresses and domains that can book nowhere on this install. */
export function BlockedPanel({ blocked }: { blocked: readonly string[] }) {
  const { t } = useTranslation();
  const change = useChangeInstallSettings();
  const [typed, setTyped] = useState(blocked.join('\n'));
  const [isAsking, setAsking] = useState(false);
  const lines = typed.split('\n').map((line) => line.trim());
  const named = lines.filter((line) => line !== '');
  const wrong = named.filter((line) => readAddressEntry(line) === null);
  const isChanged = named.join('\n') !== blocked.join('\n');
  return (
    <Panel title={t('adminSettings.blocked.title')} text={t('adminSettings.blocked.text')}>
      <div className={styles.form}>
        <TextArea
          label={t('adminSettings.blocked.list')}
          description={t('adminSettings.blocked.listText')}
          minRows={3}
          value={typed}
          error={wrong.length === 0 ? undefined : t('adminSettings.signUp.notAll', { lines: wrong.join(', ') })}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <div className={styles.actions}>
          <Button
            disabled={!isChanged || wrong.length > 0 || named.length > 500}
            onClick={() => {
              change.reset();
              setAsking(true);
            }}
          >
            {t('adminSettings.blocked.save')}
          </Button>
        </div>
      </div>
      {isAsking ? (
        <ReasonDialog
          opened
          title={t('adminSettings.blocked.question')}
          confirmLabel={t('adminSettings.blocked.save')}
          pending={change.isPending}
          error={change.error}
          onClose={() => setAsking(false)}
          onConfirm={(reason) =>
            change.mutate(
              { blockedGuests: named, reason },
              {
                onSuccess: () => {
                  setAsking(false);
                  showToast({ subject: 'blocked', state: 'ok', message: t('adminSettings.blocked.changed') });
                },
              },
            )
          }
        />
      ) : null}
    </Panel>
  );
}
