import { useTranslation } from 'react-i18next';
import { AgendaEntryRow } from './agenda-entry.tsx';
import styles from './agenda-view.module.css';
import type { CardWords, MarkWords } from './card-words.ts';
import { Glyph } from './glyphs.tsx';
import type { GridEvent } from './grid-event.ts';
import { type AgendaEntry, busyMinutes, placeOfNow } from './list-agenda.ts';
import type { TimeLabels } from './time-labels.ts';

const oneDigit = { maximumFractionDigits: 1 };

export interface AgendaDayProps {
  dayNumber: number;
  entries: readonly AgendaEntry[];
  /** Blocks of ours, where they are kept slim. */
  mirrors: readonly GridEvent[];
  isThinned: boolean;
  /** Place of the day, for the keyboard. */
  place: number;
  /** The wall's day and minute. */
  now: { dayNumber: number; minute: number };
  nowMs: number;
  labels: TimeLabels;
  words: CardWords;
  conflictOf: (eventId: string) => MarkWords | undefined;
  /** Absent where the day is open already. */
  onDay?: (dayNumber: number) => void;
}

/** One day of an agenda; on today's, a line between what was and what comes. */
export function AgendaDay(props: AgendaDayProps) {
  const { dayNumber, entries, place, now, labels, onDay } = props;
  const { t, i18n } = useTranslation();
  const isToday = dayNumber === now.dayNumber;
  const busy = busyMinutes(entries);
  const nowAt = isToday ? placeOfNow(entries, now.minute) : -1;
  const name = (
    <>
      {labels.longDay(dayNumber)}
      {isToday ? (
        <>
          {' '}
          <span className={styles.today}>{t('calendar.goToday')}</span>
        </>
      ) : null}
    </>
  );
  const line = (
    <li key="now" className={styles.now}>
      <span>{t('calendar.nowIs', { time: labels.minute(now.minute) })}</span>
    </li>
  );
  return (
    <section className={styles.day} data-today={isToday || undefined} data-agenda-day={dayNumber}>
      <div className={styles.date}>
        <h2>
          {onDay === undefined ? (
            <span className={styles.name}>{name}</span>
          ) : (
            <button type="button" className={styles.name} onClick={() => onDay(dayNumber)}>
              {name}
              <span className="hf-sr-only"> {t('calendar.openDay', { day: labels.longDay(dayNumber) })}</span>
            </button>
          )}
        </h2>
        {entries.length === 0 ? null : (
          <p className={styles.sums}>
            {[
              t('calendar.eventCount', { count: entries.length }),
              busy > 0 && t('agenda.busy', { hours: new Intl.NumberFormat(i18n.language, oneDigit).format(busy / 60) }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        )}
      </div>
      <ul className={styles.entries}>
        {entries.map((entry, index) => [
          index === nowAt ? line : null,
          <AgendaEntryRow
            key={entry.event.id}
            entry={entry}
            canJoin={isToday && entry.event.endMs > props.nowMs}
            isOn={entry.event.startMs <= props.nowMs}
            place={place}
            isPast={entry.event.endMs <= props.nowMs}
            conflict={props.conflictOf(entry.event.id)}
            labels={labels}
            words={props.words}
          />,
        ])}
        {nowAt === entries.length ? line : null}
        {entries.length === 0 ? (
          <li className={styles.nothing}>{t(props.isThinned ? 'agenda.nothingLeftOn' : 'agenda.nothingOn')}</li>
        ) : null}
        {props.mirrors.length === 0 ? null : (
          <li>
            <button
              type="button"
              tabIndex={-1}
              className={styles.mirrors}
              data-more={dayNumber}
              data-column={place}
              data-minute={1440}
              aria-haspopup="dialog"
            >
              <Glyph name="link" />
              {t('calendar.mirrorTitle', { count: props.mirrors.length })}
            </button>
          </li>
        )}
      </ul>
    </section>
  );
}
