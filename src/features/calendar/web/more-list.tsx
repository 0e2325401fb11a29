import { useTranslation } from 'react-i18next';
import { ColorMark } from '#ui/provider-mark.tsx';
import { type CardWords, type MarkWords, shownTitle, spokenDetails } from './card-words.ts';
import type { GridEvent } from './grid-event.ts';
import styles from './more-list.module.css';

export interface MoreListProps {
  titleId: string;
  day: string;
  events: readonly GridEvent[];
  words: CardWords;
  timeOf: (event: GridEvent) => string;
  conflictOf: (eventId: string) => MarkWords | undefined;
  onChoose: (event: GridEvent) => void;
}

/** The events behind a "+N", each a way to its details. */
export function MoreList({ titleId, day, events, words, timeOf, conflictOf, onChoose }: MoreListProps) {
  const { t } = useTranslation();
  return (
    <div>
      <h2 id={titleId} className={styles.title}>
        {t(events.every((event) => event.isMirror) ? 'calendar.mirrorTitle' : 'calendar.moreTitle', {
          count: events.length,
        })}
      </h2>
      <p className={styles.day}>{day}</p>
      <ul className={styles.list}>
        {events.map((event) => (
          <li key={event.id}>
            <button type="button" className={styles.row} onClick={() => onChoose(event)}>
              <ColorMark color={event.color} />
              <span className={styles.name} data-declined={event.isDeclined || undefined}>
                {shownTitle(event, words)}
                {event.isMirror ? (
                  <span className={styles.where} aria-hidden="true">
                    {event.calendarName}
                  </span>
                ) : null}
              </span>{' '}
              <span className={styles.time}>{timeOf(event)}</span>
              <span className="hf-sr-only">
                {', '}
                {spokenDetails(event, words, {
                  isPast: false,
                  conflict: conflictOf(event.id),
                  continuesBefore: false,
                  continuesAfter: false,
                })}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
