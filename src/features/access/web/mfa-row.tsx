import { IconShieldLock } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { accessContract } from '#features/access/contract.ts';
import type { Output } from '#kernel/contract.ts';
import { StateBadge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { useNowMs } from '#ui/clock.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { formatDay } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { showToast } from '#ui/toasts.tsx';
import form from './frame/guest-form.module.css';
import { LinkButton } from './link-button.ts';
import { BackupCodes } from './pages/backup-codes.tsx';
import { useRenewBackupCodes, useTurnOffMfa } from './security-queries.ts';
import { SecurityRow } from './security-row.tsx';

/** The second factor: whether it is on, and what can be done about it. */
export function MfaRow({ mfa }: { mfa: Output<typeof accessContract.readMfa> }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const preferences = usePreferences();
  const currentMs = useNowMs();
  const renew = useRenewBackupCodes();
  const turnOff = useTurnOffMfa();
  const [asked, setAsked] = useState<'renew' | 'turn-off' | null>(null);
  const { enabledSince, backupCodesLeft, backupCodeCount } = mfa;
  const close = () => setAsked(null);
  const failed = (error: Error) => {
    close();
    showToast({ subject: 'mfa', state: 'bad', message: errorText(error) });
  };
  if (enabledSince === null) {
    return (
      <SecurityRow
        icon={IconShieldLock}
        title={t('security.mfa.title')}
        mark={<StateBadge state="idle">{t('security.mfa.off')}</StateBadge>}
        text={t('security.mfa.offText')}
        actions={
          <LinkButton variant="default" to="/mfa/enroll" search={{ from: '/profile/security' } as never}>
            {t('security.mfa.setUp')}
          </LinkButton>
        }
      />
    );
  }
  const since = formatDay(enabledSince.epochMilliseconds, preferences, currentMs);
  const left = { left: backupCodesLeft, count: backupCodeCount };
  return (
    <>
      <SecurityRow
        icon={IconShieldLock}
        title={t('security.mfa.title')}
        mark={
          backupCodesLeft < 3 ? (
            <StateBadge state="warn">{t('security.mfa.fewCodes')}</StateBadge>
          ) : (
            <StateBadge state="ok">{t('security.mfa.on')}</StateBadge>
          )
        }
        text={t('security.mfa.onText', { since, ...left })}
        many
        actions={
          <>
            <Button variant="default" onClick={() => setAsked('renew')}>
              {t('security.mfa.renew')}
            </Button>
            <Button variant="subtle" color="bad" onClick={() => setAsked('turn-off')}>
              {t('security.mfa.turnOff')}
            </Button>
          </>
        }
      />
      <ConfirmDialog
        opened={asked === 'renew'}
        title={t('security.mfa.renewTitle')}
        confirmLabel={t('security.mfa.renewAction')}
        pendingLabel={t('security.mfa.renewing')}
        pending={renew.isPending}
        onConfirm={() => renew.mutate(undefined, { onSuccess: close, onError: failed })}
        onClose={close}
      >
        <p>{t('security.mfa.renewText')}</p>
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked === 'turn-off'}
        title={t('security.mfa.turnOffTitle')}
        confirmLabel={t('security.mfa.turnOff')}
        pendingLabel={t('security.mfa.turningOff')}
        pending={turnOff.isPending}
        destructive
        onConfirm={() =>
          turnOff.mutate(undefined, {
            onSuccess: ({ message }) => {
              close();
              showToast({ subject: 'mfa', state: 'ok', message });
            },
            onError: failed,
          })
        }
        onClose={close}
      >
        <p>{t('security.mfa.turnOffText')}</p>
      </ConfirmDialog>
      {renew.data ? (
        <Dialog
          opened
          onClose={renew.reset}
          title={t('access.enroll.title.backup')}
          size="sm"
          actions={<Button onClick={renew.reset}>{t('security.done')}</Button>}
        >
          <div className={form.stack}>
            <p>{t('access.enroll.text.backup')}</p>
            <BackupCodes codes={renew.data.backupCodes} />
          </div>
        </Dialog>
      ) : null}
    </>
  );
}
