import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';

/**
 * Asks before a page with unsaved changes is left, by link, Back, reload or a closed tab. Signing out is not asked about:
 * nothing can be saved any more by then.
 */
export function UnsavedGuard({ dirty }: { dirty: boolean }) {
  const { t } = useTranslation();
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => next.pathname !== current.pathname && next.pathname !== '/login',
    enableBeforeUnload: dirty,
    disabled: !dirty,
    withResolver: true,
  });
  const stay = () => leaving.reset?.();
  return (
    <Dialog
      opened={leaving.status === 'blocked'}
      onClose={stay}
      title={t('accounts.unsaved.title')}
      size="sm"
      actions={
        <>
          <Button variant="default" onClick={() => leaving.proceed?.()}>
            {t('accounts.unsaved.leave')}
          </Button>
          <Button data-autofocus onClick={stay}>
            {t('accounts.unsaved.stay')}
          </Button>
        </>
      }
    >
      <p>{t('accounts.unsaved.text')}</p>
    </Dialog>
  );
}
