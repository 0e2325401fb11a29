import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { isLeavingApp } from '#ui/leave-app.ts';
import { LeaveDialog } from '#ui/leave-dialog.tsx';

/**
 * Asks before a form with changes is left: by its cross, by a link, by Back, by a closed tab. `asked`: its own buttons
 * want to close it.
 */
export function DiscardGuard({
  dirty,
  asked,
  onStay,
  onDiscard,
}: {
  dirty: boolean;
  asked: boolean;
  onStay: () => void;
  onDiscard: () => void;
}) {
  const { t } = useTranslation();
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => next.pathname !== current.pathname,
    enableBeforeUnload: () => dirty && !isLeavingApp(),
    disabled: !dirty,
    withResolver: true,
  });
  return (
    <LeaveDialog
      opened={asked || leaving.status === 'blocked'}
      words={{
        title: t('editor.discard.title'),
        text: t('editor.discard.text'),
        leave: t('editor.discard.leave'),
        stay: t('editor.discard.stay'),
      }}
      onLeave={() => {
        onDiscard();
        leaving.proceed?.();
      }}
      onStay={() => {
        leaving.reset?.();
        onStay();
      }}
    />
  );
}
