import type { Database } from '#platform/db.ts';
import type { TypeSettings } from './rules/type-settings.ts';
import type { Booking } from './store/bookings.ts';
import { wasAskedToMove } from './store/questions.ts';

/** A guest may choose another time while the event type takes bookings, or where the host asked for another time. */
export async function isMovable(
  db: Database,
  { appointmentId }: Booking,
  { settings }: { settings: Pick<TypeSettings, 'paused'> },
): Promise<boolean> {
  return !settings.paused || wasAskedToMove(db, appointmentId);
}
