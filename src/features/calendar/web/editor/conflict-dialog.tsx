import { useTranslation } from 'react-i18next';
import { loadZone, utc } from '#kernel/time/zones.ts';
import { ActionButton } from '#ui/button.tsx';
import { ruleWords } from '#ui/dates/rule-words.ts';
import { Dialog } from '#ui/dialog.tsx';
import { type Preferences, usePreferences } from '#ui/preferences.tsx';
import { fullTime } from '../event-time.ts';
import { useCalendars } from '../queries.ts';
import { timeLabels, zoneLabel } from '../time-labels.ts';
import { type ComparedField, comparedFields, differingFields } from './compare-details.ts';
import styles from './conflict-dialog.module.css';
import type { EventDetails, EventWhen } from './edit-shapes.ts';
import { localMs } from './event-draft.ts';

export interface ConflictDialogProps {
  title: string;
  /** The person's version; null for a deletion. */
  mine: EventDetails | null;
  /** The current version; null if the event was deleted. */
  theirs: EventDetails | null;
  pending: 'mine' | 'theirs' | null;
  error?: string | undefined;
  onKeep: (whose: 'mine' | 'theirs') => void;
  onClose: () => void;
}

/** An event was changed here and elsewhere: both side by side, field by field, and the person chooses. */
export function ConflictDialog({ title, mine, theirs, pending, error, onKeep, onClose }: ConflictDialogProps) {
  const { t } = useTranslation();
  const textOf = useFieldText();
  const fields =
    mine !== null && theirs !== null
      ? differingFields(mine, theirs)
      : comparedFields.filter((field) => textOf(mine ?? theirs, field) !== '');
  const lead =
    theirs === null
      ? t('editor.conflict.gone')
      : mine === null
        ? t('editor.conflict.deleted')
        : t('editor.conflict.changed');
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('editor.conflict.title', { title: title === '' ? t('calendar.untitled') : title })}
      actions={
        <>
          <ActionButton
            type="button"
            variant="default"
            pending={pending === 'theirs'}
            pendingLabel={t('editor.saving')}
            onClick={() => onKeep('theirs')}
          >
            {t('editor.conflict.keepTheirs')}
          </ActionButton>
          <ActionButton
            type="button"
            pending={pending === 'mine'}
            pendingLabel={t('editor.saving')}
            onClick={() => onKeep('mine')}
          >
            {t('editor.conflict.keepMine')}
          </ActionButton>
        </>
      }
    >
      <p>{lead}</p>
      {error === undefined ? null : (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">
              <span className="hf-sr-only">{t('editor.conflict.field')}</span>
            </th>
            <th scope="col">{t('editor.conflict.theirs')}</th>
            <th scope="col">{t('editor.conflict.mine')}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field}>
              <th scope="row">{t(`editor.conflict.fields.${field}`)}</th>
              <Cell text={textOf(theirs, field)} gone={theirs === null} heading={t('editor.conflict.theirs')} />
              <Cell text={textOf(mine, field)} gone={mine === null} heading={t('editor.conflict.mine')} />
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}

function Cell({ text, gone, heading }: { text: string; gone: boolean; heading: string }) {
  const { t } = useTranslation();
  return (
    <td data-heading={heading} data-quiet={gone || text === '' || undefined}>
      {gone ? t('editor.conflict.nothing') : text === '' ? t('editor.conflict.empty') : text}
    </td>
  );
}

function useFieldText(): (details: EventDetails | null, field: ComparedField) => string {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const { data } = useCalendars();
  return (details, field) => {
    if (details === null) return '';
    switch (field) {
      case 'when':
        return whenText(details.when, preferences, t('calendar.allDay'));
      case 'calendar_id':
        return data?.calendars.find((calendar) => calendar.id === details.calendar_id)?.name ?? '';
      case 'recurrence': {
        const zone = details.when.kind === 'timed' ? details.when.zone : null;
        return details.recurrence === null
          ? ''
          : ruleWords(details.recurrence, { t, locale: preferences.locale, zone, start: details.when.start });
      }
      case 'attendees':
        return details.attendees.map((guest) => guest.name ?? guest.email).join(', ');
      case 'busy':
        return t(`editor.busy.${details.busy}`);
      case 'private':
        return details.private ? t('editor.visibilities.private') : t('editor.visibilities.default');
      case 'reminders':
        if (details.reminders === null) return t('editor.reminder.default');
        return details.reminders.length === 0
          ? t('editor.reminder.none')
          : t('editor.reminder.own', { count: details.reminders.length });
      default:
        return details[field] ?? '';
    }
  };
}

/** `Friday, November 20, 9:00 – 10:00 AM, Europe/Berlin` */
function whenText(when: EventWhen, preferences: Preferences, allDay: string): string {
  const zone = (when.kind === 'timed' ? loadZone(when.zone) : null) ?? utc;
  const at = (text: string) => zone.toInstant(localMs(text) ?? 0);
  const times = {
    startMs: at(when.start),
    endMs: at(when.end),
    allDay: when.kind === 'all-day' ? { firstDay: when.start, endDay: when.end } : undefined,
  };
  const text = fullTime(times, zone, timeLabels(preferences), allDay);
  return when.kind === 'timed' && when.zone !== preferences.zone ? `${text}, ${zoneLabel(when.zone)}` : text;
}
