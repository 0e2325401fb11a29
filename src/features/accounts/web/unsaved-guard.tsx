import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { isLeavingApp } from '#ui/leave-app.ts';
import { LeaveDialog } from '#ui/leave-dialog.tsx';

/**
 * Asks before a page with unsaved changes is left, by link, Back, reload or a closed tab. Signing out is not asked about:
 * nothing can be saved any more by then.
 */
export function UnsavedGuard({ dirty }: { dirty: boolean }) {
  const { t } = useTranslation();
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => next.pathname !== current.pathname,
    enableBeforeUnload: () => dirty && !isLeavingApp(),
    disabled: !dirty,
    withResolver: true,
  });
  return (
    <LeaveDialog
      opened={leaving.status === 'blocked'}
      words={{
        title: t('accounts.unsaved.title'),
        text: t('accounts.unsaved.text'),
        leave: t('accounts.unsaved.leave'),
        stay: t('accounts.unsaved.stay'),
      }}
      onLeave={() => leaving.proceed?.()}
      onStay={() => leaving.reset?.()}
    />
  );
}
