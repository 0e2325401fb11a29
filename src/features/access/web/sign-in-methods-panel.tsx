import { IconKey, IconMail } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { Panel } from '#ui/page.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { MfaRow } from './mfa-row.tsx';
import { useProofs } from './proof-queries.ts';
import { useMailTroubles, useMfa, useOwnProfile } from './security-queries.ts';
import { SecurityRow, SecurityRows } from './security-row.tsx';

// fields are loaded only for a change
const ChangePasswordDialog = lazy(async () => ({
  default: (await import('./change-password-dialog.tsx')).ChangePasswordDialog,
}));
const ChangeEmailDialog = lazy(async () => ({
  default: (await import('./change-email-dialog.tsx')).ChangeEmailDialog,
}));

/** Password, address and second factor. */
export function SignInMethodsPanel() {
  const { t } = useTranslation();
  const profile = useOwnProfile();
  const proofs = useProofs();
  const mfa = useMfa();
  const [mailTrouble] = useMailTroubles().data?.troubles ?? [];
  const [changing, setChanging] = useState<'password' | 'email' | null>(null);
  const close = () => setChanging(null);
  const error = profile.error ?? proofs.error ?? mfa.error;
  const retry = () => void Promise.all([profile.refetch(), proofs.refetch(), mfa.refetch()]);
  if (!profile.data || !proofs.data || !mfa.data) {
    return (
      <Panel title={t('security.waysIn.title')}>
        {error ? (
          <ErrorState title={t('security.waysIn.loadFailed')} error={error} onRetry={retry} />
        ) : (
          <SkeletonRows rows={3} label={t('shell.loading')} />
        )}
      </Panel>
    );
  }
  const hasPassword = proofs.data.password;
  const troubleText = mailTrouble && t(`security.email.trouble.${mailTrouble.state}`, { to: mailTrouble.to });
  return (
    <Panel title={t('security.waysIn.title')} flush>
      <SecurityRows>
        <SecurityRow
          icon={IconKey}
          title={t('access.password')}
          text={hasPassword ? t('security.password.text') : t('security.password.none')}
          actions={
            <Button variant="default" onClick={() => setChanging('password')}>
              {hasPassword ? t('security.password.change') : t('security.password.choose')}
            </Button>
          }
        />
        <SecurityRow
          icon={IconMail}
          title={t('security.email.label')}
          text={profile.data.email}
          note={mailTrouble?.state === 'delayed' ? troubleText : null}
          problem={mailTrouble?.state === 'delayed' ? null : troubleText}
          actions={
            <Button variant="default" onClick={() => setChanging('email')}>
              {t('security.email.change')}
            </Button>
          }
        />
        <MfaRow mfa={mfa.data} />
      </SecurityRows>
      <Suspense>
        {changing === 'password' ? (
          <ChangePasswordDialog mayHaveKeys={profile.data.role === 'admin'} onClose={close} />
        ) : null}
        {changing === 'email' ? <ChangeEmailDialog current={profile.data.email} onClose={close} /> : null}
      </Suspense>
    </Panel>
  );
}
