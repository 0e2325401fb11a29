import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './agenda-view.module.css';
import { type CardWords, type MarkWords, spokenDetails } from './card-words.ts';
import { EventTitle, looksOf } from './event-card.tsx';
import type { AgendaEntry } from './list-agenda.ts';
import type { TimeLabels } from './time-labels.ts';

export interface AgendaEntryRowProps {
  entry: AgendaEntry;
  /** Place of its day, for the keyboard. */
  place: number;
  isPast: boolean;
  conflict: MarkWords | undefined;
  labels: TimeLabels;
  words: CardWords;
}

/** One event on one day: when, its calendar's colour, what and where. */
export function AgendaEntryRow({ entry, place, isPast, conflict, labels, words }: AgendaEntryRowProps) {
  const { t } = useTranslation();
  const { event, hours, part } = entry;
  const style: CSSProperties & Record<`--${string}`, string> = { '--hf-event': event.color };
  return (
    <li>
      <button
        type="button"
        tabIndex={-1}
        className={styles.entry}
        style={style}
        data-event={event.id}
        data-column={place}
        data-minute={hours?.startMinute ?? -1}
        aria-haspopup="dialog"
        {...looksOf(event, isPast, conflict)}
      >
        <span className={styles.time}>
          {hours === undefined ? t('calendar.allDay') : labels.range(hours.startMinute, hours.endMinute)}
        </span>{' '}
        <i className={styles.bar} />
        <span className={styles.what}>
          <span className={styles.title}>
            <EventTitle event={event} words={words} />
          </span>
          {part.of === 1 ? null : (
            <span className={styles.part}> {t('agenda.dayOfEvent', { day: part.day, count: part.of })}</span>
          )}
          {event.location === '' ? null : <span className={styles.where}> {event.location}</span>}
        </span>
        <span className={styles.calendar} aria-hidden="true">
          {event.calendarName}
        </span>
        <span className="hf-sr-only">
          {', '}
          {spokenDetails(event, words, { isPast, conflict, continuesBefore: false, continuesAfter: false })}
        </span>
      </button>
    </li>
  );
}
