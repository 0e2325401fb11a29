import { listOpenHours } from '#features/availability/public.ts';
import type { UserId } from '#kernel/ids.ts';
import { contains } from '#kernel/time/intervals.ts';
import type { App } from '#platform/app.ts';
import type { HostBooking } from './rules/booking-endpoints.ts';
import type { TypeSettings } from './rules/type-settings.ts';
import { showHostBookings } from './show-host-bookings.ts';
import { listTypes } from './store/event-type-rows.ts';
import { listHostRows } from './store/host-bookings.ts';
import { listLinks } from './store/links.ts';

/** As many as anybody goes through by hand. */
const most = 200;

/**
 * Bookings to come that lie outside the hours which their event type follows now; what was booked stays booked. Times that
 * the host picked by hand are left out. Six queries.
 */
export async function listOutsideHours(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { userId }: { userId: UserId },
): Promise<HostBooking[]> {
  const nowMs = clock.nowMs();
  const page = { nowMs, limit: most, after: null };
  const [confirmed, pending, types, links] = await Promise.all([
    listHostRows(db, { userId }, { scope: 'upcoming', ...page }),
    listHostRows(db, { userId }, { scope: 'pending', ...page }),
    listTypes(db, userId),
    listLinks(db, userId, null),
  ]);
  const picked = new Set(links.filter(({ kind }) => kind === 'times').map(({ id }) => id));
  const isPicked = (linkId: (typeof links)[number]['id'] | null) => linkId !== null && picked.has(linkId);
  const rows = [...confirmed, ...pending].filter(({ startMs, linkId }) => startMs > nowMs && !isPicked(linkId));
  if (rows.length === 0) return [];
  const policyOf = new Map(types.map(({ id, settings }) => [id, settings.policy]));
  const policies = rows.map(
    ({ eventTypeId }): TypeSettings['policy'] =>
      (eventTypeId === null ? undefined : policyOf.get(eventTypeId)) ?? { kind: 'default' },
  );
  const range = { startMs: nowMs, endMs: Math.max(...rows.map(({ endMs }) => endMs)) };
  const distinct = [...new Map(policies.map((policy) => [JSON.stringify(policy), policy])).entries()];
  const open = await listOpenHours(
    db,
    distinct.map(([, policy]) => ({ userId, policy })),
    range,
    nowMs,
  );
  const spansOf = new Map(distinct.map(([key], n) => [key, open[n]?.spans ?? []]));
  const outside = rows
    .filter((row, n) => !contains(spansOf.get(JSON.stringify(policies[n])) ?? [], row))
    .sort((one, other) => one.startMs - other.startMs);
  return showHostBookings(db, outside);
}
