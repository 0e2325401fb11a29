import { IconDots } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createLink, Link, Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AppFrame } from '#ui/app-frame.tsx';
import { Logo } from '#ui/logo.tsx';
import { BottomNavItem, NavItem } from '#ui/nav-item.tsx';
import { type Preferences, PreferencesProvider } from '#ui/preferences.tsx';
import { AvatarButton } from './avatar-button.tsx';
import { HOME } from './guards.ts';
import { OfflineBar } from './offline-bar.tsx';
import { bottomSections, sections } from './sections.ts';
import { type SessionUser, sessionQuery } from './session.ts';
import styles from './shell.module.css';
import { SyncSummary } from './sync-summary.tsx';
import { ThemeToggle } from './theme-toggle.tsx';
import { useServerPush } from './use-server-push.ts';

const SectionLink = createLink(NavItem);
const BottomSectionLink = createLink(BottomNavItem);
// Both are opened by a press, and a first visit does not pay for them.
const loadAccountMenu = async () => ({ default: (await import('./account-menu.tsx')).AccountMenu });
const AccountMenu = lazy(loadAccountMenu);
const MoreSheet = lazy(async () => ({ default: (await import('./more-sheet.tsx')).MoreSheet }));

function preferencesOf(user: SessionUser): Preferences {
  const { timezone, locale, timeFormat, dateFormat, weekStart } = user;
  return { zone: timezone, locale, timeFormat, dateFormat, weekStart };
}

/** The frame of every signed-in screen. */
export function Shell() {
  const { t } = useTranslation();
  const { data: user } = useQuery(sessionQuery);
  const [moreOpened, setMoreOpened] = useState(false);
  const preferences = useMemo(() => (user ? preferencesOf(user) : null), [user]);
  useServerPush();
  // Signing out clears the session a moment before the route changes.
  if (!user || !preferences) return null;

  return (
    <PreferencesProvider value={preferences}>
      <AppFrame
        skipLabel={t('shell.skip')}
        navLabel={t('shell.navigation')}
        logo={
          <Link to={HOME} className={styles.home}>
            <Logo name={t('shell.product')} />
          </Link>
        }
        nav={sections.map((section) => (
          <SectionLink key={section.path} to={section.path} icon={section.icon} label={t(section.label)} />
        ))}
        bottomBar={
          <>
            {sections
              .filter((section) => bottomSections.includes(section.path))
              .map((section) => (
                <BottomSectionLink key={section.path} to={section.path} icon={section.icon} label={t(section.label)} />
              ))}
            <button type="button" className={styles.more} onClick={() => setMoreOpened(true)}>
              <IconDots size={22} stroke={1.6} aria-hidden />
              <span>{t('shell.more')}</span>
            </button>
          </>
        }
        header={
          <>
            <SyncSummary />
            <span className={styles.gap} />
            <ThemeToggle />
            <AccountCorner user={user} />
          </>
        }
        bar={<OfflineBar />}
      >
        <Outlet />
      </AppFrame>
      {moreOpened ? (
        <Suspense>
          <MoreSheet onClose={() => setMoreOpened(false)} />
        </Suspense>
      ) : null}
    </PreferencesProvider>
  );
}

function AccountCorner({ user }: { user: SessionUser }) {
  const [wanted, setWanted] = useState(false);
  const preload = () => void loadAccountMenu();
  const avatar = (
    <AvatarButton user={user} onPointerEnter={preload} onFocus={preload} onClick={() => setWanted(true)} />
  );
  if (!wanted) return avatar;
  return (
    <Suspense fallback={avatar}>
      <AccountMenu user={user} />
    </Suspense>
  );
}
