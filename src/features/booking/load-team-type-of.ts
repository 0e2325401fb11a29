import { AppError } from '#kernel/errors.ts';
import type { TeamId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import type { Booking } from './store/bookings.ts';
import { type EventType, findType } from './store/event-type-rows.ts';

/** The event type of a booking that has several hosts to choose from. *Errors*: AppError conflict (NO_TEAM). */
export async function loadTeamTypeOf(
  db: Database,
  { eventTypeId }: Pick<Booking, 'eventTypeId'>,
): Promise<EventType & { teamId: TeamId }> {
  const type = eventTypeId === null ? null : await findType(db, eventTypeId);
  if (type === null || type.teamId === null)
    throw new AppError('conflict', 'NO_TEAM', "This booking isn't with a team. Nothing was changed.");
  return { ...type, teamId: type.teamId };
}
