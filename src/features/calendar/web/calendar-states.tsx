import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#kernel/contract-client.ts';
import { Button } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { keepTitleFocus } from '#ui/page-title.ts';
import styles from './calendar-page.module.css';

/** Nothing connected yet: what this is, and the one way on. */
export function NoCalendars() {
  const { t } = useTranslation();
  return (
    <div className={styles.state}>
      <h1 className="hf-sr-only" ref={keepTitleFocus} tabIndex={-1} data-page-title>
        {t('calendar.title')}
      </h1>
      <EmptyState
        art="calendars"
        title={t('notices.empty.title')}
        text={t('notices.empty.text')}
        action={
          <Link to="/integrations" hash="connect" className={styles.action}>
            {t('notices.empty.action')}
          </Link>
        }
      />
    </div>
  );
}

export function CalendarsFailed({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <div className={styles.state} role="alert">
      <h1 className="hf-sr-only" ref={keepTitleFocus} tabIndex={-1} data-page-title>
        {t('calendar.title')}
      </h1>
      <EmptyState
        art="missing"
        title={t('notices.failed.title')}
        text={t('notices.failed.text')}
        action={<Button onClick={() => window.location.reload()}>{t('notices.failed.action')}</Button>}
        link={requestId === undefined ? undefined : <code>{requestId}</code>}
      />
    </div>
  );
}
