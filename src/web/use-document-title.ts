import { useMatches, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { MAIN_ID } from '#ui/app-frame.tsx';
import { focusPageTitle } from '#ui/page-title.ts';

/** Names the page in the tab, and after a change of page puts the focus on its heading. */
export function useDocumentTitle(): void {
  const { t } = useTranslation();
  const router = useRouter();
  const matches = useMatches();
  const title = matches.findLast((match) => match.staticData.title)?.staticData.title;

  useEffect(() => {
    document.title = title ? t('shell.documentTitle', { page: t(title) }) : t('shell.product');
  }, [title, t]);

  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (!fromLocation || !pathChanged) return;
        if (!focusPageTitle()) document.getElementById(MAIN_ID)?.focus({ preventScroll: true });
      }),
    [router],
  );
}
