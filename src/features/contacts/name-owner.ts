import { actInTeam, listMembers } from '#features/teams/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { ContactId, TeamId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { contactsTopic } from './events.ts';
import { loadContact } from './load-contact.ts';
import { listAddresses } from './store/contact-rows.ts';
import { setOwner } from './store/owner-rows.ts';

/**
 * Who in a team looks after a contact, at every address they have. *Errors*: AppError not-found, forbidden, conflict
 * (`NO_MEMBER`).
 */
export function nameOwner(
  app: Pick<App, 'db' | 'feed'>,
  actor: Actor,
  { id, team_id: teamId }: { id: ContactId; team_id: TeamId },
  ownerId: string | null,
): Promise<void> {
  return actInTeam(app, actor, teamId, 'manage-routing', async (tx) => {
    await loadContact(tx, actor.userId, id);
    const owner = ownerId === null ? null : (await listMembers(tx, teamId)).find((one) => one.userId === ownerId);
    if (owner === undefined)
      throw new AppError(
        'conflict',
        'NO_MEMBER',
        'They are not in this team any more. Nothing was changed; choose somebody else.',
      );
    const addresses = (await listAddresses(tx, [id])).map(({ address }) => address);
    await setOwner(tx, teamId, addresses, owner?.userId ?? null);
    await app.feed.publish(tx, actor.userId, contactsTopic);
  });
}
