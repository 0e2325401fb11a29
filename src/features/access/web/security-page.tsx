import { useTranslation } from 'react-i18next';
import { Page } from '#ui/page.tsx';
import { PageTabs } from '#ui/page-tabs.tsx';
import { AccountLogPanel } from './account-log-panel.tsx';
import { FeedsPanel } from './feeds-panel.tsx';
import { PasskeysPanel } from './passkeys/passkeys-panel.tsx';
import { IdentitiesPanel } from './providers/identities-panel.tsx';
import { LinkingOutcome } from './providers/linking-outcome.tsx';
import { SessionsPanel } from './sessions-panel.tsx';
import { SignInMethodsPanel } from './sign-in-methods-panel.tsx';
import { TabLink } from './tab-link.ts';

/** How somebody comes in, where they are in, and what happened to their account. */
export function SecurityPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('security.title')} width="narrow">
      <PageTabs label={t('shell.account.label')}>
        <TabLink to="/profile" activeOptions={{ exact: true }}>
          {t('shell.account.profile')}
        </TabLink>
        <TabLink to="/profile/security">{t('shell.account.security')}</TabLink>
      </PageTabs>
      <LinkingOutcome />
      <SignInMethodsPanel />
      <IdentitiesPanel />
      <PasskeysPanel />
      <SessionsPanel />
      <FeedsPanel />
      <AccountLogPanel />
    </Page>
  );
}
