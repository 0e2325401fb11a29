import { useMatches, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { MAIN_ID } from '#ui/app-frame.tsx';
import { focusPageTitle } from '#ui/page-title.ts';
import { useUnreadCount } from './unread-count.ts';

/** Names the page in the tab, and after a change of page puts the focus on its heading. */
export function useDocumentTitle(): void {
  const { t } = useTranslation();
  const router = useRouter();
  const matches = useMatches();
  const unread = useUnreadCount();
  const title = matches.findLast((match) => match.staticData.title)?.staticData.title;

  useEffect(() => {
    const name = title ? t('shell.documentTitle', { page: t(title) }) : t('shell.product');
    document.title = unread > 0 ? `(${unread}) ${name}` : name;
  }, [title, unread, t]);

  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (!fromLocation || !pathChanged) return;
        if (!focusPageTitle()) document.getElementById(MAIN_ID)?.focus({ preventScroll: true });
      }),
    [router],
  );
}
