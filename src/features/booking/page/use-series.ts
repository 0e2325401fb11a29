import { useCallback, useEffect, useState } from 'react';
import type { BookingData, SeriesDate } from '../rules/visit-data.ts';
import { callApi } from './call-api.ts';

/** The dates of a series before it is booked. */
export interface Series {
  /** Null: one date only, or not known (yet). */
  dates: readonly SeriesDate[] | null;
  /** They could not be read. */
  isUnknown: boolean;
  /** Asks again: one of them was taken meanwhile. */
  reload(): void;
}

interface Asked {
  slot: number | null;
  duration: number;
  times: number;
  /** The page's own hold, which is in the way of none of them. */
  settled(): Promise<string | null>;
}

export function useSeries(data: BookingData, { slot, duration, times, settled }: Asked): Series {
  const { api, moving } = data;
  const [turn, setTurn] = useState(0);
  const key = `${slot} ${duration} ${times} ${turn}`;
  const [known, setKnown] = useState({ key: data.series === null ? '' : key, dates: data.series });
  const isAsked = slot !== null && moving === null && times > 1;
  const isKnown = known.key === key;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `settled` is another in each render
  useEffect(() => {
    if (!isAsked || isKnown) return undefined;
    let left = false;
    const ask = async () => {
      const hold = await settled();
      const query = new URLSearchParams({ start: String(slot), duration: String(duration), times: String(times) });
      if (hold !== null) query.set('hold_id', hold);
      const answer = await callApi<{ dates: SeriesDate[] }>('GET', `${api}/series?${query}`);
      if (!left) setKnown({ key, dates: answer.ok ? answer.body.dates : null });
    };
    void ask();
    return () => {
      left = true;
    };
  }, [api, isAsked, isKnown, key]);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  return {
    dates: isAsked && isKnown ? known.dates : null,
    isUnknown: isAsked && isKnown && known.dates === null,
    reload,
  };
}
