import { notBookable } from './slot-refusal.ts';
import type { TypeSettings } from './type-settings.ts';

/** Epoch ms. */
export interface Time {
  startMs: number;
  endMs: number;
}

/** The parts of an event type that decide how its time is claimed. */
interface Offered {
  type: { kind: string; settings: TypeSettings };
  link: { kind: string; durationMinutes: number | null } | null;
}

/** The time that somebody asks for. *Errors*: AppError conflict (NOT_BOOKABLE) for a duration that is not offered. */
export function wantedTime({ type, link }: Offered, asked: { start: number; duration?: number | undefined }): Time {
  const offered = link?.durationMinutes == null ? type.settings.durations_minutes : [link.durationMinutes];
  const minutes = asked.duration ?? offered[0] ?? 0;
  if (!offered.includes(minutes)) throw notBookable("This duration isn't available. Choose another.");
  return { startMs: asked.start * 60_000, endMs: (asked.start + minutes) * 60_000 };
}

/** Whether time is given away under the locks of its hosts: the constraint alone cannot count. */
export const needsLock = ({ type }: Offered) =>
  type.kind !== 'one-on-one' || Object.keys(type.settings.limits).length > 0;
