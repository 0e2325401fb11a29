import { useCallback, useEffect, useMemo, useState } from 'react';
import type { OpenedEvent } from './opened-event.ts';
import type { CalendarData } from './use-calendar-data.ts';
import type { CalendarPlace } from './use-calendar-place.ts';

/** Why the event that the address names cannot be shown: it is not there any more, or its calendar is hidden. */
export type MissingEvent = 'gone' | 'hidden';

/**
 * Opens the event that the address names. One that is not among the days on screen is asked for, and the calendar goes
 * to its day.
 */
export function useOpenedEvent(
  { search, zone, change }: CalendarPlace,
  { isLoading, visibleEvents }: CalendarData,
): { event: OpenedEvent; missing: MissingEvent | undefined } {
  const { event: opened, day: shownDay } = search;
  const [missing, setMissing] = useState<MissingEvent>();
  const isElsewhere = opened !== undefined && !isLoading && !visibleEvents.some(({ id }) => id === opened);
  useEffect(() => {
    if (opened === undefined || !isElsewhere) return;
    const asking = new AbortController();
    const find = async () => {
      const { findEventDay } = await import('./find-event-day.ts');
      const day = await findEventDay(opened, zone, asking.signal);
      if (asking.signal.aborted) return;
      const isShown = day !== undefined && day === shownDay;
      setMissing(day === undefined ? 'gone' : isShown ? 'hidden' : undefined);
      change(day === undefined || isShown ? { event: undefined } : { day }, true);
    };
    // Not reached: the address keeps the event, and the next answer of the server tries again.
    find().catch(() => {});
    return () => asking.abort();
  }, [opened, isElsewhere, zone, shownDay, change]);
  const onClosed = useCallback(() => change({ event: undefined }, true), [change]);
  const event = useMemo(() => ({ opened, onClosed }), [opened, onClosed]);
  return { event, missing };
}
