import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';

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
    shouldBlockFn: ({ current, next }) => next.pathname !== current.pathname && next.pathname !== '/login',
    enableBeforeUnload: dirty,
    disabled: !dirty,
    withResolver: true,
  });
  const stay = () => {
    leaving.reset?.();
    onStay();
  };
  return (
    <Dialog
      opened={asked || leaving.status === 'blocked'}
      onClose={stay}
      title={t('editor.discard.title')}
      size="sm"
      actions={
        <>
          <Button
            variant="default"
            onClick={() => {
              onDiscard();
              leaving.proceed?.();
            }}
          >
            {t('editor.discard.leave')}
          </Button>
          <Button data-autofocus onClick={stay}>
            {t('editor.discard.stay')}
          </Button>
        </>
      }
    >
      <p>{t('editor.discard.text')}</p>
    </Dialog>
  );
}
