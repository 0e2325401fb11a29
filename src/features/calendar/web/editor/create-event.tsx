import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import type { CalendarRow } from '../grid-event.ts';
import type { Answer, Question } from './ask-dialog.tsx';
import { firstTarget } from './calendar-field.tsx';
import { type EditCalls, useEditCalls } from './edit-calls.ts';
import type { Edit } from './edit-shapes.ts';
import { bodyOf, type DrawnRange, type EventDraft, newDraft } from './event-draft.ts';
import { EventFormDialog } from './event-form-dialog.tsx';
import { previewCreate } from './preview-edit.ts';
import { newDraftName } from './use-kept-draft.ts';
import { useUndo } from './use-undo.ts';

/** Create Event: the whole form over a span of time, or with what was typed in the popover. */
export function CreateEvent({
  range,
  zone,
  said,
  typed,
  calendars,
  onClose,
}: {
  range: DrawnRange;
  zone: string;
  /** Said elsewhere already, as in the search box, or shared by another app. */
  said: Pick<EventDraft, 'title' | 'meetingLink' | 'description'>;
  typed: EventDraft | undefined;
  calendars: readonly CalendarRow[];
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const calls = useEditCalls();
  const { tell } = useUndo();
  const target = firstTarget(calendars);
  const [initial] = useState(() => ({ ...newDraft(range, zone, target?.id ?? ''), ...said }));
  if (target === undefined) {
    return (
      <Dialog
        opened
        onClose={onClose}
        title={t('editor.createTitle')}
        size="sm"
        actions={<Button onClick={onClose}>{t('calendar.close')}</Button>}
      >
        <p>{t('editor.nothingWritable')}</p>
      </Dialog>
    );
  }
  return (
    <EventFormDialog
      mode="create"
      initial={initial}
      typed={typed}
      calendars={calendars}
      draftName={newDraftName}
      version=""
      eventId={null}
      questionOf={(draft) => createQuestion(draft, calendars)}
      onSend={async (draft, { tellGuests }: Answer) => {
        tell(await sendNew(calls, draft, calendars, tellGuests), 'created');
      }}
      onClose={onClose}
    />
  );
}

export function createQuestion(draft: EventDraft, calendars: readonly CalendarRow[]): Question {
  const provider = calendars.find((calendar) => calendar.id === draft.calendarId)?.provider ?? '';
  return { kind: 'create', title: draft.title.trim(), scopes: [], guests: draft.guests.length, provider };
}

/** Sends a new event; it is on screen meanwhile. */
export function sendNew(
  calls: EditCalls,
  draft: EventDraft,
  calendars: readonly CalendarRow[],
  tellGuests: boolean,
): Promise<Edit> {
  const calendar = calendars.find((one) => one.id === draft.calendarId);
  const preview = calendar === undefined ? { replaces: [], events: [] } : previewCreate(draft, calendar, 'new event');
  const sent = { kind: 'create' as const, calendarId: draft.calendarId, title: draft.title.trim(), preview };
  return calls.create(bodyOf(draft), tellGuests, sent);
}
