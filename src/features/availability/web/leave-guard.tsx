import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { isLeavingApp } from '#ui/leave-app.ts';

/** Asks before hours that are not saved are left, by a link, Back, or a closed tab. */
export function LeaveGuard({ dirty }: { dirty: boolean }) {
  const { t } = useTranslation();
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => next.pathname !== current.pathname,
    enableBeforeUnload: () => dirty && !isLeavingApp(),
    disabled: !dirty,
    withResolver: true,
  });
  return (
    <Dialog
      opened={leaving.status === 'blocked'}
      onClose={() => leaving.reset?.()}
      title={t('availability.leave.title')}
      size="sm"
      actions={
        <>
          <Button variant="default" onClick={() => leaving.proceed?.()}>
            {t('availability.leave.leave')}
          </Button>
          <Button data-autofocus onClick={() => leaving.reset?.()}>
            {t('availability.leave.stay')}
          </Button>
        </>
      }
    >
      <p>{t('availability.leave.text')}</p>
    </Dialog>
  );
}
