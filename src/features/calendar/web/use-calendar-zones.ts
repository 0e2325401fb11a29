import { useCallback, useMemo } from 'react';
import { loadZone, utc, type Zone } from '#kernel/time/zones.ts';
import { useChangePreferences, usePreferences } from '#ui/preferences.tsx';
import type { CalendarPlace } from './use-calendar-place.ts';

/** The zones of the calendar: the one it is read in, those beside it, and the person's own. */
export function useCalendarZones({ search, zone, change }: CalendarPlace) {
  const { zone: ownName, moreZones: remembered } = usePreferences();
  const { zone2, zone3 } = search;
  const moreZones = useMemo(() => {
    // zones in the address override the remembered ones
    const asked = zone2 === undefined && zone3 === undefined ? remembered : [zone2, zone3];
    const names = [...new Set(asked)].filter((name) => name !== undefined && name !== zone.id);
    return names.map((name) => loadZone(name ?? '')).filter((one): one is Zone => one !== null);
  }, [zone2, zone3, remembered, zone]);
  const own = loadZone(ownName) ?? utc;
  const changePreferences = useChangePreferences();
  const showZone = useCallback(
    (name: string) => change({ zone: name === ownName ? undefined : name }),
    [change, ownName],
  );
  const rememberZones = useCallback(
    (names: readonly string[]) => {
      changePreferences({ moreZones: names });
      change({ zone2: undefined, zone3: undefined }, true);
    },
    [changePreferences, change],
  );
  return { moreZones, own, showZone, rememberZones };
}
