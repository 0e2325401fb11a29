import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { dayMs } from '#kernel/time/civil.ts';
import type { Zone } from '#kernel/time/zones.ts';
import { offHours, type WallPart } from './off-hours.ts';
import type { EventRange } from './queries.ts';

/** Hours are asked for in blocks of four weeks and their neighbours, so that the next week has them already. */
const blockMs = 28 * dayMs;

/** Returns the hours of each day outside the person's open hours; undefined until they are loaded. */
export function useOffHours(
  range: EventRange | undefined,
  zone: Zone,
): ((dayNumber: number) => WallPart[]) | undefined {
  const startMs = Math.floor((range?.fromMs ?? 0) / blockMs - 1) * blockMs;
  const endMs = Math.ceil((range?.toMs ?? 0) / blockMs + 1) * blockMs;
  const { data: open } = useQuery({
    queryKey: ['availability', 'open', startMs, endMs],
    queryFn: async ({ signal }) => (await import('./open-hours.ts')).fetchOpenHours({ startMs, endMs }, signal),
    enabled: range !== undefined,
    placeholderData: keepPreviousData,
  });
  const offOn = useCallback((dayNumber: number) => offHours(dayNumber, zone, open ?? []), [zone, open]);
  return open === undefined ? undefined : offOn;
}
