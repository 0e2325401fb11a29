import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { MirrorRow } from './queries.ts';

/** To the origin, in its week. */
export function OriginLink({ row }: { row: MirrorRow }) {
  const { t } = useTranslation();
  if (row.date === null) return null;
  return (
    <Link to="/calendar" search={{ day: row.date, event: row.origin_event_id }}>
      {t('meetings.details.viewOrigin')}
    </Link>
  );
}
