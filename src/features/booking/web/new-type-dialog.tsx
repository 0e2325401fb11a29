import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import type { TypeDialogProps } from '#ui/type-desk.ts';
import { CreateTypeDialog } from './create-type-dialog.tsx';
import { type EventType, useTypes } from './queries.ts';

const ShareDialog = lazy(async () => ({ default: (await import('./share/share-dialog.tsx')).ShareDialog }));

/** Creates an event type over any screen, and ends with its link. */
export function NewTypeDialog({ onClose }: TypeDialogProps) {
  const { t } = useTranslation();
  const found = useTypes();
  const [made, setMade] = useState<{ type: EventType; isCopied: boolean } | null>(null);
  if (made)
    return (
      <Suspense>
        <ShareDialog {...made} isNew onClose={onClose} />
      </Suspense>
    );
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
      onCreated={(type, isCopied) => setMade({ type, isCopied })}
    />
  );
}
