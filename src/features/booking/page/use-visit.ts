import { type MouseEvent, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Output } from '#kernel/contract.ts';
import { rangeOfMonth } from '../rules/month-days.ts';
import type { slotEndpoints } from '../rules/slot-endpoints.ts';
import type { BookingData, Place, Reading, ZoneOffsets } from '../rules/visit-data.ts';
import { callApi } from './call-api.ts';
import { readMoments } from './moments.ts';
import { addressOf } from './place-address.ts';

/** A link that is followed without leaving the page, where there is script. */
export interface PlaceLink {
  href: string;
  onClick(event: MouseEvent<HTMLAnchorElement>): void;
}

export interface BusySpan {
  from: number;
  to: number;
}

/** Choosing a time: where the visitor is, which times there are, and how they are read. */
export interface Visit {
  data: BookingData;
  place: Place;
  reading: Reading;
  today: string;
  /** Days with their bookable starts, in order, as far as they are loaded. */
  free: ReadonlyMap<string, readonly number[]>;
  recommended: ReadonlySet<number>;
  /** After an empty month: the next start, null where there is none, undefined while that is not known. */
  nextStart: number | null | undefined;
  /** No times are told because a calendar is not up to date. */
  withheld: boolean;
  /** Free seats, for a group whose host shows them. */
  seatsLeft(minute: number): number | null;
  isLoading: boolean;
  /** Script runs: parts that need it may take the place of those that do not. */
  isLive: boolean;
  problem: 'not-loaded' | null;
  isBusy(minute: number): boolean;
  /** Whether the page offers a start, as far as it is loaded. */
  isFree(minute: number): boolean;
  setBusy(spans: readonly BusySpan[]): void;
  linkTo(change: Partial<Place>): PlaceLink;
  linkToClock(hour12: boolean): PlaceLink;
  setZone(zone: string): void;
  go(change: Partial<Place>): void;
  prefetch(month: string): void;
  retry(): void;
  /** Forgets what is loaded and asks again: somebody was faster. */
  reload(): void;
}

interface Month {
  starts: readonly number[];
  seatsLeft: readonly number[] | null;
  nextStart: number | null;
  withheld: boolean;
}

type Loaded = Readonly<Record<string, Month | 'failed'>>;

type Answer = Output<(typeof slotEndpoints)['listSlots']>;

const monthOfAnswer = ({ starts, seats_left: seatsLeft, next, withheld }: Answer): Month => ({
  starts,
  seatsLeft,
  nextStart: next,
  withheld,
});

const keyOf = (duration: number, month: string) => `${duration} ${month}`;

