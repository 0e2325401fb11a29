import { IconAlertTriangle, IconCalendar, IconLock, IconMapPin, IconUsers, IconVideo } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadWords } from '#ui/load-words.ts';
import { ColorMark, providerName } from '#ui/provider-mark.tsx';
import { isCutNotes } from '../rules/listed-notes.ts';
import type { MarkWords } from './card-words.ts';
import styles from './event-details.module.css';
import type { GridEvent } from './grid-event.ts';
import { safeLink } from './safe-link.ts';

const EventActions = lazy(async () => {
  const [actions] = await Promise.all([import('./editor/event-actions.tsx'), loadWords('editor')]);
  return { default: actions.EventActions };
});
const GuestList = lazy(async () => {
  const [list] = await Promise.all([import('./editor/guest-list.tsx'), loadWords('editor')]);
  return { default: list.GuestList };
});
const WholeDescription = lazy(async () => {
  const whole = await import('./editor/whole-description.tsx');
  return { default: whole.WholeDescription };
});

export interface EventDetailsProps {
  event: GridEvent;
  /** `Fri, November 20, 8:15 – 10:15 AM` */
  time: string;
  /** `Europe/Berlin, GMT+1` */
  zone: string;
  conflict: MarkWords | undefined;
  titleId: string;
  /** Where the event stands as a block, or what it is a block of. */
  mirrors: ReactNode;
}

/** Everything about one event: the card on hover, the dialog on click, the sheet on a phone. */
export function EventDetails({ event, time, zone, conflict, titleId, mirrors }: EventDetailsProps) {
  const { t } = useTranslation();
  const link = safeLink(event.meetingLink);
  const flags = [
    event.isMirror && t('calendar.mirrorBlock'),
    event.isTentative && t('calendar.tentative'),
    event.isDeclined && t('calendar.declined'),
    event.isFree && t('calendar.free'),
    event.isRecurring && t('calendar.recurring'),
  ].filter((flag) => flag !== false);
  return (
    <div className={styles.details}>
      <header>
        <h2 id={titleId} className={styles.title} data-declined={event.isDeclined || undefined}>
          {event.title === '' ? t('calendar.untitled') : event.title}
        </h2>
        <p className={styles.time}>{time}</p>
        <p className={styles.zone}>{zone}</p>
      </header>
      {conflict === undefined ? null : (
        <p className={styles.conflict} data-kind={conflict.kind}>
          <IconAlertTriangle size={15} stroke={2} aria-hidden />
          <span>{conflict.words}</span>
        </p>
      )}
      {event.zoneWarning ? <ZoneWarning warning={event.zoneWarning} /> : null}
      {event.isInPart ? <Warning text={t('calendar.readInPart')} /> : null}
      <ul className={styles.facts}>
        <li>
          <IconCalendar size={15} stroke={1.8} aria-hidden />
          <span>
            <ColorMark color={event.color} /> {event.calendarName}
            <span className={styles.badge}>{event.calendarBadge}</span>
            <span className={styles.quiet}>
              {providerName(event.provider)}, {event.accountEmail}
            </span>
          </span>
        </li>
        {event.isPrivate ? (
          <li>
            <IconLock size={15} stroke={1.8} aria-hidden />
            <span>{t('calendar.private')}</span>
          </li>
        ) : null}
        {event.location === '' ? null : (
          <li>
            <IconMapPin size={15} stroke={1.8} aria-hidden />
            <span>{event.location}</span>
          </li>
        )}
        {event.attendees.length === 0 ? null : (
          <li>
            <IconUsers size={15} stroke={1.8} aria-hidden />
            <span>
              <Guests event={event} />
            </span>
          </li>
        )}
        {link === undefined ? null : (
          <li>
            <IconVideo size={15} stroke={1.8} aria-hidden />
            <a href={link.href} target="_blank" rel="noreferrer noopener">
              {t('calendar.joinAt', { host: link.host })}
            </a>
          </li>
        )}
      </ul>
      {flags.length === 0 ? null : <p className={styles.flags}>{flags.join(' · ')}</p>}
      {event.description === '' ? null : (
        <p className={styles.description}>
          <Description event={event} />
        </p>
      )}
      {mirrors}
      <Suspense>
        <EventActions event={event} />
      </Suspense>
    </div>
  );
}

/** A time that may be hours off, as its zone is unknown. */
function ZoneWarning({ warning: { name, used } }: { warning: NonNullable<GridEvent['zoneWarning']> }) {
  const { t } = useTranslation();
  return (
    <Warning text={used === null ? t('calendar.zoneUnknown', { name }) : t('calendar.zoneUnknownAs', { name, used })} />
  );
}

function Warning({ text }: { text: string }) {
  return (
    <p className={styles.warning}>
      <IconAlertTriangle size={15} stroke={2} aria-hidden />
      <span>{text}</span>
    </p>
  );
}

function Description({ event: { id, description, isWaiting } }: { event: GridEvent }) {
  if (isWaiting || !isCutNotes(description)) return description;
  return (
    <Suspense fallback={description}>
      <WholeDescription eventId={id} beginning={description} />
    </Suspense>
  );
}

/** How many, the first few, and on demand all of them with their answers. */
function Guests({ event }: { event: GridEvent }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const { attendees } = event;
  return (
    <>
      {t('calendar.attendees', { count: attendees.length })}
      {event.isWaiting ? null : (
        <button
          type="button"
          className={styles.answers}
          aria-expanded={opened}
          onClick={() => setOpened((before) => !before)}
        >
          {t('calendar.answers')}
        </button>
      )}
      {opened ? (
        <Suspense>
          <GuestList eventId={event.id} />
        </Suspense>
      ) : (
        <span className={styles.quiet}>{attendeeLine(attendees, (count) => t('calendar.andMore', { count }))}</span>
      )}
    </>
  );
}

function attendeeLine(attendees: readonly string[], more: (count: number) => string): string {
  const shown = attendees.slice(0, 3).join(', ');
  return attendees.length > 3 ? `${shown} ${more(attendees.length - 3)}` : shown;
}
