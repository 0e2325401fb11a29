import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { calendarContract } from '#features/calendar/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { StateBadge } from '#ui/badge.tsx';
import { useIsCurrent } from '#ui/live-connection.ts';
import styles from './shell.module.css';

const api = createClient(calendarContract);

/** In the header where not every calendar is up to date: how many are, with the way to where it is mended. Unknown without a network. */
export function SyncSummary() {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: ['calendar', 'calendars'],
    queryFn: ({ signal }) => api.listCalendars({}, { signal }),
  });
  const isCurrent = useIsCurrent();
  const total = data?.calendars.length ?? 0;
  if (!data || total === 0 || !isCurrent) return null;
  const synced = data.calendars.filter((calendar) => calendar.status === 'ok').length;
  if (synced === total) return null;
  const failing = data.calendars.some((calendar) => calendar.status === 'error');
  return (
    <Link to="/integrations" className={styles.sync}>
      <StateBadge state={failing ? 'warn' : 'working'}>
        <span className={styles.syncWords}>{t('shell.someSynced', { synced, total })}</span>
      </StateBadge>
    </Link>
  );
}
