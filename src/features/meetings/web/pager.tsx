import { useTranslation } from 'react-i18next';
import { LinkButton } from './link-button.ts';
import styles from './pager.module.css';

/** Previous and next, as links that keep the filters. */
export function Pager({ page, pages, matching }: { page: number; pages: number; matching: number }) {
  const { t } = useTranslation();
  const to = (target: number) => (previous: Record<string, unknown>) => ({ ...previous, page: target });
  return (
    <nav className={styles.pager} aria-label={t('meetings.pager.label')}>
      {page > 1 ? (
        <LinkButton to="." search={to(page - 1)} variant="default" size="xs">
          {t('meetings.pager.previous')}
        </LinkButton>
      ) : null}
      <span className="hf-num">
        {t('meetings.pager.rows', { count: matching })}
        {pages > 1 ? ` · ${t('meetings.pager.position', { page, pages })}` : null}
      </span>
      {page < pages ? (
        <LinkButton to="." search={to(page + 1)} variant="default" size="xs">
          {t('meetings.pager.next')}
        </LinkButton>
      ) : null}
    </nav>
  );
}
