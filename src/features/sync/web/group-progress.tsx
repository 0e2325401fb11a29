import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { mirrorsAnything } from '#features/sync/rules/mirrors-anything.ts';
import { StateBadge } from '#ui/badge.tsx';
import { ProgressBar } from '#ui/progress-bar.tsx';
import styles from './group-progress.module.css';
import type { Group } from './queries.ts';

/** How far the blocks of a group are; while an initial mirror runs, a bar that fills. */
export function GroupProgress({ group }: { group: Group }) {
  const { t } = useTranslation();
  const { total, created, pending, failed } = group.counts;
  if (!group.enabled) return <StateBadge state="idle">{t('sync.progress.off')}</StateBadge>;
  if (!mirrorsAnything(group.members)) return <StateBadge state="idle">{t('sync.progress.alone')}</StateBadge>;
  if (total === 0) return <StateBadge state="idle">{t('sync.progress.nothing')}</StateBadge>;
  return (
    <span className={styles.progress}>
      {pending > 0 ? (
        <>
          <StateBadge state="pending">{t('sync.progress.pending', { created, total })}</StateBadge>
          <ProgressBar label={t('sync.progress.label')} value={created} max={total} />
        </>
      ) : (
        <StateBadge state={failed > 0 ? 'warn' : 'ok'}>{t('sync.progress.synced', { created, total })}</StateBadge>
      )}
      {failed > 0 ? (
        <Link to="/meetings" search={{ status: 'failed' }}>
          {t('sync.progress.failed', { count: failed })}
        </Link>
      ) : null}
      <Link to="/calendar">{t('sync.progress.calendar')}</Link>
    </span>
  );
}
