import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '#ui/error-state.tsx';
import { showToast } from '#ui/toasts.tsx';
import { useResyncMany, useResyncMirrors, useRetryMirror } from '../queries.ts';

export interface Repairs {
  /** `eventId`: a meeting, or the origin of a mirror. */
  resync: (eventId: string) => void;
  resyncMany: (eventIds: string[]) => void;
  retry: (mirrorId: string) => void;
  pending: boolean;
  /** Items of the last bulk resync, while anybody looks. */
  watched: readonly string[];
  forget: () => void;
}

/** Resync and retry, with what the person is told about them. */
export function useRepairs(): Repairs {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const resync = useResyncMirrors();
  const many = useResyncMany();
  const retry = useRetryMirror();
  const [watched, setWatched] = useState<readonly string[]>([]);
  const queued = (count: number) => t('meetings.repair.queued', { count });
  const telling = (subject: string) => ({
    onSuccess: ({ pending }: { pending: number }) => showToast({ subject, state: 'pending', message: queued(pending) }),
    onError: (error: Error) =>
      showToast({ subject, state: 'bad', message: t('meetings.repair.failed', { reason: errorText(error) }) }),
  });
  return {
    resync: (eventId) => resync.mutate(eventId, telling(`mirrors of ${eventId}`)),
    retry: (mirrorId) => retry.mutate(mirrorId, telling(`mirror ${mirrorId}`)),
    resyncMany: (eventIds) =>
      many.mutate(eventIds, {
        onSuccess: ({ pending, queued: items, limited, nothing }) => {
          setWatched(items);
          const parts = [
            items.length > 0 && queued(pending),
            limited.length > 0 && t('meetings.repair.limited', { count: limited.length }),
            nothing.length > 0 && t('meetings.repair.nothing', { count: nothing.length }),
          ];
          showToast({
            subject: 'bulk resync',
            state: items.length > 0 ? 'pending' : 'idle',
            message: parts.filter(Boolean).join('. '),
          });
        },
        onError: telling('bulk resync').onError,
      }),
    pending: resync.isPending || many.isPending || retry.isPending,
    watched,
    forget: () => setWatched([]),
  };
}
