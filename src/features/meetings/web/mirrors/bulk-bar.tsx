import { IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { mostResyncs } from '#features/meetings/contract.ts';
import { ActionButton, Button } from '#ui/button.tsx';
import type { ConsolePage } from '../queries.ts';
import styles from './bulk-bar.module.css';
import type { Repairs } from './use-repairs.ts';

/** Actions on the chosen rows. */
export function BulkBar({ eventIds, repairs, onClear }: { eventIds: string[]; repairs: Repairs; onClear: () => void }) {
  const { t } = useTranslation();
  const tooMany = eventIds.length > mostResyncs;
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('meetings.bulk.label')}>
      <span className="hf-num">
        {tooMany
          ? t('meetings.bulk.tooMany', { most: mostResyncs })
          : t('meetings.bulk.chosen', { count: eventIds.length })}
      </span>
      <ActionButton
        type="button"
        size="xs"
        leftSection={<IconRefresh size={15} aria-hidden />}
        pending={repairs.pending || tooMany}
        pendingLabel={repairs.pending ? t('meetings.repair.pending') : t('meetings.details.resync')}
        onClick={() => {
          repairs.resyncMany(eventIds);
          onClear();
        }}
      >
        {t('meetings.details.resync')}
      </ActionButton>
      <Button variant="subtle" size="xs" onClick={onClear}>
        {t('meetings.bulk.clear')}
      </Button>
    </div>
  );
}

/** How far the last bulk resync is, for the rows on screen. */
export function BulkProgress({ page, repairs }: { page: ConsolePage; repairs: Repairs }) {
  const { t } = useTranslation();
  const watched = new Set(repairs.watched);
  const states = [
    ...[...page.upcoming, ...page.past]
      .filter((row) => watched.has(row.item_id))
      .map(({ mirrorHealth: { pending, failed } }) => (pending > 0 ? 'pending' : failed > 0 ? 'failed' : 'created')),
    ...page.mirrors.filter((row) => watched.has(row.event_id)).map((row) => row.status),
  ];
  if (watched.size === 0 || states.length === 0) return null;
  const count = (state: string) => states.filter((one) => one === state).length;
  const [pending, failed] = [count('pending'), count('failed')];
  const done = states.length - pending;
  return (
    <div className={styles.bar} role="status">
      <span>
        {pending > 0
          ? t('meetings.bulk.progress', { done, total: states.length })
          : failed > 0
            ? t('meetings.bulk.endedBadly', { count: failed, total: states.length })
            : t('meetings.bulk.ended', { count: states.length })}
      </span>
      <Button variant="subtle" size="xs" onClick={repairs.forget}>
        {t('meetings.close')}
      </Button>
    </div>
  );
}
