import type { Output } from '#kernel/contract.ts';
import { minuteMs } from '#kernel/time/civil.ts';
import type { Span } from '#kernel/time/intervals.ts';
import type { slotEndpoints } from './slot-endpoints.ts';

/** The public times of an event type. *Units*: epoch minutes. */
export type ShownSlots = Output<(typeof slotEndpoints)['listSlots']>;

export interface SlotRange {
  from: number;
  to: number;
}

export const spanOf = ({ from, to }: SlotRange): Span => ({ startMs: from * minuteMs, endMs: to * minuteMs });

interface Offered {
  starts: readonly number[];
  seatsLeft: number[] | null;
  next: number | null;
  withheld: boolean;
}

export const showSlots = ({ starts, seatsLeft, next, withheld }: Offered): ShownSlots => ({
  starts: starts.map((startMs) => startMs / minuteMs),
  seats_left: seatsLeft,
  next: next === null ? null : next / minuteMs,
  withheld,
});
