import { minuteMs } from '#kernel/time/civil.ts';
import { intersectSpans, normalizeSpans, type Span } from '#kernel/time/intervals.ts';
import { lengthOf } from './capacity.ts';
import { percent } from './figures.ts';

/** A time that shall be blocked in a calendar. */
export interface MirroredTime extends Span {
  targetId: string;
  /** Whether it exists, and was verified within a day. */
  isVerified: boolean;
}

/** How much of what shall be blocked is, in minutes: of each target what overlaps counts once (semantics 5). */
export function mirroredShare(times: readonly MirroredTime[], within: Span) {
  let required = 0;
  let mirrored = 0;
  for (const of of Map.groupBy(times, ({ targetId }) => targetId).values()) {
    const inside = (spans: readonly Span[]) => lengthOf(intersectSpans(normalizeSpans(spans), [within]));
    required += inside(of);
    mirrored += inside(of.filter(({ isVerified }) => isVerified));
  }
  return {
    mirrored_slots_pct: percent(mirrored, required),
    mirrored_minutes: Math.round(mirrored / minuteMs),
    required_minutes: Math.round(required / minuteMs),
  };
}
