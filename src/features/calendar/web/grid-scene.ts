import type { TFunction } from 'i18next';
import { overlaps } from '#kernel/time/intervals.ts';
import { conflictWords } from './card-words.ts';
import { fullTime } from './event-time.ts';
import type { GridEvent } from './grid-event.ts';
import type { EventTimes } from './wall-clock.ts';
import type { WeekGridProps } from './week-grid.tsx';

type Told = 'zone' | 'labels' | 'firstDay' | 'dayCount' | 'events' | 'visibleEvents';
type Asked = 'onCreate' | 'onMove' | 'onResize' | 'onEdit' | 'onDelete' | 'onBeyond';

/** The grid's current data and actions, which drags and keys read when they need them. */
export interface GridScene extends Pick<WeekGridProps, Told | Asked> {
  t: TFunction;
  eventOf: (eventId: string | undefined) => GridEvent | undefined;
  closeCard: () => void;
  /** Speaks to those who listen to the grid. */
  say: (...sentences: (string | undefined)[]) => void;
}

/** Why this event cannot be changed, in words; undefined where it can. */
export function refusalOf({ t }: GridScene, event: GridEvent): string | undefined {
  return event.notEditable && t(`calendar.notEditable.${event.notEditable}`);
}

/** `Friday, November 20, 3:15 – 4:15 PM` */
export function timeOf({ t, zone, labels }: GridScene, times: EventTimes): string {
  return fullTime(times, zone, labels, t('calendar.allDay'));
}

/** Said of a move or another end. */
export function movedText(scene: GridScene, kind: 'move' | 'resize', times: EventTimes): string {
  return scene.t(kind === 'move' ? 'calendar.movedTo' : 'calendar.resizedTo', { time: timeOf(scene, times) });
}

export function titleOf({ t }: GridScene, event: GridEvent | undefined): string {
  return event === undefined ? t('calendar.newEvent') : event.title || t('calendar.untitled');
}

/**
 * Text of the conflicts that an event would have at other times; undefined without any. `event` undefined: a new one.
 */
export function conflictAt(scene: GridScene, event: GridEvent | undefined, times: EventTimes): string | undefined {
  if (times.allDay !== undefined || event?.blocks === false) return undefined;
  const found = (scene.visibleEvents ?? scene.events).filter(
    (other) => other.blocks && other.allDay === undefined && other.id !== event?.id && overlaps(other, times),
  );
  if (found.length === 0) return undefined;
  return conflictWords(
    scene.t,
    found.map(({ title }) => title),
  );
}
