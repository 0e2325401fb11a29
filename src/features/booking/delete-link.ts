import { listTeamsOf, may } from '#features/teams/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { BookingLinkId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { typesTopic } from './events.ts';
import { deleteLink as removeLink } from './store/links.ts';

/** The link leads nowhere any more; what was booked stays. Managers of a team's event types end any link to one. *Errors*: AppError not-found. */
export async function deleteLink(app: App, { userId }: Actor, id: BookingLinkId): Promise<void> {
  const teams = await listTeamsOf(app.db, userId);
  const teamIds = teams.flatMap((team) => (may(team.role, 'manage-event-types') ? [team.id] : []));
  await inTransaction(app.db, async (tx) => {
    if (!(await removeLink(tx, userId, teamIds, id))) throw new AppError('not-found', 'NOT_FOUND', 'Link not found.');
    await app.feed.publish(tx, userId, typesTopic);
  });
}
