import { useTranslation } from 'react-i18next';
import styles from './dashboard-page.module.css';

/** Places of today and this week. */
export function TodayGhost() {
  return (
    <>
      <div className={`${styles.block} ${styles.wide}`} style={{ minHeight: 340 }} />
      <div className={`${styles.block} ${styles.side}`} style={{ minHeight: 340 }} />
    </>
  );
}

/** The cards as they will stand, before their figures. */
export function DashboardSkeleton() {
  const { t } = useTranslation();
  const block = (key: string, height: number) => (
    <div key={key} className={`${styles.block} ${styles.card}`} style={{ minHeight: height }} />
  );
  return (
    <div className={styles.grid} role="status" aria-label={t('analytics.loading')}>
      <TodayGhost />
      {['a', 'b', 'c', 'd'].map((key) => block(key, 122))}
      <div className={styles.wide}>
        <div className={styles.block} style={{ minHeight: 444 }}>
          <p className={styles.loading}>{t('analytics.trends.loading')}</p>
        </div>
      </div>
      <div className={styles.side}>{block('sources', 444)}</div>
      <div className={styles.wide}>{block('slots', 640)}</div>
      <div className={styles.side}>
        {block('health', 330)}
        {block('conflicts', 294)}
      </div>
    </div>
  );
}
