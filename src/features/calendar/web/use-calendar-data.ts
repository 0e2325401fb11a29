import { useCallback, useMemo } from 'react';
import type { Zone } from '#kernel/time/zones.ts';
import type { EventFilter, MirrorView } from './calendar-search.ts';
import { chooseEvents } from './choose-events.ts';
import { overlayEdits } from './editor/overlay-edits.ts';
import { useEdits } from './editor/use-edits.ts';
import { findConflicts } from './find-conflicts.ts';
import { type GridEvent, toGridEvents, withLinks } from './grid-event.ts';
import { type EventRange, useCalendars, useEventRanges, useMirrorLinks, usePrefetchEvents } from './queries.ts';
import { rangeOf } from './shown-range.ts';

export interface CalendarDataOptions {
  zone: Zone;
  today: number;
  nowMs: number;
  /** Ranges on screen. */
  ranges: readonly EventRange[];
  /** Ranges that the next or previous step would show. */
  neighbours: readonly EventRange[];
  q: string;
  filter: EventFilter;
  mirrors: MirrorView;
}

export type CalendarData = ReturnType<typeof useCalendarData>;

/** Everything that the calendar shows: the calendars, the events of what is on screen, and where they meet. */
export function useCalendarData(options: CalendarDataOptions) {
  const { zone, today, nowMs, ranges, q, filter, mirrors } = options;
  const calendarList = useCalendars();
  const calendars = calendarList.data?.calendars;
  const ids = useMemo(() => calendars?.map((calendar) => calendar.id) ?? [], [calendars]);
  const idsKey = ids.join();
  // Same ids, same list: a change of visibility or status fetches no events.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the list
  const stableIds = useMemo(() => ids, [idsKey]);
  const visible = useMemo(() => calendars?.filter((calendar) => calendar.visible) ?? [], [calendars]);

  const shown = useEventRanges(ranges, stableIds);
  usePrefetchEvents(options.neighbours, stableIds, !shown.isPending);
  const span = useMemo(() => spanOf(ranges), [ranges]);
  const { edits, overlay } = useEdits(span);
  const shownRows = useMemo(() => overlayEdits(shown.rows, overlay), [shown.rows, overlay]);

  const itemIds = useMemo(() => [...new Set(shown.rows.map((event) => event.item_id))].sort(), [shown.rows]);
  const links = useMirrorLinks(itemIds);
  const events = useMemo(() => withLinks(toGridEvents(shownRows, visible), links), [shownRows, visible, links]);
  // The marks change when an event has ended, not with every minute.
  const ended = useMemo(() => events.filter(({ endMs }) => endMs <= nowMs).length, [events, nowMs]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what has ended stands for the instant
  const conflicts = useMemo(() => findConflicts(events, nowMs), [events, ended]);
  const titles = useMemo(() => new Map(events.map((event) => [event.id, event.title])), [events]);
  const titleOf = useCallback((eventId: string) => titles.get(eventId), [titles]);
  const drawn: readonly GridEvent[] = useMemo(
    () => chooseEvents(events, { q, filter, hidesMirrors: mirrors === 'off' }),
    [events, q, filter, mirrors],
  );

  const todayRange = useMemo(() => rangeOf({ firstDay: today, dayCount: 1 }, zone), [today, zone]);
  const seesToday = ranges.some((range) => range.fromMs <= todayRange.fromMs && todayRange.toMs <= range.toMs);
  const aside = useMemo(() => (seesToday ? [] : [todayRange]), [seesToday, todayRange]);
  const todayAlone = useEventRanges(aside, stableIds);
  const { rows, isPending, hasFailed } = seesToday ? shown : todayAlone;
  const conflictsToday = useMemo(
    () => (isPending || hasFailed ? undefined : countToday(toGridEvents(rows, visible), todayRange, nowMs)),
    [rows, isPending, hasFailed, visible, todayRange, nowMs],
  );

  return {
    calendarList,
    calendars,
    shown,
    /** The first answers are not here yet. */
    isLoading: calendars === undefined || shown.isPending,
    events: drawn,
    visibleEvents: events,
    /** Search or filter leave events out. */
    isThinned: q !== '' || filter !== 'all',
    edits,
    conflicts,
    titleOf,
    conflictsToday,
  };
}

/** Events with a mark for what they meet today. */
function countToday(events: readonly GridEvent[], { fromMs, toMs }: EventRange, nowMs: number): number {
  const clipped = events.map((event) => ({
    ...event,
    startMs: Math.max(event.startMs, fromMs),
    endMs: Math.min(event.endMs, toMs),
  }));
  return findConflicts(clipped, nowMs).size;
}

/** From the first to the last of the ranges. */
function spanOf(ranges: readonly EventRange[]): EventRange {
  return {
    fromMs: Math.min(...ranges.map((range) => range.fromMs)),
    toMs: Math.max(...ranges.map((range) => range.toMs)),
  };
}
