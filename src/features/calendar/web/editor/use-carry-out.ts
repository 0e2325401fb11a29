import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Zone } from '#kernel/time/zones.ts';
import { useErrorText } from '#ui/error-state.tsx';
import { showToast } from '#ui/toasts.tsx';
import type { CalendarRow } from '../grid-event.ts';
import type { Answer, Question } from './ask-dialog.tsx';
import { show, useEditCalls } from './edit-calls.ts';
import type { EditScope } from './edit-shapes.ts';
import type { EditTask } from './editing.tsx';
import { dropLocalEdit } from './local-edits.ts';
import { whenOfDrop } from './move-times.ts';
import { previewChange, previewDelete } from './preview-edit.ts';
import { questionFor } from './question-for.ts';
import { editSubject, useUndo } from './use-undo.ts';

type Deed = Extract<EditTask, { kind: 'move' | 'delete' }>;

/** Moves and deletions: seen at once, asked about where they must be, sent, and told with the way back. */
export function useCarryOut(
  zone: Zone,
  calendars: readonly CalendarRow[],
  ask: (question: Question) => Promise<Answer | null>,
): (deed: Deed) => Promise<void> {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const calls = useEditCalls();
  const { tell } = useUndo();
  return useMemo(() => {
    const refuse = (message: string, state: 'warn' | 'bad', retry?: () => void) =>
      showToast({
        subject: editSubject,
        state,
        message,
        ...(retry === undefined ? {} : { action: { label: t('ui.retry'), run: retry } }),
      });

    const carryOut = async (deed: Deed): Promise<void> => {
      const { eventId } = deed;
      const known = calls.rowsOf(eventId);
      const sentAs = (scope: EditScope) => ({
        kind: deed.kind === 'delete' ? ('delete' as const) : ('change' as const),
        calendarId: known?.target.calendar_id ?? '',
        title: known?.target.title ?? '',
        preview:
          known === undefined
            ? { replaces: [], events: [] }
            : deed.kind === 'delete'
              ? previewDelete(known.rows, known.target, scope)
              : previewChange(known.rows, known.target, scope, { times: deed.times }),
      });
      // Where it was dropped it stays while it is asked about; a deletion waits for its answer.
      const shown = deed.kind === 'move' ? show(sentAs('this')) : undefined;
      try {
        const details = await calls.read(eventId);
        if (!details.editable) {
          return refuse(t(`calendar.notEditable.${details.not_editable_reason ?? 'unreadable'}`), 'warn');
        }
        const answer = await ask(questionFor(deed.kind === 'delete' ? 'delete' : 'change', details, calendars));
        if (answer === null) return;
        const input = { eventId, version: details.version, ...answer };
        if (deed.kind === 'delete') {
          tell(await calls.remove(input, sentAs(answer.scope)), 'deleted');
        } else {
          const when = whenOfDrop(details.when, deed.times, zone);
          tell(await calls.change(input, { when }, sentAs(answer.scope)), 'moved');
        }
      } catch (error) {
        refuse(errorText(error), 'bad', () => void carryOut(deed));
      } finally {
        if (shown !== undefined) dropLocalEdit(shown);
      }
    };
    return carryOut;
  }, [zone, calendars, ask, t, errorText, calls, tell]);
}
