import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { loadZone, utc, type Zone } from '#kernel/time/zones.ts';
import { usePreferences } from '#ui/preferences.tsx';
import type { CalendarSearch, CalendarView } from './calendar-search.ts';
import { type ShownDays, shownDays, stepFrom, type WeekShape } from './shown-range.ts';
import { dayNumberOf, dayOfNumber, wallTime } from './wall-clock.ts';

export interface CalendarPlace {
  search: CalendarSearch;
  view: CalendarView;
  zone: Zone;
  /** Days since 1970-01-01. */
  day: number;
  today: number;
  days: ShownDays;
  shape: WeekShape;
  /** Writes into the address; `undefined` drops a key. */
  change: (next: CalendarSearch, replace?: boolean) => void;
  goTo: (day: number, view?: CalendarView) => void;
  step: (direction: -1 | 1) => void;
}

/** Where in time the calendar is, as the address says it, and the ways elsewhere. */
export function useCalendarPlace(nowMs: number): CalendarPlace {
  const preferences = usePreferences();
  const search: CalendarSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const zone = loadZone(search.zone ?? preferences.zone) ?? utc;
  const view = search.view ?? 'week';
  const today = wallTime(zone, nowMs).dayNumber;
  const day = search.day === undefined ? today : dayNumberOf(search.day);
  const { weekStart, weekends } = preferences;
  const shape = useMemo(() => ({ weekStart, weekends }), [weekStart, weekends]);
  const days = useMemo(() => shownDays(day, view, shape), [day, view, shape]);

  const change = useCallback(
    (next: CalendarSearch, replace = false) => {
      void navigate({ to: '/calendar', search: (before: CalendarSearch) => ({ ...before, ...next }), replace });
    },
    [navigate],
  );
  const goTo = useCallback(
    (next: number, nextView?: CalendarView) =>
      change({
        // defaults and the current day are left out of the address
        day: next === today ? undefined : dayOfNumber(next),
        ...(nextView === undefined ? {} : { view: nextView === 'week' ? undefined : nextView }),
      }),
    [change, today],
  );
  const step = useCallback((direction: -1 | 1) => goTo(stepFrom(day, view, direction)), [goTo, day, view]);
  return { search, view, zone, day, today, days, shape, change, goTo, step };
}
