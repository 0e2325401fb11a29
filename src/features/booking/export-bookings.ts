import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { type ExportPart, jsonPart } from '#platform/export-part.ts';
import { listAllBookings } from './store/host-bookings.ts';

/** What was booked with a person, and what happened to it; no address by which a guest manages it. */
export function exportBookings({ db }: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  return [jsonPart('bookings.json', () => listAllBookings(db, userId))];
}
