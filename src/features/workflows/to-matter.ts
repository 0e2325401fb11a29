import type { BookingFacts } from '#features/booking/public.ts';
import type { Matter } from './rules/matter.ts';

/** What of a booking decides about its runs. */
export function toMatter(facts: BookingFacts, hostZone: string): Matter {
  const { state, sequence, eventTypeId, startMs, endMs, guest, guestNoShow, hostNoShow, isFirst, isAlongside } = facts;
  return {
    state,
    sequence,
    eventTypeId,
    startMs,
    endMs,
    guestZone: guest.zone,
    hostZone,
    guestNoShow,
    hostNoShow,
    isFirst,
    isAlongside,
  };
}
