import { useCallback, useMemo, useState } from 'react';
import type { Zone } from '#kernel/time/zones.ts';
import { agendaDays, rangeOf, type ShownDays } from './shown-range.ts';

/** How far an agenda was opened from its first day on: four weeks at a time, both ways. */
export function useAgendaPages(day: number, zone: Zone) {
  const [opened, setOpened] = useState({ day, earlier: 0, later: 0 });
  // Another day in the address is another agenda.
  const { earlier, later } = opened.day === day ? opened : { earlier: 0, later: 0 };
  const days: ShownDays = useMemo(
    () => ({ firstDay: day - earlier * agendaDays, dayCount: (earlier + 1 + later) * agendaDays }),
    [day, earlier, later],
  );
  const ranges = useMemo(
    () =>
      Array.from({ length: earlier + 1 + later }, (_, page) =>
        rangeOf({ firstDay: days.firstDay + page * agendaDays, dayCount: agendaDays }, zone),
      ),
    [days, earlier, later, zone],
  );
  const showEarlier = useCallback(() => setOpened({ day, earlier: earlier + 1, later }), [day, earlier, later]);
  const showLater = useCallback(() => setOpened({ day, earlier, later: later + 1 }), [day, earlier, later]);
  return { days, ranges, showEarlier, showLater };
}
