import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { Page, Panel } from '#ui/page.tsx';
import { focusPageTitle } from '#ui/page-title.ts';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { AccountCard } from './account-card.tsx';
import { ConnectDialog } from './connect-dialog.tsx';
import { LinkButton } from './link-button.ts';
import { useAccountCalendars, useAccounts } from './queries.ts';

export function IntegrationsPage() {
  const { t } = useTranslation();
  const [connecting, setConnecting] = useState(false);
  const accounts = useAccounts();
  const calendars = useAccountCalendars();
  const failed = accounts.error ?? calendars.error;
  const shown = accounts.data && calendars.data;
  const empty = shown && accounts.data.accounts.length === 0;
  const connect = () => setConnecting(true);
  const wasEmpty = useRef(empty);
  useEffect(() => {
    // The button of the empty state goes with it.
    if (wasEmpty.current && !empty && document.activeElement === document.body) focusPageTitle();
    wasEmpty.current = empty;
  }, [empty]);

  return (
    <Page
      title={t('connections.title')}
      subtitle={t('connections.subtitle')}
      actions={shown && !empty ? <Button onClick={connect}>{t('connections.connectAccount')}</Button> : null}
    >
      {!shown && failed ? (
        <Panel>
          <ErrorState
            title={t('connections.loadFailed')}
            error={failed}
            onRetry={() => {
              void accounts.refetch();
              void calendars.refetch();
            }}
          />
        </Panel>
      ) : null}
      {!shown && !failed ? (
        <Panel flush>
          <SkeletonRows rows={4} label={t('connections.loading')} />
        </Panel>
      ) : null}
      {empty ? (
        <Panel>
          <EmptyState
            art="calendars"
            title={t('connections.empty.title')}
            text={t('connections.empty.text')}
            action={<Button onClick={connect}>{t('connections.empty.action')}</Button>}
          />
        </Panel>
      ) : null}
      {shown && !empty ? (
        <>
          <Banner
            state="info"
            title={t('connections.how.title')}
            actions={
              <LinkButton to="/integrations/mirrors" variant="default" size="xs">
                {t('connections.how.settings')}
              </LinkButton>
            }
          >
            {t('connections.how.text')}
          </Banner>
          <h2 className="hf-sr-only">{t('connections.accounts')}</h2>
          {accounts.data.accounts.map((account) => (
            <AccountCard
              key={account.accountId}
              account={account}
              calendars={calendars.data.calendars.filter((calendar) => calendar.accountId === account.accountId)}
            />
          ))}
        </>
      ) : null}
      <ConnectDialog opened={connecting} onClose={() => setConnecting(false)} />
    </Page>
  );
}