export function useVisit(data: BookingData): Visit {
  const [reading, setReading] = useState(data.reading);
  const [carried, setCarried] = useState(data.carried);
  const [place, setPlace] = useState(data.place);
  const [busy, setBusy] = useState<readonly BusySpan[]>([]);
  const [isLive, setLive] = useState(false);
  const [loaded, setLoaded] = useState<Loaded>(() => ({
    [keyOf(data.place.duration, data.place.month)]: data,
  }));
  const asked = useRef(new Set(Object.keys(loaded)));

  const load = useCallback(
    async (duration: number, month: string) => {
      const key = keyOf(duration, month);
      if (asked.current.has(key)) return;
      asked.current.add(key);
      const { from, to } = rangeOfMonth(month);
      const query = new URLSearchParams({
        from: String(Math.max(from, data.nowMinute)),
        to: String(to),
        duration: String(duration),
      });
      const answer = await callApi<Answer>('GET', `${data.api}/slots?${query}`);
      if (!answer.ok) asked.current.delete(key);
      setLoaded((before) => ({
        ...before,
        [key]: answer.ok ? monthOfAnswer(answer.body) : 'failed',
      }));
    },
    [data.api, data.nowMinute],
  );

  // another zone than the page came with: its offsets are asked for
  const range = data.reading.offsets;
  const isTold = range === undefined || reading.offsets?.zone === reading.zone;
  useEffect(() => {
    if (isTold) return;
    const { zone } = reading;
    const query = new URLSearchParams({ zone, from: String(range?.from), to: String(range?.to) });
    void callApi<ZoneOffsets>('GET', `/api/book/offsets?${query}`).then((answer) => {
      if (answer.ok) setReading((before) => (before.zone === zone ? { ...before, offsets: answer.body } : before));
    });
  }, [isTold, range, reading]);
  const moments = useMemo(() => readMoments(reading), [reading]);
  const now = loaded[keyOf(place.duration, place.month)];
  useEffect(() => {
    if (loaded[keyOf(place.duration, place.month)] === undefined) void load(place.duration, place.month);
  }, [load, loaded, place.duration, place.month]);

  const free = useMemo(() => {
    const starts = Object.entries(loaded)
      .filter(([key]) => key.startsWith(`${place.duration} `))
      .flatMap(([, month]) => (month === 'failed' ? [] : month.starts));
    const days = new Map<string, number[]>();
    for (const minute of [...new Set(starts)].sort((a, b) => a - b)) {
      const day = moments.dayOf(minute);
      const known = days.get(day);
      if (known === undefined) days.set(day, [minute]);
      else known.push(minute);
    }
    return days;
  }, [loaded, place.duration, moments]);

  const seats = useMemo(
    () =>
      new Map(
        Object.values(loaded).flatMap((month) =>
          month === 'failed' ? [] : (month.seatsLeft ?? []).map((left, n) => [month.starts[n] ?? 0, left] as const),
        ),
      ),
    [loaded],
  );

  const shown = useMemo(
    () => ({ ...place, day: place.day ?? [...free.keys()].find((day) => day.startsWith(place.month)) ?? null }),
    [place, free],
  );

  useRememberedPlace(place, setPlace);
  const setZone = (zone: string) => {
    setReading((before) => ({ ...before, zone }));
    setCarried((before) => ({ ...before, tz: zone }));
    remember('zone', zone);
  };
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (dataset.guessedZone === undefined || !own) return;
    // detected, and not chosen: it is not remembered, since a traveler is elsewhere next time
    if (own !== dataset.guessedZone) setReading((before) => ({ ...before, zone: own }));
  }, []);
  // After the times have been read again: see first-script.ts.
  useEffect(() => {
    setLive(true);
    document.documentElement.classList.remove('zoning');
    performance.mark('live'); // bench/public-page.ts
  }, []);

  const go = (change: Partial<Place>) => {
    const next = { ...place, zones: false, ...change };
    setPlace(next);
    const opens = next.slot !== null && place.slot === null;
    history[opens ? 'pushState' : 'replaceState'](next, '', addressOf({ ...data, carried }, next));
  };
  const follow = (act: () => void) => (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    act();
  };
  return {
    data,
    place: shown,
    reading,
    today: moments.dayOf(data.nowMinute),
    free,
    recommended: useMemo(() => new Set(data.recommended), [data.recommended]),
    nextStart: typeof now === 'object' ? now.nextStart : undefined,
    withheld: typeof now === 'object' && now.withheld,
    seatsLeft: (minute) => seats.get(minute) ?? null,
    isLoading: now === undefined,
    isLive,
    problem: now === 'failed' ? 'not-loaded' : null,
    isBusy: (minute) =>
      busy.some((span) => span.from < minute + place.duration && minute < span.to && !isOwn(span, data.moving)),
    isFree: (minute) => free.get(moments.dayOf(minute))?.includes(minute) === true,
    setBusy,
    linkTo: (change) => ({
      href: addressOf({ ...data, carried }, { ...shown, zones: false, ...monthOf(change), ...change }),
      onClick: follow(() => go({ ...monthOf(change), ...change })),
    }),
    linkToClock: (hour12) => ({
      href: addressOf({ ...data, carried: { ...carried, clock: hour12 ? '12' : '24' } }, shown),
      onClick: follow(() => {
        setReading((before) => ({ ...before, hour12 }));
        setCarried((before) => ({ ...before, clock: hour12 ? '12' : '24' }));
        remember('clock', hour12 ? '12' : '24');
      }),
    }),
    setZone,
    go,
    prefetch: (month) => void load(place.duration, month),
    retry: () => void load(place.duration, place.month),
    reload: () => {
      asked.current.clear();
      setLoaded({});
    },
  };
}

/** The booking that is moved is in its guest's calendar too. */
const isOwn = ({ from, to }: BusySpan, moving: BookingData['moving']) =>
  moving !== null && from >= moving.startMinute && to <= moving.startMinute + moving.durationMinutes;

/** A day of another month, such as the strip shows, takes its month along. */
const monthOf = ({ day }: Partial<Place>) => (typeof day === 'string' ? { month: day.slice(0, 7) } : {});

/** For the next page of whomever, which the server then writes as this visitor reads. */
function remember(name: 'zone' | 'clock', value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the other way is not in every browser, and asynchronous
  document.cookie = `hf-${name}=${encodeURIComponent(value)};path=/;max-age=31536000;samesite=lax`;
}

/** Back and forward go between what was shown. */
function useRememberedPlace(place: Place, setPlace: (place: Place) => void): void {
  const first = useRef(place);
  useEffect(() => {
    history.replaceState(first.current, '');
    const back = (event: PopStateEvent) => {
      if (event.state !== null) setPlace(event.state as Place);
    };
    addEventListener('popstate', back);
    return () => removeEventListener('popstate', back);
  }, [setPlace]);
}
