import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '#ui/error-state.tsx';
import { showToast } from '#ui/toasts.tsx';
import { useEditCalls } from './edit-calls.ts';
import type { Edit } from './edit-shapes.ts';

export type Deed = 'created' | 'changed' | 'moved' | 'deleted' | 'answered';

/** Edits of this page that can be undone, newest last. Sign-out clears them with all other data. */
const doneKey = ['done-edits'];
/** Limit of the undo list: older edits are not undone by a key. */
const mostDone = 20;

const doneIn = (queryClient: QueryClient) => queryClient.getQueryData<Edit[]>(doneKey) ?? [];

function keepDone(queryClient: QueryClient, edits: Edit[]): void {
  // Nothing on screen reads it, which is no reason to let it go.
  queryClient.setQueryDefaults(doneKey, { gcTime: Number.POSITIVE_INFINITY });
  queryClient.setQueryData(doneKey, edits);
}

/** A deletion goes out ten seconds later; the rest is reversed. Milliseconds. */
const undoStaysMs: Record<Deed, number> = {
  created: 6_000,
  changed: 6_000,
  moved: 6_000,
  deleted: 10_000,
  answered: 6_000,
};

/** One toast for all edits: the newest is what a person may want to take back. */
export const editSubject = 'edit';

/** Says what was done, with the way back; and takes back the last of it. */
export function useUndo(): { tell: (edit: Edit, deed: Deed) => void; undoLast: () => void } {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const calls = useEditCalls();
  const queryClient = useQueryClient();

  const undo = useCallback(
    async (edit: Edit) => {
      try {
        const others = doneIn(queryClient).filter((one) => one.edit_id !== edit.edit_id);
        keepDone(queryClient, others);
        await calls.undo(edit.edit_id);
        showToast({
          subject: editSubject,
          state: 'ok',
          message: t('editor.undone', { title: nameOf(edit, t('calendar.untitled')) }),
        });
      } catch (error) {
        showToast({ subject: editSubject, state: 'bad', message: errorText(error) });
      }
    },
    [calls, queryClient, t, errorText],
  );

  const tell = useCallback(
    (edit: Edit, deed: Deed) => {
      keepDone(queryClient, [...doneIn(queryClient), edit].slice(-mostDone));
      showToast({
        subject: editSubject,
        state: 'ok',
        message: t(`editor.deed.${deed}`, { title: nameOf(edit, t('calendar.untitled')) }),
        action: { label: t('editor.undo'), run: () => void undo(edit) },
        staysMs: undoStaysMs[deed],
      });
    },
    [queryClient, t, undo],
  );

  const undoLast = useCallback(() => {
    const last = doneIn(queryClient).at(-1);
    if (last === undefined) showToast({ subject: editSubject, state: 'idle', message: t('editor.nothingToUndo') });
    else void undo(last);
  }, [queryClient, t, undo]);

  return { tell, undoLast };
}

const nameOf = (edit: Edit, untitled: string) => (edit.title === '' ? untitled : edit.title);
