import { useTranslation } from 'react-i18next';
import styles from './dashboard-page.module.css';

/** The cards as they will stand, before their figures. */
export function DashboardSkeleton() {
  const { t } = useTranslation();
  const block = (key: string, height: number) => (
    <div key={key} className={`${styles.block} ${styles.card}`} style={{ minHeight: height }} />
  );
  return (
    <div className={styles.grid} role="status" aria-label={t('analytics.loading')}>
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
