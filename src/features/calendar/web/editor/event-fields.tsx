import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Segmented } from '#ui/segmented.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { TextField } from '#ui/text-field.tsx';
import type { CalendarRow } from '../grid-event.ts';
import { CalendarField } from './calendar-field.tsx';
import type { DraftProblem, EventDraft } from './event-draft.ts';
import styles from './event-form.module.css';
import { GuestsField } from './guests-field.tsx';
import { RemindersField } from './reminders-field.tsx';
import { RepeatField } from './repeat-field.tsx';
import { WhenFields } from './when-fields.tsx';

export interface EventFieldsProps {
  draft: EventDraft;
  onChange: (draft: EventDraft) => void;
  calendars: readonly CalendarRow[];
  /** Problems to show: fields that were left, so that none is marked wrong too early. */
  problems: readonly DraftProblem[];
  /** Refusals of the server, by field. */
  refused: Readonly<Record<string, string>>;
  /** Why the rule cannot be changed; undefined where it can. */
  repeatLocked: string | undefined;
  conflicts: ReactNode;
  guestTimes: ReactNode;
  onTitleLeft: () => void;
}

/** Everything that can be said of an event. */
export function EventFields(props: EventFieldsProps) {
  const { draft, onChange, problems, refused } = props;
  const { t } = useTranslation();
  const set = (next: Partial<EventDraft>) => onChange({ ...draft, ...next });
  return (
    <>
      <TextField
        label={t('editor.title')}
        value={draft.title}
        maxLength={1_000}
        data-autofocus
        autoComplete="off"
        error={problems.includes('title') ? t('editor.problem.title') : refused.title}
        onBlur={props.onTitleLeft}
        onChange={(event) => set({ title: event.currentTarget.value })}
      />
      <CalendarField
        calendars={props.calendars}
        value={draft.calendarId}
        error={refused.calendar_id}
        onChange={(calendarId) => set({ calendarId })}
      />
      <WhenFields draft={draft} onChange={onChange} problems={problems} />
      {refused.when === undefined ? null : (
        <p className={styles.refusal} role="alert">
          {refused.when}
        </p>
      )}
      {props.conflicts}
      <RepeatField draft={draft} locked={props.repeatLocked} onChange={(repeat) => set({ repeat })} />
      {refused.recurrence === undefined ? null : (
        <p className={styles.refusal} role="alert">
          {refused.recurrence}
        </p>
      )}
      <GuestsField guests={draft.guests} onChange={(guests) => set({ guests })} />
      {props.guestTimes}
      <div className={styles.pair} data-wide>
        <TextField
          label={t('editor.location')}
          value={draft.location}
          maxLength={1_000}
          error={refused.location}
          onChange={(event) => set({ location: event.currentTarget.value })}
        />
        <TextField
          type="url"
          label={t('editor.meetingLink')}
          placeholder="https://"
          value={draft.meetingLink}
          maxLength={2_000}
          error={problems.includes('meetingLink') ? t('editor.problem.meetingLink') : refused.meeting_link}
          onChange={(event) => set({ meetingLink: event.currentTarget.value })}
        />
      </div>
      <TextArea
        label={t('editor.description')}
        value={draft.description}
        maxLength={32_000}
        error={refused.description}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      <div className={styles.pair} data-wide>
        <Choice
          label={t('editor.showAs')}
          value={draft.busy}
          data={[
            { value: 'busy', label: t('editor.busy.busy') },
            { value: 'tentative', label: t('editor.busy.tentative') },
            { value: 'free', label: t('editor.busy.free') },
          ]}
          onChange={(value) => set({ busy: value as EventDraft['busy'] })}
        />
        <Choice
          label={t('editor.visibility')}
          value={draft.private ? 'private' : 'default'}
          data={[
            { value: 'default', label: t('editor.visibilities.default') },
            { value: 'private', label: t('editor.visibilities.private') },
          ]}
          onChange={(value) => set({ private: value === 'private' })}
        />
      </div>
      <RemindersField reminders={draft.reminders} onChange={(reminders) => set({ reminders })} />
    </>
  );
}

function Choice(props: {
  label: string;
  value: string;
  data: { value: string; label: string }[];
  onChange: (value: string) => void;
}) {
  const { label, value, data, onChange } = props;
  return (
    <div>
      <p className={styles.label} aria-hidden="true">
        {label}
      </p>
      <Segmented aria-label={label} data={data} value={value} onChange={onChange} size="xs" fullWidth />
    </div>
  );
}
