import type { BookingState } from './booking-states.ts';

/** What a guest may still do with a booking is over then, epoch ms: so long before it begins as its host wants to know. */
export const changeUntilMs = (startMs: number, { until_minutes }: { until_minutes: number }) =>
  startMs - until_minutes * 60_000;

/** States in which a booking can be cancelled or moved. */
export const changeable = ['awaiting-mail', 'pending', 'confirmed'] as const satisfies readonly BookingState[];
export const isChangeable = (state: BookingState) => (changeable as readonly BookingState[]).includes(state);
