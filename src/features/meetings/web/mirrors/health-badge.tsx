import { useTranslation } from 'react-i18next';
import { StateBadge } from '#ui/badge.tsx';
import type { MeetingRow } from '../queries.ts';

/** failed, else pending, else `created/total synced`, else that nothing mirrors it. */
export function HealthBadge({ health }: { health: MeetingRow['mirrorHealth'] }) {
  const { t } = useTranslation();
  const { total, created, pending, failed } = health;
  if (failed > 0) return <StateBadge state="bad">{t('meetings.health.failed', { count: failed })}</StateBadge>;
  if (pending > 0) return <StateBadge state="pending">{t('meetings.health.pending', { count: pending })}</StateBadge>;
  if (total === 0) return <StateBadge state="idle">{t('meetings.health.none')}</StateBadge>;
  return <StateBadge state="ok">{t('meetings.health.synced', { created, total })}</StateBadge>;
}
