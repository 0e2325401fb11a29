import { useTranslation } from 'react-i18next';
import { useErrorText } from '#ui/error-state.tsx';
import { showToast } from '#ui/toasts.tsx';
import { type MirrorRow, useResyncMirrors, useRetryMirror } from './queries.ts';

export interface Repairs {
  resync: (row: MirrorRow) => void;
  retry: (row: MirrorRow) => void;
  pending: boolean;
}

/** Resync and retry, with what the person is told about them. */
export function useRepairs(): Repairs {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const resync = useResyncMirrors();
  const retry = useRetryMirror();
  const telling = (row: MirrorRow) => ({
    onSuccess: ({ pending }: { pending: number }) =>
      showToast({
        subject: `mirror ${row.id}`,
        state: 'pending',
        message: t('meetings.repair.queued', { count: pending }),
      }),
    onError: (error: Error) =>
      showToast({
        subject: `mirror ${row.id}`,
        state: 'bad',
        message: t('meetings.repair.failed', { reason: errorText(error) }),
      }),
  });
  return {
    resync: (row) => resync.mutate(row.event_id, telling(row)),
    retry: (row) => retry.mutate(row.id, telling(row)),
    pending: resync.isPending || retry.isPending,
  };
}
