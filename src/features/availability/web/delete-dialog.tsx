import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { type Policy, useDeletePolicy } from './queries.ts';
import styles from './small-form.module.css';

/** Asks whether a policy may go; one that is needed cannot, and what needs it is said. */
export function DeleteDialog({ policy, onClose }: { policy: Policy; onClose: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const remove = useDeletePolicy();
  const { name, used_by: uses } = policy;
  if (uses.length > 0) {
    return (
      <Dialog
        opened
        onClose={onClose}
        title={t('availability.remove.needed', { name })}
        size="sm"
        actions={<Button onClick={onClose}>{t('availability.remove.understood')}</Button>}
      >
        <ul>
          {uses.map(({ kind, id, name: user }) => (
            <li key={`${kind} ${id}`}>
              {kind === 'active'
                ? t('availability.remove.active')
                : kind === 'scheduled'
                  ? t('availability.remove.scheduled')
                  : t('availability.remove.follower', { name: user })}
            </li>
          ))}
        </ul>
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      opened
      title={t('availability.remove.title', { name })}
      confirmLabel={t('availability.policies.delete')}
      pendingLabel={t('availability.remove.pending')}
      pending={remove.isPending}
      destructive
      onConfirm={() => remove.mutate(policy.policy_id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>{t('availability.remove.text')}</p>
      {remove.error ? (
        <p className={styles.error} role="alert">
          {errorText(remove.error)}
        </p>
      ) : null}
    </ConfirmDialog>
  );
}
