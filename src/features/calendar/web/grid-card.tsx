import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Zone } from '#kernel/time/zones.ts';
import type { CardWords, MarkWords } from './card-words.ts';
import { EventDetails } from './event-details.tsx';
import { clockTime, fullTime } from './event-time.ts';
import { FloatingCard } from './floating-card.tsx';
import type { GridEvent } from './grid-event.ts';
import { MoreList } from './more-list.tsx';
import { offsetLabel, type TimeLabels, zoneLabel } from './time-labels.ts';
import type { useFloatingCard } from './use-floating-card.ts';

export interface GridCardProps {
  card: ReturnType<typeof useFloatingCard>;
  titleId: string;
  zone: Zone;
  labels: TimeLabels;
  words: CardWords;
  conflictOf: (eventId: string) => MarkWords | undefined;
  /** One event, or those behind a "+N" chip of a day. */
  shown: GridEvent | { dayNumber: number; events: readonly GridEvent[] };
  renderMirrors: (event: GridEvent) => ReactNode;
}

/** The grid's one card. A chunk of its own: the week is on screen before anybody asks for details. */
export function GridCard({ card, titleId, zone, labels, words, conflictOf, shown, renderMirrors }: GridCardProps) {
  const { t } = useTranslation();
  const { target } = card;
  if (target === undefined) return null;
  const allDay = t('calendar.allDay');
  return (
    <FloatingCard
      key={`${target.pinned} ${target.kind} ${target.eventId}`}
      anchor={target.anchor}
      pinned={target.pinned}
      titleId={titleId}
      onClose={card.close}
      onPointerEnter={card.keep}
      onPointerLeave={card.leave}
    >
      {'events' in shown ? (
        <MoreList
          titleId={titleId}
          day={labels.longDay(shown.dayNumber)}
          events={shown.events}
          timeOf={(event) => clockTime(event, zone, labels, allDay)}
          words={words}
          conflictOf={conflictOf}
          onChoose={(event) => card.pinEvent(event.id, target.anchor)}
        />
      ) : (
        <EventDetails
          event={shown}
          titleId={titleId}
          time={fullTime(shown, zone, labels, allDay)}
          zone={`${zoneLabel(zone.id)}, ${offsetLabel(zone, shown.startMs)}`}
          conflict={conflictOf(shown.id)}
          mirrors={renderMirrors(shown)}
        />
      )}
    </FloatingCard>
  );
}
