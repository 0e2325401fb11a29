import { useEffect, useRef, useState } from 'react';
import { newId } from '#kernel/new-id.ts';
import type { BookingData } from '../rules/visit-data.ts';
import { readLoss, readNear, readRefused } from '../rules/write-booking.ts';
import { callApi } from './call-api.ts';
import { minuteOfInstant } from './moments.ts';

interface Held {
  /** Epoch minute, or that it is over. */
  until: number | 'over' | null;
  /** The time was gone before it could be kept: others near to it. */
  near: readonly number[] | null;
  /** The start that was gone: the chosen one, or another date of its series. */
  refused: number | null;
  why: 'taken' | 'not-offered';
  /** Why nothing can be booked here at the moment. */
  closed: string | null;
}

const nothing: Held = { until: null, near: null, refused: null, why: 'taken', closed: null };

/**
 * Keeps the chosen time while the form is open, and gives it back when it is closed. `settled`: the hold, once it is
 * answered; who books before that would find their own in the way. It has its name from here: where the answer is lost,
 * the time may be kept all the same. A busy server is asked again, with longer and longer pauses, until the form is sent.
 */
export function useHold(
  data: BookingData,
  slot: number | null,
  duration: number,
  /** The length of a series, and the changes of single dates. */
  repeated: { times?: number; changes?: { start: number; instead: number | null }[] } = {},
): Held & { settled(): Promise<string | null> } {
  const [held, setHeld] = useState(nothing);
  const asked = useRef<Promise<string | null>>(Promise.resolve(null));
  const retry = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** Release of the previous reservation, which may overlap the new one. */
  const before = useRef<Promise<unknown> | null>(null);
  const dates = JSON.stringify(repeated);
  const { api, moving } = data;
  useEffect(() => {
    if (slot === null || moving !== null) return undefined;
    const id = newId();
    let mayStand = false;
    let isAnswered = false;
    let left = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const letGo = () => {
      const wasStanding = mayStand;
      mayStand = false;
      return wasStanding ? callApi('DELETE', `${api}/holds/${id}`, undefined, { keepalive: true }) : null;
    };
    const earlier = before.current;
    const take = async (tries = 0): Promise<string | null> => {
      if (earlier !== null) await earlier;
      if (left) return null;
      const stood = mayStand;
      mayStand = true;
      isAnswered = false;
      const answer = await callApi<{ expires_at: string }>('POST', `${api}/holds`, {
        start: slot,
        duration,
        hold_id: id,
        ...JSON.parse(dates),
      });
      isAnswered = true;
      // a refusal for now says nothing of the requests before it
      mayStand = answer.ok || isUnknown(answer.status) || (stood && answer.status === 429);
      if (left) {
        await letGo();
        return null;
      }
      if (!answer.ok) {
        const why = readLoss(answer);
        if (why !== null)
          setHeld({ ...nothing, near: readNear(answer.fields), refused: readRefused(answer.fields), why });
        else if (answer.code === 'NOT_BOOKABLE') setHeld({ ...nothing, closed: answer.message });
        else if (tries < mostRetries && (isUnknown(answer.status) || answer.status === 429))
          retry.current = setTimeout(
            () => {
              asked.current = take(tries + 1);
            },
            1_000 * 2 ** tries,
          );
        return mayStand ? id : null;
      }
      const until = minuteOfInstant(answer.body.expires_at);
      setHeld({ ...nothing, until: Math.floor(until) });
      const nowMs = performance.timeOrigin + performance.now();
      timer = setTimeout(() => setHeld({ ...nothing, until: 'over' }), until * 60_000 - nowMs);
      return id;
    };
    asked.current = take();
    // a tab that is closed runs no clean-up
    const leave = () => void letGo();
    addEventListener('pagehide', leave);
    return () => {
      left = true;
      clearTimeout(timer);
      clearTimeout(retry.current);
      removeEventListener('pagehide', leave);
      before.current = isAnswered ? Promise.resolve(letGo()) : asked.current;
      asked.current = Promise.resolve(null);
      setHeld(nothing);
    };
  }, [api, moving, slot, duration, dates]);
  const settled = () => {
    // a request after the booking would find that booking in its way
    clearTimeout(retry.current);
    return asked.current;
  };
  return { ...held, settled };
}

/** After 1, 2, 4, 8, and 16 seconds. */
const mostRetries = 5;

/** Whether the outcome is unknown: no answer, or one from a proxy. */
const isUnknown = (status: number) => status === 0 || status >= 500;
