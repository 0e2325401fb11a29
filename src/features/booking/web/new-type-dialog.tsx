import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import type { TypeDialogProps } from '#ui/type-desk.ts';
import { CreateTypeDialog } from './create-type-dialog.tsx';
import { useTypes } from './queries.ts';

/** Makes an event type over any screen, and leads on to all that can be said of it. */
export function NewTypeDialog({ onClose }: TypeDialogProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const found = useTypes();
  if (found.data === undefined)
    return (
      <Dialog opened onClose={onClose} title={t('booking.create.title')}>
        {found.error ? (
          <ErrorState title={t('booking.loadFailed')} error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <SkeletonRows rows={4} label={t('booking.loading')} />
        )}
      </Dialog>
    );
  return (
    <CreateTypeDialog
      teams={found.data.teams.filter((team) => team.may_change)}
      onClose={onClose}
      onCreated={(typeId) => {
        onClose();
        void navigate({ to: '/availability/links/$typeId', params: { typeId } });
      }}
    />
  );
}
