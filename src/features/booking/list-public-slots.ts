import type { Output } from '#kernel/contract.ts';
import { minuteMs } from '#kernel/time/civil.ts';
import type { App } from '#platform/app.ts';
import { findOffer } from './find-offer.ts';
import { listSlots } from './list-slots.ts';
import type { slotEndpoints } from './rules/slot-endpoints.ts';

/** What can be booked at an address, as guests' browsers ask for it. *Errors*: AppError not-found, invalid (RANGE, DURATION). */
export async function listPublicSlots(
  app: Pick<App, 'db' | 'clock'>,
  address: { handle: string; slug: string },
  { from, to, duration }: { from: number; to: number; duration?: number | undefined },
): Promise<Output<(typeof slotEndpoints)['listSlots']>> {
  const found = await findOffer(app, address);
  const durationMinutes = duration ?? found.link?.durationMinutes ?? found.type.settings.durations_minutes[0] ?? 0;
  const range = { startMs: from * minuteMs, endMs: to * minuteMs };
  const { starts, seatsLeft, next } = await listSlots(app, { found, range, durationMinutes });
  return {
    starts: starts.map((startMs) => startMs / minuteMs),
    seats_left: seatsLeft,
    next: next === null ? null : next / minuteMs,
  };
}
