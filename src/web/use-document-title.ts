import { useMatches, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { MAIN_ID } from '#ui/frame/app-frame.tsx';
import { focusPageTitle } from '#ui/page-title.ts';
import { useUnreadCount } from './unread-count.ts';

/** Names the page in the tab, and after a change of page puts the focus on its heading. */
export function useDocumentTitle(): void {
  const { t } = useTranslation();
  const router = useRouter();
  const matches = useMatches();
  const unread = useUnreadCount();
  // the routes that lead to a missing page have titles of their own; the router has no public word for an unknown address
  const isMissing = matches.some(({ status, _notFound }) => status === 'notFound' || _notFound === true);
  const title = isMissing
    ? 'shell.notFound.title'
    : matches.findLast((match) => match.staticData.title)?.staticData.title;

  useEffect(() => {
    const name = title ? t('shell.documentTitle', { page: t(title) }) : t('shell.product');
    document.title = unread > 0 ? `(${unread}) ${name}` : name;
  }, [title, unread, t]);

  useEffect(() => {
    const screen = () => router.state.matches.at(-1)?.routeId;
    let before = screen();
    return router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      const isSame = before === screen();
      before = screen();
      if (!fromLocation || !pathChanged) return;
      // a tab of a screen that has addresses for each keeps the focus
      if (isSame && document.activeElement !== document.body) return;
      if (!focusPageTitle()) document.getElementById(MAIN_ID)?.focus({ preventScroll: true });
    });
  }, [router]);
}
