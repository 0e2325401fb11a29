const dayMs = 86_400_000;

/** Days before and after today for which instances of series are kept ready; beyond, they are expanded when asked. */
export const spanWindowDays = { past: 90, future: 400 } as const;

/** The window of materialised instances around `nowMs`, on UTC day boundaries, half-open, epoch ms. */
export function spanWindow(nowMs: number): { fromMs: number; toMs: number } {
  const today = Math.floor(nowMs / dayMs) * dayMs;
  return { fromMs: today - spanWindowDays.past * dayMs, toMs: today + (spanWindowDays.future + 1) * dayMs };
}

/** Until when the instances of series are ready for sure: the window moves at midnight, what is in it within the day. */
export function readyUntil(nowMs: number): number {
  return spanWindow(nowMs).toMs - 2 * dayMs;
}
