import { type CSSProperties, lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { loadWords } from '#ui/load-words.ts';
import styles from './agenda-view.module.css';
import { type CardWords, cardFacts, type MarkWords, shownTitle, spokenDetails } from './card-words.ts';
import { EventTitle, looksOf } from './event-card.tsx';
import type { AgendaEntry } from './list-agenda.ts';
import { safeLink } from './safe-link.ts';
import type { TimeLabels } from './time-labels.ts';

const QuickAnswer = lazy(async () => {
  const [quick] = await Promise.all([import('./answers/quick-answer.tsx'), loadWords('editor')]);
  return { default: quick.QuickAnswer };
});

export interface AgendaEntryRowProps {
  entry: AgendaEntry;
  /** Whether its meeting can be joined from the row, and is on now. */
  canJoin: boolean;
  isOn: boolean;
  /** Place of its day, for the keyboard. */
  place: number;
  isPast: boolean;
  conflict: MarkWords | undefined;
  labels: TimeLabels;
  words: CardWords;
}

/** One event on one day: when, its calendar's colour, what and where. */
export function AgendaEntryRow(props: AgendaEntryRowProps) {
  const { entry, place, isPast, conflict, labels, words } = props;
  const { t } = useTranslation();
  const { event, hours, part } = entry;
  const link = props.canJoin ? safeLink(event.meetingLink) : undefined;
  const facts = cardFacts(event).join(' · ');
  const style: CSSProperties & Record<`--${string}`, string> = { '--hf-event': event.color };
  return (
    <li className={styles.row}>
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
          {conflict?.kind === 'overlap' ? <i className={styles.overlap} /> : null}
          {part.of === 1 ? null : (
            <span className={styles.part}> {t('agenda.dayOfEvent', { day: part.day, count: part.of })}</span>
          )}
          {conflict?.kind === 'conflict' ? (
            <span className={styles.facts} data-kind="conflict" aria-hidden="true">
              {conflict.words}
            </span>
          ) : null}
          {facts === '' ? null : <span className={styles.facts}> {facts}</span>}
        </span>
        <span className={styles.calendar} aria-hidden="true">
          {event.calendarName}
        </span>
        <span className="hf-sr-only">
          {', '}
          {spokenDetails(event, words, { isPast, conflict, continuesBefore: false, continuesAfter: false })}
        </span>
      </button>
      {event.answer !== 'needs-action' || isPast || event.isWaiting ? null : (
        <div className={styles.answer}>
          <Suspense>
            <QuickAnswer eventId={event.id} title={shownTitle(event, words)} answer={event.answer} />
          </Suspense>
        </div>
      )}
      {link === undefined ? null : (
        <a
          className={styles.join}
          data-on={props.isOn || undefined}
          href={link.href}
          target="_blank"
          rel="noreferrer"
          aria-label={`${t('agenda.join')}: ${shownTitle(event, words)}`}
        >
          {t('agenda.join')}
        </a>
      )}
    </li>
  );
}
