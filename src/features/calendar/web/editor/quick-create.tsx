import { IconAlertTriangle, IconHourglassLow, IconUserPlus, IconVideo } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Zone } from '#kernel/time/zones.ts';
import { ActionButton, Button } from '#ui/button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { useHoldDesk } from '#ui/hold-desk.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { TextField } from '#ui/text-field.tsx';
import { fullTime } from '../event-time.ts';
import { FloatingCard } from '../floating-card.tsx';
import type { CalendarRow } from '../grid-event.ts';
import { offsetLabel, timeLabels, zoneLabel } from '../time-labels.ts';
import type { Answer, Question } from './ask-dialog.tsx';
import { CalendarField, firstTarget } from './calendar-field.tsx';
import { useFreeTimes } from './conflict-line.tsx';
import { createQuestion, sendNew } from './create-event.tsx';
import { show, useEditCalls } from './edit-calls.ts';
import { type DrawnRange, type EventDraft, newDraft, problemsOf } from './event-draft.ts';
import { GuestTimes, useGuestTimes } from './guests/guest-times.tsx';
import { GuestsField } from './guests-field.tsx';
import { dropLocalEdit } from './local-edits.ts';
import { eventTimesOf, previewCreate } from './preview-edit.ts';
import styles from './quick-create.module.css';
import { newDraftName, useKeptDraft } from './use-kept-draft.ts';
import { useUndo } from './use-undo.ts';

