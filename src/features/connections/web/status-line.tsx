import { useTranslation } from 'react-i18next';
import { StateBadge } from '#ui/badge.tsx';
import { useRelativeTime } from '#ui/relative-time.tsx';
import type { State } from '#ui/state.ts';
import type { Account } from './queries.ts';

export type AccountCondition = 'disconnecting' | 'reconnect' | 'error' | 'syncing' | 'never' | 'synced';

export function conditionOf(account: Account): AccountCondition {
  if (account.disconnecting) return 'disconnecting';
  if (account.needsReconnect) return 'reconnect';
  if (account.status === 'error') return 'error';
  if (account.status === 'syncing') return 'syncing';
  return account.lastSyncedAt ? 'synced' : 'never';
}

const states: Record<AccountCondition, State> = {
  disconnecting: 'working',
  reconnect: 'bad',
  error: 'bad',
  syncing: 'working',
  never: 'idle',
  synced: 'ok',
};

/** 'Synced Just now', 'Synced 5m ago', 'Syncing...', 'Sync failed', 'Never synced', 'Needs reconnect'. */
export function StatusLine({ account }: { account: Account }) {
  const { t } = useTranslation();
  const relative = useRelativeTime();
  const condition = conditionOf(account);
  const texts: Record<AccountCondition, () => string> = {
    disconnecting: () => t('connections.status.disconnecting'),
    reconnect: () => t('connections.status.reconnect'),
    error: () => t('connections.status.failed'),
    syncing: () => t('connections.status.syncing'),
    never: () => t('connections.status.never'),
    synced: () => t('connections.status.synced', { ago: account.lastSyncedAt ? relative(account.lastSyncedAt) : '' }),
  };
  return (
    <span role="status">
      <StateBadge state={states[condition]}>{texts[condition]()}</StateBadge>
    </span>
  );
}
