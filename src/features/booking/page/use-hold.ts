import { useEffect, useState } from 'react';
import type { BookingData } from '../rules/visit-data.ts';
import { readNear } from '../rules/write-booking.ts';
import { callApi } from './call-api.ts';
import { minuteOfInstant } from './moments.ts';

interface Held {
  id: string | null;
  /** Epoch minute, or that it is over. */
  until: number | 'over' | null;
  /** The time was gone before it could be kept: others near to it. */
  near: readonly number[] | null;
}

const nothing: Held = { id: null, until: null, near: null };

/** Keeps the chosen time while the form is open, and gives it back when it is closed. */
export function useHold(data: BookingData, slot: number | null, duration: number): Held {
  const [held, setHeld] = useState(nothing);
  const { api, moving } = data;
  useEffect(() => {
    if (slot === null || moving !== null) return undefined;
    let id: string | null = null;
    let left = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const letGo = () => {
      if (id !== null) void callApi('DELETE', `${api}/holds/${id}`, undefined, { keepalive: true });
      id = null;
    };
    const take = async () => {
      const answer = await callApi<{ hold_id: string; expires_at: string }>('POST', `${api}/holds`, {
        start: slot,
        duration,
      });
      if (!answer.ok) {
        // What is limited or cannot be reached now is settled when the form is sent.
        const isGone = answer.code === 'SLOT_TAKEN' || answer.code === 'NOT_BOOKABLE';
        if (!left && isGone) setHeld({ ...nothing, near: readNear(answer.fields) });
        return;
      }
      id = answer.body.hold_id;
      if (left) return letGo();
      const until = minuteOfInstant(answer.body.expires_at);
      setHeld({ id, until: Math.floor(until), near: null });
      const nowMs = performance.timeOrigin + performance.now();
      timer = setTimeout(() => setHeld({ ...nothing, until: 'over' }), until * 60_000 - nowMs);
    };
    void take();
    // a tab that is closed runs no clean-up
    addEventListener('pagehide', letGo);
    return () => {
      left = true;
      clearTimeout(timer);
      removeEventListener('pagehide', letGo);
      letGo();
      setHeld(nothing);
    };
  }, [api, moving, slot, duration]);
  return held;
}
