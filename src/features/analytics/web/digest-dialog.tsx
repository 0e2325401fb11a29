import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorState, useErrorText } from '#ui/error-state.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { Switch } from '#ui/switch.tsx';
import { showToast } from '#ui/toasts.tsx';
import { useChooseDigest, useDigest } from './queries.ts';

/** Whether a mail comes about each week. */
export function DigestDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const found = useDigest();
  const choose = useChooseDigest();
  const weekly = choose.isPending ? choose.variables : found.data?.weekly;
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('analytics.digest.title')}
      size="sm"
      actions={
        <Button variant="default" onClick={onClose}>
          {t('analytics.close')}
        </Button>
      }
    >
      {weekly === undefined ? (
        found.error ? (
          <ErrorState title={t('analytics.digest.failed')} error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <SkeletonRows rows={1} label={t('analytics.loading')} />
        )
      ) : found.data?.available === false && !weekly ? (
        <p>{t('analytics.digest.switchedOff')}</p>
      ) : (
        <Switch
          label={t('analytics.digest.switch')}
          description={t('analytics.digest.text')}
          checked={weekly}
          onChange={(event) =>
            choose.mutate(event.currentTarget.checked, {
              onError: (error) => showToast({ subject: 'digest', state: 'bad', message: errorText(error) }),
            })
          }
        />
      )}
    </Dialog>
  );
}
