import type { BookingId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { listAudit } from './store/booking-audit.ts';

/** What happened to a booking, in its order. */
export async function listHistory(app: App, id: BookingId) {
  return (await listAudit(app.db, id)).map(({ atMs, actor, kind, details }) => ({ at: atMs, actor, kind, details }));
}
