import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorState } from '#ui/error-state.tsx';
import { Page, Panel } from '#ui/page.tsx';
import { PageTabs } from '#ui/page-tabs.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { AppearancePanel } from './appearance-panel.tsx';
import { DevicesPanel } from './devices-panel.tsx';
import { LeavingPanel } from './leaving-panel.tsx';
import { PreferencesForm } from './preferences-form.tsx';
import { ProfileForm } from './profile-form.tsx';
import { useProfile } from './queries.ts';
import { TabLink } from './tab-link.ts';
import { UnsavedGuard } from './unsaved-guard.tsx';

export function ProfilePage() {
  const { t } = useTranslation();
  const profile = useProfile();
  const [profileDirty, setProfileDirty] = useState(false);
  const [preferencesDirty, setPreferencesDirty] = useState(false);
  return (
    <Page title={t('accounts.profile.title')} width="narrow">
      <PageTabs label={t('shell.account.label')}>
        <TabLink to="/profile" activeOptions={{ exact: true }}>
          {t('shell.account.profile')}
        </TabLink>
        <TabLink to="/profile/security">{t('shell.account.security')}</TabLink>
      </PageTabs>
      {profile.data ? (
        <>
          <ProfileForm profile={profile.data} onDirty={setProfileDirty} />
          <PreferencesForm profile={profile.data} onDirty={setPreferencesDirty} />
          <DevicesPanel />
          <AppearancePanel />
          <LeavingPanel email={profile.data.email} />
          <UnsavedGuard dirty={profileDirty || preferencesDirty} />
        </>
      ) : (
        <Panel>
          {profile.error ? (
            <ErrorState
              title={t('accounts.profile.loadFailed')}
              error={profile.error}
              onRetry={() => void profile.refetch()}
            />
          ) : (
            <SkeletonRows rows={4} label={t('shell.loading')} />
          )}
        </Panel>
      )}
    </Page>
  );
}
