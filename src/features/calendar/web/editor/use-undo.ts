import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '#ui/error-state.tsx';
import { showToast } from '#ui/toasts.tsx';
import { type EditCalls, useEditCalls } from './edit-calls.ts';
import type { Edit } from './edit-shapes.ts';

export type Deed = 'created' | 'changed' | 'moved' | 'deleted';

/** What was done on this page and may be taken back, the newest last. */
const done: Edit[] = [];
/** Nobody takes back what they did an hour ago by a key. */
const mostDone = 20;

/** A deletion goes out ten seconds later; the rest is reversed. Milliseconds. */
const undoStaysMs: Record<Deed, number> = { created: 6_000, changed: 6_000, moved: 6_000, deleted: 10_000 };

/** One toast for all edits: the newest is what a person may want to take back. */
export const editSubject = 'edit';

/** Says what was done, with the way back; and takes back the last of it. */
export function useUndo(): { tell: (edit: Edit, deed: Deed) => void; undoLast: () => void } {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const calls = useEditCalls();

  const undo = useCallback(
    async (edit: Edit) => {
      try {
        await takeBack(calls, edit);
        showToast({
          subject: editSubject,
          state: 'ok',
          message: t('editor.undone', { title: nameOf(edit, t('calendar.untitled')) }),
        });
      } catch (error) {
        showToast({ subject: editSubject, state: 'bad', message: errorText(error) });
      }
    },
    [calls, t, errorText],
  );

  const tell = useCallback(
    (edit: Edit, deed: Deed) => {
      done.push(edit);
      if (done.length > mostDone) done.shift();
      showToast({
        subject: editSubject,
        state: 'ok',
        message: t(`editor.deed.${deed}`, { title: nameOf(edit, t('calendar.untitled')) }),
        action: { label: t('editor.undo'), run: () => void undo(edit) },
        staysMs: undoStaysMs[deed],
      });
    },
    [t, undo],
  );

  const undoLast = useCallback(() => {
    const last = done.at(-1);
    if (last === undefined) showToast({ subject: editSubject, state: 'idle', message: t('editor.nothingToUndo') });
    else void undo(last);
  }, [t, undo]);

  return { tell, undoLast };
}

async function takeBack(calls: EditCalls, edit: Edit): Promise<void> {
  const at = done.indexOf(edit);
  if (at >= 0) done.splice(at, 1);
  await calls.undo(edit.edit_id);
}

const nameOf = (edit: Edit, untitled: string) => (edit.title === '' ? untitled : edit.title);
