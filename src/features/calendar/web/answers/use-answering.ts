import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '#ui/error-state.tsx';
import { showToast } from '#ui/toasts.tsx';
import { useEditCalls } from '../editor/edit-calls.ts';
import type { Answering } from '../editor/edit-shapes.ts';
import { previewAnswer } from '../editor/preview-edit.ts';
import { editSubject, useUndo } from '../editor/use-undo.ts';

/** Answers an invitation: seen at once, sent, and told with the way back. */
export function useAnswering(): (answering: Answering) => Promise<void> {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const calls = useEditCalls();
  const { tell } = useUndo();
  return useMemo(() => {
    const answerIt = async (answering: Answering): Promise<void> => {
      const { eventId, answer, scope } = answering;
      const known = calls.rowsOf(eventId);
      const preview =
        known === undefined ? { replaces: [], events: [] } : previewAnswer(known.rows, known.target, scope, answer);
      try {
        const version = known?.target.version ?? (await calls.read(eventId)).version;
        const { calendar_id: calendarId = '', title = '' } = known?.target ?? {};
        tell(await calls.answer({ ...answering, version }, { kind: 'answer', calendarId, title, preview }), 'answered');
      } catch (error) {
        const action = { label: t('ui.retry'), run: () => void answerIt(answering) };
        showToast({ subject: editSubject, state: 'bad', message: errorText(error), action });
      }
    };
    return answerIt;
  }, [t, errorText, calls, tell]);
}
