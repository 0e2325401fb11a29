import type { BookingId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { listAudit } from './store/booking-audit.ts';

/** Lists the changes of a booking in order. */
export async function listHistory(app: App, id: BookingId) {
  return (await listAudit(app.db, id)).map(({ atMs, actor, kind, details }) => ({ at: atMs, actor, kind, details }));
}