/** The few fields that most events need, beside the span that was drawn. Enter saves; More options keeps what is typed. */
export function QuickCreate({
  range,
  anchor,
  zone,
  calendars,
  ask,
  onMore,
  onClose,
}: {
  range: DrawnRange;
  anchor: HTMLElement;
  zone: Zone;
  calendars: readonly CalendarRow[];
  ask: (question: Question) => Promise<Answer | null>;
  onMore: (draft: EventDraft) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const titleId = useId();
  const title = useRef<HTMLInputElement>(null);
  const preferences = usePreferences();
  const errorText = useErrorText();
  const calls = useEditCalls();
  const { tell } = useUndo();
  const hold = useHoldDesk();
  const target = firstTarget(calendars);
  const [draft, setDraft] = useState(() => newDraft(range, zone.id, target?.id ?? ''));
  const [opened, setOpened] = useState({ guests: false, link: false });
  const [state, setState] = useState<'open' | 'asking' | 'sending'>('open');
  const sending = state === 'sending';
  const [problem, setProblem] = useState<string>();
  const isTyped = draft.title.trim() !== '' || draft.guests.length > 0;
  const kept = useKeptDraft(newDraftName, draft, isTyped, '');
  const check = useFreeTimes(draft, null);
  const guestTimes = useGuestTimes(draft, null);
  const inTheWay = check.answer?.conflicts ?? [];
  const set = (next: Partial<EventDraft>) => setDraft((before) => ({ ...before, ...next }));

  // After the dialog has been opened, which takes the focus for itself.
  useEffect(() => title.current?.focus(), []);

  // The event stands on the grid while it is being named.
  const calendar = calendars.find((one) => one.id === draft.calendarId);
  useEffect(() => {
    if (calendar === undefined || sending) return;
    const shown = show({
      kind: 'create',
      calendarId: calendar.id,
      title: draft.title,
      preview: previewCreate(draft, calendar, 'new event'),
    });
    return () => dropLocalEdit(shown);
  }, [draft, calendar, sending]);

  const save = async () => {
    const problems = problemsOf(draft);
    if (problems.includes('title') || sending) return;
    if (problems.includes('meetingLink')) return setProblem(t('editor.problem.meetingLink'));
    // The popover is the top layer: a dialog would stand behind it.
    setState('asking');
    const answer = await ask(createQuestion(draft, calendars));
    if (answer === null) return setState('open');
    setState('sending');
    try {
      tell(await sendNew(calls, draft, calendars, answer.tellGuests), 'created');
      kept.forget();
      onClose();
    } catch (error) {
      setState('open');
      setProblem(errorText(error));
    }
  };

  if (state === 'asking') return null;
  const times = eventTimesOf(draft);
  const time = fullTime(times, zone, timeLabels(preferences), t('calendar.allDay'));
  return (
    <FloatingCard anchor={anchor} pinned titleId={titleId} onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <h2 id={titleId} className={styles.heading}>
          {t('editor.createTitle')}
        </h2>
        {target === undefined ? (
          <p>{t('editor.nothingWritable')}</p>
        ) : (
          <>
            <TextField
              aria-label={t('editor.title')}
              placeholder={t('editor.title')}
              value={draft.title}
              maxLength={1_000}
              autoComplete="off"
              ref={title}
              onChange={(event) => set({ title: event.currentTarget.value })}
            />
            <p className={styles.time}>
              {time}
              {zone.id === preferences.zone || draft.allDay ? null : (
                <span>
                  {' '}
                  {zoneLabel(zone.id)}, {offsetLabel(zone, times.startMs)}
                </span>
              )}
            </p>
            {inTheWay.length === 0 ? null : (
              <p className={styles.conflict} role="status">
                <IconAlertTriangle size={15} stroke={2} aria-hidden />
                <span>
                  {t('calendar.conflictsWith', {
                    names: inTheWay
                      .slice(0, 2)
                      .map((one) => one.title || t('calendar.untitled'))
                      .join(', '),
                  })}
                </span>
              </p>
            )}
            <CalendarField
              hideLabel
              calendars={calendars}
              value={draft.calendarId}
              onChange={(calendarId) => set({ calendarId })}
            />
            {opened.guests ? (
              <>
                <GuestsField takesFocus guests={draft.guests} onChange={(guests) => set({ guests })} />
                <GuestTimes draft={draft} asked={guestTimes} onChange={setDraft} />
              </>
            ) : (
              <Button
                variant="subtle"
                color="gray"
                size="xs"
                justify="flex-start"
                leftSection={<IconUserPlus size={16} stroke={1.8} aria-hidden />}
                onClick={() => setOpened((before) => ({ ...before, guests: true }))}
              >
                {t('editor.addGuests')}
              </Button>
            )}
            {opened.link ? (
              <TextField
                type="url"
                label={t('editor.meetingLink')}
                placeholder="https://"
                value={draft.meetingLink}
                onChange={(event) => {
                  setProblem(undefined);
                  set({ meetingLink: event.currentTarget.value });
                }}
              />
            ) : (
              <Button
                variant="subtle"
                color="gray"
                size="xs"
                justify="flex-start"
                leftSection={<IconVideo size={16} stroke={1.8} aria-hidden />}
                onClick={() => setOpened((before) => ({ ...before, link: true }))}
              >
                {t('editor.addLink')}
              </Button>
            )}
            {hold === null || draft.allDay ? null : (
              <Button
                variant="subtle"
                color="gray"
                size="xs"
                justify="flex-start"
                leftSection={<IconHourglassLow size={16} stroke={1.8} aria-hidden />}
                onClick={() => {
                  kept.forget();
                  onClose();
                  hold({ kind: 'new', title: draft.title, ...eventTimesOf(draft), calendarId: draft.calendarId });
                }}
              >
                {t('editor.asHold')}
              </Button>
            )}
            {problem === undefined ? null : (
              <p className={styles.problem} role="alert">
                {problem}
              </p>
            )}
            <div className={styles.actions}>
              <Button variant="default" onClick={() => onMore(draft)}>
                {t('editor.moreOptions')}
              </Button>
              <ActionButton disabled={draft.title.trim() === ''} pending={sending} pendingLabel={t('editor.creating')}>
                {t(inTheWay.length > 0 ? 'editor.createAnyway' : 'editor.save')}
              </ActionButton>
            </div>
          </>
        )}
      </form>
    </FloatingCard>
  );
}
