import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { minuteMs } from '#kernel/time/civil.ts';
import type { Zone } from '#kernel/time/zones.ts';
import { nowMs } from '#ui/clock.ts';
import { useErrorText } from '#ui/error-state.tsx';
import { useShortcuts } from '#ui/shortcuts.ts';
import { hideToast, showToast } from '#ui/toasts.tsx';
import { useAnswerCommands } from '../answers/answer-commands.ts';
import type { CalendarRow } from '../grid-event.ts';
import { EventMenus } from '../menu/event-menus.tsx';
import { useCalendars } from '../queries.ts';
import { firstTarget } from './calendar-field.tsx';
import { CreateEvent } from './create-event.tsx';
import { useEditCalls } from './edit-calls.ts';
import { EditEvent } from './edit-event.tsx';
import type { EditTask } from './editing.tsx';
import { copyOf, type DrawnRange, type EventDraft, localMs, printMinute } from './event-draft.ts';
import { QuickCreate } from './quick-create.tsx';
import { readShared } from './read-shared.ts';
import { SettleConflict } from './settle-conflict.tsx';
import { startOn } from './start-on.ts';
import { useAsking } from './use-asking.tsx';
import { useCarryOut } from './use-carry-out.ts';
import { editSubject, useUndo } from './use-undo.ts';

const none: readonly CalendarRow[] = [];

/** Carries out what a person wants to do with events: the dialogs, the questions, and what needs neither. */
export function EditingDesk({
  task,
  zone,
  day,
  onTask,
  onDone,
}: {
  task: EditTask | undefined;
  zone: Zone;
  /** The day that is looked at; undefined for today. */
  day: string | undefined;
  onTask: (task: EditTask) => void;
  onDone: () => void;
}) {
  const { t } = useTranslation();
  const calendars = useCalendars().data?.calendars ?? none;
  const { ask, dialog } = useAsking();
  const { undoLast } = useUndo();
  const calls = useEditCalls();
  const errorText = useErrorText();
  const carryOut = useCarryOut(zone, calendars, ask);
  const [typed, setTyped] = useState<EventDraft>();

  useAnswerCommands();
  const group = t('editor.keys.group');
  const onFocused = (act: (eventId: string) => void) => () => {
    const eventId = document.activeElement?.closest<HTMLElement>('[data-event]')?.dataset.event;
    if (eventId !== undefined) act(eventId);
  };
  useShortcuts([
    {
      keys: 'c',
      label: t('editor.createTitle'),
      group,
      run: () => onTask({ kind: 'create', start: startOn('1', day) }),
    },
    { keys: 'e', label: t('editor.keys.edit'), group, run: onFocused((eventId) => onTask({ kind: 'edit', eventId })) },
    {
      keys: ['Delete', 'Backspace'],
      label: t('editor.keys.delete'),
      group,
      run: onFocused((eventId) => onTask({ kind: 'delete', eventId })),
    },
    { keys: 'mod+z', label: t('editor.keys.undo'), group, run: undoLast },
  ]);

  const copy = useCallback(
    async ({ eventId, ...to }: Extract<EditTask, { kind: 'copy' }>) => {
      try {
        const details = await calls.read(eventId);
        const own = calendars.find(({ id, writable }) => id === details.calendar_id && writable);
        const calendarId = (own ?? firstTarget(calendars))?.id ?? '';
        const draft = copyOf(details, { ...to, zone: zone.id, calendarId });
        setTyped(draft);
        onTask({ kind: 'create', start: draft.start });
      } catch (error) {
        onDone();
        showToast({ subject: editSubject, state: 'bad', message: errorText(error) });
      }
    },
    [calls, calendars, zone, errorText, onTask, onDone],
  );

  // Where an event can go, and who mails its guests.
  const ready = calendars.length > 0;
  // Once for each task, however often this renders.
  const begun = useRef<EditTask>(undefined);
  useEffect(() => {
    if (task === undefined || !ready || begun.current === task) return;
    begun.current = task;
    // On a phone what is said of the last edit would lie over the next.
    hideToast(editSubject);
    if (task.kind === 'copy') return void copy(task);
    if (task.kind !== 'move' && task.kind !== 'delete') return;
    onDone();
    void carryOut(task);
  }, [task, ready, carryOut, copy, onDone]);

  const rowOf = useCallback((eventId: string) => calls.rowsOf(eventId)?.target, [calls]);
  const close = () => {
    setTyped(undefined);
    onDone();
  };
  return (
    <>
      {ready && task?.kind === 'quick' ? (
        <QuickCreate
          key={task.range.startWall + task.range.endWall}
          range={task.range}
          anchor={task.anchor}
          zone={zone}
          calendars={calendars}
          ask={ask}
          onMore={(draft) => {
            setTyped(draft);
            onTask({ kind: 'create', start: draft.start });
          }}
          onClose={close}
        />
      ) : null}
      {ready && task?.kind === 'create' ? (
        <CreateEvent
          key={task.start}
          range={typed === undefined ? rangeFrom(task, zone) : rangeOfDraft(typed)}
          said={readShared(task)}
          zone={zone.id}
          typed={typed}
          calendars={calendars}
          onClose={close}
        />
      ) : null}
      {ready && task?.kind === 'edit' ? (
        <EditEvent key={task.eventId} eventId={task.eventId} zone={zone} calendars={calendars} onClose={close} />
      ) : null}
      {task?.kind === 'settle' ? <SettleConflict key={task.edit.edit_id} edit={task.edit} onClose={close} /> : null}
      {dialog}
      <EventMenus rowOf={rowOf} day={day ?? todayIn(zone)} onTask={onTask} />
    </>
  );
}

/** From a local start, an hour where nothing else is said; `1`: from the next half hour on. */
function rangeFrom({ start, minutes = 60 }: { start: string; minutes?: number | undefined }, zone: Zone): DrawnRange {
  const halfHour = 30 * minuteMs;
  const fromMs = localMs(start) ?? Math.ceil(zone.toLocal(nowMs()) / halfHour) * halfHour;
  return { startWall: printMinute(fromMs), endWall: printMinute(fromMs + minutes * minuteMs), allDay: false };
}

const todayIn = (zone: Zone) => printMinute(zone.toLocal(nowMs())).slice(0, 10);

const rangeOfDraft = ({ start, end }: EventDraft): DrawnRange => ({ startWall: start, endWall: end, allDay: false });
