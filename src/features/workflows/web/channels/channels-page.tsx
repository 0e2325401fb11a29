import { IconPlus } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { Page, Panel } from '#ui/page.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import styles from './channels-page.module.css';
import { CredentialRow } from './credential-row.tsx';
import { NumbersPanel } from './numbers-panel.tsx';
import { useCredentials } from './queries.ts';

const ConnectDialog = lazy(async () => ({ default: (await import('./connect-dialog.tsx')).ConnectDialog }));

/** Accounts that workflows send through, and the numbers whose owners agreed to text messages. */
export function ChannelsPage() {
  const { t } = useTranslation();
  // null until it is first wanted: its code comes with the first click
  const [connecting, setConnecting] = useState<boolean | null>(null);
  const { data, error, refetch } = useCredentials();
  const isEmpty = data?.credentials.length === 0;
  const connect = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setConnecting(true)}>
      {t('channels.connect')}
    </Button>
  );
  return (
    <Page title={t('channels.title')} subtitle={t('channels.subtitle')} actions={data && !isEmpty ? connect : null}>
      {error && !data ? (
        <ErrorState title={t('channels.loadFailed')} error={error} onRetry={() => void refetch()} />
      ) : null}
      {!data && !error ? <SkeletonRows rows={3} label={t('channels.loading')} /> : null}
      {isEmpty ? (
        <EmptyState art="mail" title={t('channels.empty.title')} text={t('channels.empty.text')} action={connect} />
      ) : null}
      {data && !isEmpty ? (
        <Panel flush>
          <ul className={styles.list} aria-label={t('channels.accounts')}>
            {data.credentials.map((credential) => (
              <CredentialRow key={credential.id} credential={credential} />
            ))}
          </ul>
        </Panel>
      ) : null}
      {data ? <NumbersPanel /> : null}
      <Suspense>
        {connecting === null ? null : (
          <ConnectDialog opened={connecting} simulated={data?.simulated ?? []} onClose={() => setConnecting(false)} />
        )}
      </Suspense>
    </Page>
  );
}
