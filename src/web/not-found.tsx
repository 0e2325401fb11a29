import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '#ui/empty-state.tsx';
import { Logo } from '#ui/logo.tsx';
import styles from './not-found.module.css';
import { Shell } from './shell.tsx';
import { useSessionUser } from './use-session-user.ts';

/** No page is at this address: within the frame for somebody who is signed in, else below the logo. */
export function NotFound() {
  const { t } = useTranslation();
  const session = useSessionUser();
  const missing = (
    <EmptyState
      art="missing"
      title={t('shell.notFound.title')}
      text={t('shell.notFound.text')}
      link={
        session ? <Link to="/calendar">{t('shell.goToCalendar')}</Link> : <Link to="/">{t('shell.goToStart')}</Link>
      }
    />
  );
  if (session) return <Shell>{missing}</Shell>;
  return (
    <main>
      <Link to="/" className={styles.home}>
        <Logo name={t('shell.product')} />
      </Link>
      {missing}
    </main>
  );
}
