import type { BookingState } from './booking-states.ts';

/** The deadline of a guest for changing a booking, epoch ms: the notice that its policy wants before the start. */
export const changeUntilMs = (startMs: number, { until_minutes }: { until_minutes: number }) =>
  startMs - until_minutes * 60_000;

/** States in which a booking can be cancelled or moved. */
export const changeable = ['awaiting-mail', 'pending', 'confirmed'] as const satisfies readonly BookingState[];
export const isChangeable = (state: BookingState) => (changeable as readonly BookingState[]).includes(state);

/** The dates of a series after one of them that can be canceled together with it. */
export function laterOf<Date extends { id: string; startMs: number; state: BookingState }>(
  series: readonly Date[],
  { id }: { id: string },
): Date[] {
  const one = series.find((each) => each.id === id);
  return one === undefined ? [] : series.filter(({ startMs, state }) => startMs > one.startMs && isChangeable(state));
}
