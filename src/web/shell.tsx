import { createLink, Link, Outlet } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadNewTypeDialog } from '#features/booking/web/screens.ts';
import { loadHoldDialog } from '#features/holds/web/screens.ts';
import { loadExplainPanel } from '#features/meetings/web/screens.ts';
import { Desk } from '#ui/desk.tsx';
import { ExplainDesk } from '#ui/explain.ts';
import { AppFrame } from '#ui/frame/app-frame.tsx';
import { HeaderSlot } from '#ui/frame/header-slot.tsx';
import { HoldDesk } from '#ui/hold-desk.ts';
import { Logo } from '#ui/logo.tsx';
import { NavItem, NavToggle } from '#ui/nav-item.tsx';
import { PreferencesProvider } from '#ui/preferences.tsx';
import { TypeDesk } from '#ui/type-desk.ts';
import { AccountCorner } from './account-corner.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { HOME } from './guards.ts';
import { HelpLink } from './help-link.tsx';
import { loadWords } from './i18n.ts';
import { InboxBell } from './inbox-bell.tsx';
import { PageBars } from './page-bars.tsx';
import { SearchBox } from './palette/search-box.tsx';
import { sections } from './sections.ts';
import { SecurityNotice } from './security-notice.tsx';
import styles from './shell.module.css';
import { loadInbox, loadPalette, type ShellPanel, ShellPanels } from './shell-panels.tsx';
import { useDropOAuthReturn } from './use-drop-oauth-return.ts';
import { useNavRail } from './use-nav-rail.ts';
import { useSendPreferences } from './use-send-preferences.ts';
import { useServerPush } from './use-server-push.ts';
import { useSessionUser } from './use-session-user.ts';
import { useShellShortcuts } from './use-shell-shortcuts.ts';

// Seen only while something is wrong.
const SyncSummary = lazy(async () => ({ default: (await import('./sync-summary.tsx')).SyncSummary }));

const SectionLink = createLink(NavItem);

const withWords =
  <Dialog,>(load: () => Promise<Dialog>, area: string) =>
  async () => {
    const [dialog] = await Promise.all([load(), loadWords(area)]);
    return dialog;
  };
const loadExplainPanelWithWords = withWords(loadExplainPanel, 'explain');
const loadHoldDialogWithWords = withWords(loadHoldDialog, 'holds');
const loadTypeDialogWithWords = withWords(loadNewTypeDialog, 'booking');

/** The frame of every signed-in screen. */
export function Shell({ children = <Outlet /> }: { children?: ReactNode }) {
  const { t } = useTranslation();
  const session = useSessionUser();
  const changePreferences = useSendPreferences();
  const [opened, setOpened] = useState<ShellPanel | null>(null);
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  useServerPush();
  useDropOAuthReturn();
  const rail = useNavRail();
  const railLabel = rail.isRail ? t('shell.expandNavigation') : t('shell.collapseNavigation');
  useShellShortcuts({
    palette: () => setOpened('palette'),
    keyboardSheet: () => setOpened('keyboard'),
    navigation: rail.toggle,
  });
  if (!session) return null;
  const { user, preferences } = session;

  return (
    <PreferencesProvider value={preferences} change={changePreferences}>
      <AppFrame
        skipLabel={t('shell.skip')}
        logo={
          <Link to={HOME} className={styles.home}>
            <Logo name={t('shell.product')} />
          </Link>
        }
        nav={{
          label: t('shell.navigation'),
          sidebar: (
            <>
              {sections.map((section) => (
                <SectionLink
                  key={section.path}
                  to={section.path}
                  icon={section.icon}
                  label={t(section.label)}
                  data-starts={section.startsGroup}
                />
              ))}
              <NavToggle label={railLabel} isRail={rail.isRail} onClick={rail.toggle} />
            </>
          ),
          isRail: rail.isRail,
          bottomBar: <BottomBar onMore={() => setOpened('more')} />,
        }}
        header={
          <>
            <div ref={setSlot} className={styles.slot} />
            <SearchBox onOpen={() => setOpened('palette')} onNear={() => void loadPalette()} />
            <span className={styles.gap} />
            <Suspense>
              <SyncSummary />
            </Suspense>
            <span className={styles.wide}>
              <HelpLink />
            </span>
            <InboxBell onOpen={() => setOpened('inbox')} onNear={() => void loadInbox()} />
            <AccountCorner user={user} />
          </>
        }
        bar={
          <>
            <PageBars />
            <SecurityNotice user={user} />
          </>
        }
      >
        <Desk context={ExplainDesk} loadDialog={loadExplainPanelWithWords}>
          <Desk context={HoldDesk} loadDialog={loadHoldDialogWithWords}>
            <Desk context={TypeDesk} loadDialog={loadTypeDialogWithWords}>
              <HeaderSlot value={slot}>{children}</HeaderSlot>
            </Desk>
          </Desk>
        </Desk>
      </AppFrame>
      <ShellPanels opened={opened} userId={user.user_id} onOpen={setOpened} />
    </PreferencesProvider>
  );
}
