import { IconDots } from '@tabler/icons-react';
import { createLink, Link, Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AppFrame } from '#ui/app-frame.tsx';
import { Logo } from '#ui/logo.tsx';
import { BottomNavItem, NavItem } from '#ui/nav-item.tsx';
import { PreferencesProvider } from '#ui/preferences.tsx';
import { AccountCorner } from './account-corner.tsx';
import { HOME } from './guards.ts';
import { loadWords } from './i18n.ts';
import { OfflineBar } from './offline-bar.tsx';
import { bottomSections, sections } from './sections.ts';
import { SecurityNotice } from './security-notice.tsx';
import styles from './shell.module.css';
import { SyncSummary } from './sync-summary.tsx';
import { ThemeToggle } from './theme-toggle.tsx';
import { useServerPush } from './use-server-push.ts';
import { useSessionUser } from './use-session-user.ts';
import { useShellShortcuts } from './use-shell-shortcuts.ts';

const SectionLink = createLink(NavItem);
const BottomSectionLink = createLink(BottomNavItem);
// Opened by a press, and a first visit does not pay for them.
const MoreSheet = lazy(async () => ({ default: (await import('./more-sheet.tsx')).MoreSheet }));
const KeyboardSheet = lazy(async () => {
  const [sheet] = await Promise.all([import('./keyboard-sheet.tsx'), loadWords('keyboard')]);
  return { default: sheet.KeyboardSheet };
});

/** The frame of every signed-in screen. */
export function Shell() {
  const { t } = useTranslation();
  const session = useSessionUser();
  const [opened, setOpened] = useState<'more' | 'keyboard' | null>(null);
  const close = () => setOpened(null);
  useServerPush();
  useShellShortcuts({ onKeyboardSheet: () => setOpened('keyboard') });
  if (!session) return null;
  const { user, preferences } = session;

  return (
    <PreferencesProvider value={preferences}>
      <AppFrame
        skipLabel={t('shell.skip')}
        logo={
          <Link to={HOME} className={styles.home}>
            <Logo name={t('shell.product')} />
          </Link>
        }
        nav={{
          label: t('shell.navigation'),
          sidebar: sections.map((section) => (
            <SectionLink key={section.path} to={section.path} icon={section.icon} label={t(section.label)} />
          )),
          bottomBar: (
            <>
              {sections
                .filter((section) => bottomSections.includes(section.path))
                .map((section) => (
                  <BottomSectionLink
                    key={section.path}
                    to={section.path}
                    icon={section.icon}
                    label={t(section.label)}
                  />
                ))}
              <button type="button" className={styles.more} onClick={() => setOpened('more')}>
                <IconDots size={22} stroke={1.6} aria-hidden />
                <span>{t('shell.more')}</span>
              </button>
            </>
          ),
        }}
        header={
          <>
            <SyncSummary />
            <span className={styles.gap} />
            <ThemeToggle />
            <AccountCorner user={user} />
          </>
        }
        bar={
          <>
            <OfflineBar />
            <SecurityNotice user={user} />
          </>
        }
      >
        <Outlet />
      </AppFrame>
      {opened === null ? null : (
        <Suspense>{opened === 'more' ? <MoreSheet onClose={close} /> : <KeyboardSheet onClose={close} />}</Suspense>
      )}
    </PreferencesProvider>
  );
}
