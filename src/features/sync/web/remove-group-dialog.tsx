import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { showToast } from '#ui/toasts.tsx';
import { type Group, useRemoveGroup } from './queries.ts';

export function RemoveGroupDialog({ group, onClose }: { group: Group; onClose: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const remove = useRemoveGroup();
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t('sync.remove.question', { name: group.name })}
      confirmLabel={t('sync.remove.action')}
      pendingLabel={t('sync.remove.pending')}
      pending={remove.isPending}
      destructive
      onConfirm={() =>
        remove.mutate(group.groupId, {
          onSuccess: ({ removing }) => {
            showToast({
              subject: 'mirror group',
              state: 'pending',
              message: t('sync.remove.done', { count: removing }),
            });
            onClose();
          },
        })
      }
    >
      <p>{t('sync.remove.text')}</p>
      {remove.error ? (
        <Banner state="bad" role="alert">
          {errorText(remove.error)}
        </Banner>
      ) : null}
    </ConfirmDialog>
  );
}
