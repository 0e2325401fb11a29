import { useCallback, useMemo } from 'react';
import { loadZone, utc, type Zone } from '#kernel/time/zones.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { offHours, usualHours, type WallPart } from './off-hours.ts';
import type { CalendarPlace } from './use-calendar-place.ts';
import type { useChangePreferences } from './use-calendar-preferences.ts';

/** The zones of the calendar: the one it is read in, those beside it, and the person's own, in which they work. */
export function useCalendarZones(
  { search, zone, change }: CalendarPlace,
  preferences: ReturnType<typeof useChangePreferences>,
) {
  const { zone: ownName, moreZones: remembered } = usePreferences();
  const { zone2, zone3 } = search;
  const moreZones = useMemo(() => {
    // What the address says goes before what is remembered.
    const asked = zone2 === undefined && zone3 === undefined ? remembered : [zone2, zone3];
    const names = [...new Set(asked)].filter((name) => name !== undefined && name !== zone.id);
    return names.map((name) => loadZone(name ?? '')).filter((one): one is Zone => one !== null);
  }, [zone2, zone3, remembered, zone]);
  const own = loadZone(ownName) ?? utc;
  const offHoursOf = useCallback(
    (dayNumber: number): WallPart[] => offHours(dayNumber, zone, own, usualHours),
    [zone, own],
  );
  const { mutate } = preferences;
  const showZone = useCallback(
    (name: string) => change({ zone: name === ownName ? undefined : name }),
    [change, ownName],
  );
  const rememberZones = useCallback(
    (names: readonly string[]) => {
      mutate({ moreZones: [...names] });
      change({ zone2: undefined, zone3: undefined }, true);
    },
    [mutate, change],
  );
  return { moreZones, own, offHoursOf, showZone, rememberZones };
}
