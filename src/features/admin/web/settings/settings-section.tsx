import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#kernel/contract-client.ts';
import { Banner } from '#ui/banner.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { Panel } from '#ui/page.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { Switch } from '#ui/switch.tsx';
import { showToast } from '#ui/toasts.tsx';
import { ReasonDialog } from '../reason-dialog.tsx';
import { BlockedPanel } from './blocked-panel.tsx';
import { BrandingPanel } from './branding-panel.tsx';
import { FlagsPanel } from './flags-panel.tsx';
import { KeysPanel } from './keys-panel.tsx';
import { LogsPanel } from './logs-panel.tsx';
import { useChangeInstallSettings, useInstallSettings } from './queries.ts';
import styles from './settings-panels.module.css';
import { SignUpPanel } from './sign-up-panel.tsx';

/** Settings of the whole install. */
export function SettingsSection() {
  const { t } = useTranslation();
  const settings = useInstallSettings();
  const needsMfa = settings.error instanceof ApiError && settings.error.code === 'MFA_NEEDED';
  if (settings.data) {
    const { requireAdminMfa, signUp, signUpAllowed, blockedGuests } = settings.data;
    return (
      <div className={styles.panels}>
        <Panel title={t('admin.settings.security')}>
          <EnforceMfa enforced={requireAdminMfa} />
        </Panel>
        <SignUpPanel key={`${signUp} ${signUpAllowed.join(' ')}`} policy={signUp} allowed={signUpAllowed} />
        <BlockedPanel key={`blocked ${blockedGuests.join(' ')}`} blocked={blockedGuests} />
        <BrandingPanel />
        <KeysPanel />
        <FlagsPanel />
        <LogsPanel />
      </div>
    );
  }
  return (
    <Panel title={t('admin.settings.security')}>
      {needsMfa ? (
        <Banner state="info">{t('admin.settings.mfaNeeded')}</Banner>
      ) : settings.error ? (
        <ErrorState
          title={t('admin.settings.loadFailed')}
          error={settings.error}
          onRetry={() => void settings.refetch()}
        />
      ) : (
        <SkeletonRows rows={1} label={t('shell.loading')} />
      )}
    </Panel>
  );
}

function EnforceMfa({ enforced }: { enforced: boolean }) {
  const { t } = useTranslation();
  const change = useChangeInstallSettings();
  const [wanted, setWanted] = useState<boolean | null>(null);
  const say = (key: 'enforceQuestion' | 'relaxQuestion' | 'enforce' | 'relax') => t(`admin.settings.${key}`);
  return (
    <>
      <Switch
        label={t('admin.settings.enforceMfa')}
        description={t('admin.settings.enforceMfaText')}
        checked={enforced}
        onChange={(event) => {
          change.reset();
          setWanted(event.currentTarget.checked);
        }}
      />
      {wanted === null ? null : (
        <ReasonDialog
          opened
          title={say(wanted ? 'enforceQuestion' : 'relaxQuestion')}
          confirmLabel={say(wanted ? 'enforce' : 'relax')}
          pending={change.isPending}
          error={change.error}
          onClose={() => setWanted(null)}
          onConfirm={(reason) =>
            change.mutate(
              { requireAdminMfa: wanted, reason },
              {
                onSuccess: () => {
                  setWanted(null);
                  const message = t(wanted ? 'admin.settings.mfaEnforced' : 'admin.settings.mfaNotEnforced');
                  showToast({ subject: 'install settings', state: 'ok', message });
                },
              },
            )
          }
        />
      )}
    </>
  );
}
