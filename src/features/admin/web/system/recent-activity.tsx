import { useTranslation } from 'react-i18next';
import { Panel } from '#ui/page.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { SectionState } from '../section-state.tsx';
import styles from './overview-section.module.css';
import { useRecentActs } from './system-queries.ts';

/** The latest actions of administrators and the install. */
export function RecentActivity() {
  const { t } = useTranslation();
  const query = useRecentActs();
  return (
    <SectionState query={query} failed={t('adminOverview.recentFailed')}>
      {(entries) => (
        <Panel title={t('adminOverview.recent')} text={t('adminOverview.recentText')}>
          {entries.length === 0 ? (
            <p className={styles.note}>{t('adminOverview.noRecent')}</p>
          ) : (
            <ul className={styles.rows} aria-label={t('adminOverview.recent')}>
              {entries.map(({ id, actionType, actor, reason, timestamp }) => (
                <li key={id}>
                  <span className={styles.ends}>
                    <strong>{t(`audit.action.${actionType}`)}</strong>
                    <span className={styles.note}>
                      <RelativeTime at={timestamp} />
                    </span>
                  </span>
                  <span className={styles.note}>
                    {actor ?? t('adminOverview.system')}
                    {reason === null ? '' : ` · ${reason}`}
                  </span>
                </li>
              ))}
            </ul>
          )}
        </Panel>
      )}
    </SectionState>
  );
}
