import { listChangedSince } from '#features/calendar/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Span } from '#kernel/time/intervals.ts';
import type { App } from '#platform/app.ts';
import { chooseTarget } from './choose-target.ts';
import type { PublicType } from './find-public-type.ts';
import { listInTheWay } from './list-in-the-way.ts';
import { keepPreventions } from './store/preventions.ts';

/** So lately an event may have come that somebody was still offered its time. */
const lateMs = 3_600_000;

/**
 * Records a booking that was refused because its time had become busy. Time that was busy for longer was offered to
 * nobody, so a request for it is not a prevented conflict.
 */
export async function noteRejected(app: App, offer: PublicType, time: Span): Promise<void> {
  for (const { userId } of offer.type.hosts) await noteRejectedBy(app, offer, time, userId);
}

async function noteRejectedBy(app: App, offer: PublicType, time: Span, hostId: UserId): Promise<void> {
  const { type } = offer;
  const { buffer_before_minutes: before, buffer_after_minutes: after } = type.settings;
  const range = { startMs: time.startMs - before * 60_000, endMs: time.endMs + after * 60_000 };
  const inTheWay = await listInTheWay(app.db, type, hostId, range, app.clock.nowMs());
  if (inTheWay.length === 0) return;
  const changed = await listChangedSince(
    app.db,
    hostId,
    inTheWay.map(({ itemId }) => itemId),
    lateMs,
  );
  await keepPreventions(
    app.db,
    {
      kind: 'rejected',
      hostId,
      eventTypeId: type.id,
      targetCalendarId: (await chooseTarget(app.db, offer, hostId)).calendarId,
      nowMs: app.clock.nowMs(),
    },
    inTheWay.filter(({ itemId }) => changed.has(itemId)),
  );
}
