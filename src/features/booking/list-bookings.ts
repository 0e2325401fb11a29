import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { HostBooking } from './rules/booking-endpoints.ts';
import { showHostBooking } from './rules/host-booking-view.ts';
import { type ListedScope, listHostRows } from './store/host-bookings.ts';

const usual = 50;

/** Bookings of a host, by their time: what comes first the soonest, what is over the latest. */
export async function listBookings(
  app: App,
  { userId }: { userId: UserId },
  { scope, limit = usual, after }: { scope: ListedScope; limit?: number | undefined; after?: string | undefined },
): Promise<HostBooking[]> {
  const rows = await listHostRows(app.db, userId, { scope, nowMs: app.clock.nowMs(), limit, after: after ?? null });
  return rows.map(showHostBooking);
}
