import { IconCalendar } from '@tabler/icons-react';
import { Link, Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Tag } from '#ui/badge.tsx';
import { AppFrame } from '#ui/frame/app-frame.tsx';
import { Logo } from '#ui/logo.tsx';
import { PreferencesProvider } from '#ui/preferences.tsx';
import { AccountCorner } from './account-corner.tsx';
import { HOME } from './guards.ts';
import { PageBars } from './page-bars.tsx';
import { SecurityNotice } from './security-notice.tsx';
import styles from './shell.module.css';
import { useSendPreferences } from './use-send-preferences.ts';
import { useServerPush } from './use-server-push.ts';
import { useSessionUser } from './use-session-user.ts';

/** The frame of the administrators' screens: theirs is a place apart from their own calendars. */
export function AdminShell() {
  const { t } = useTranslation();
  const session = useSessionUser();
  const changePreferences = useSendPreferences();
  useServerPush();
  if (!session) return null;
  return (
    <PreferencesProvider value={session.preferences} change={changePreferences}>
      <AppFrame
        skipLabel={t('shell.skip')}
        logo={
          <Link to="/admin" className={styles.home}>
            <Logo name={t('shell.product')} />
          </Link>
        }
        header={
          <>
            <Tag>{t('shell.admin.mark')}</Tag>
            <span className={styles.spring} />
            <Link to={HOME} className={styles.back} aria-label={t('shell.admin.leave')}>
              <IconCalendar size={18} stroke={1.6} aria-hidden />
              <span>{t('shell.admin.leave')}</span>
            </Link>
            <AccountCorner user={session.user} />
          </>
        }
        bar={
          <>
            <PageBars />
            <div className={styles.pageWide}>
              <SecurityNotice user={session.user} />
            </div>
          </>
        }
      >
        <Outlet />
      </AppFrame>
    </PreferencesProvider>
  );
}
