import { useTranslation } from 'react-i18next';
import { useErrorText } from '#ui/error-state.tsx';
import { showToast } from '#ui/toasts.tsx';
import { type EditScope, type MeetingRow, useCancelMeeting, useUndoCancel } from '../queries.ts';

export type Cancel = (row: MeetingRow, scope: EditScope, tellGuests: boolean) => void;

/** Cancels a meeting and shows a toast with Undo, also to a person who has left the page meanwhile. */
export function useCancel(): Cancel {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const cancel = useCancelMeeting();
  const undo = useUndoCancel();
  return (row, scope, tellGuests) => {
    const subject = `cancel ${row.event_id}`;
    const title = row.eventType;
    const failed = (error: unknown) =>
      showToast({
        subject,
        state: 'bad',
        message: t('meetings.cancel.failed', { title, reason: errorText(error) }),
      });
    const takeBack = (editId: string) =>
      undo.mutateAsync(editId).then(
        () => showToast({ subject, state: 'ok', message: t('meetings.cancel.undone', { title }) }),
        (error: unknown) => showToast({ subject, state: 'bad', message: errorText(error) }),
      );
    void cancel.mutateAsync({ row, scope, tellGuests }).then(
      ({ edit }) =>
        showToast({
          subject,
          state: 'pending',
          message: t('meetings.cancel.done', { title }),
          ...(edit.can_undo
            ? { action: { label: t('meetings.cancel.undo'), run: () => void takeBack(edit.edit_id) } }
            : {}),
        }),
      failed,
    );
  };
}
