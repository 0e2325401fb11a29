import type * as z from 'zod/mini';
import type { meetingRowShape } from '../contract.ts';

type Status = z.output<typeof meetingRowShape>['status'];

export function statusOfEvent(
  event: { declined: boolean; tentative: boolean; end_time: string },
  nowMs: number,
): Status {
  if (event.declined) return 'Declined';
  if (Temporal.Instant.from(event.end_time).epochMilliseconds <= nowMs) return 'Completed';
  return event.tentative ? 'Tentative' : 'Confirmed';
}

/** A meeting to which none of the expected people came is a no-show. */
export function statusOfBooking(
  { comers, endMs }: { comers: readonly { state: string; guestNoShow: boolean }[]; endMs: number },
  nowMs: number,
): Status {
  if (comers.every(({ state }) => state !== 'confirmed')) return 'Cancelled';
  if (comers.every(({ guestNoShow }) => guestNoShow)) return 'No-show';
  return endMs <= nowMs ? 'Completed' : 'Confirmed';
}
