import { useTranslation } from 'react-i18next';
import { ApiError } from '#kernel/contract-client.ts';
import { Banner } from '#ui/banner.tsx';
import { ErrorState, useErrorText } from '#ui/error-state.tsx';
import { Panel } from '#ui/page.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { Switch } from '#ui/switch.tsx';
import { showToast } from '#ui/toasts.tsx';
import { useChangeInstallSettings, useInstallSettings } from './queries.ts';

/** What the operator decides for the whole install. */
export function SettingsSection() {
  const { t } = useTranslation();
  const settings = useInstallSettings();
  const needsMfa = settings.error instanceof ApiError && settings.error.code === 'MFA_NEEDED';
  return (
    <Panel title={t('admin.settings.security')}>
      {settings.data ? (
        <EnforceMfa enforced={settings.data.requireAdminMfa} />
      ) : needsMfa ? (
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
  const errorText = useErrorText();
  const change = useChangeInstallSettings();
  // What was chosen shows at once; a refusal puts it back.
  const shown = change.isPending ? (change.variables.requireAdminMfa ?? enforced) : enforced;
  return (
    <Switch
      label={t('admin.settings.enforceMfa')}
      description={t('admin.settings.enforceMfaText')}
      checked={shown}
      onChange={(event) => {
        if (change.isPending) return;
        const requireAdminMfa = event.currentTarget.checked;
        change.mutate(
          { requireAdminMfa },
          {
            onSuccess: () => {
              const message = t(requireAdminMfa ? 'admin.settings.mfaEnforced' : 'admin.settings.mfaNotEnforced');
              showToast({ subject: 'install settings', state: 'ok', message });
            },
            onError: (error) => showToast({ subject: 'install settings', state: 'bad', message: errorText(error) }),
          },
        );
      }}
    />
  );
}
