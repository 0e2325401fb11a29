import type { FindContactOwner } from '#features/booking/public.ts';
import { actInTeam, listMembers } from '#features/teams/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { ContactId, TeamId, UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { Database } from '#platform/db.ts';
import { readAlone } from '#platform/reading.ts';
import { lockContact } from './contacts.ts';
import { contactsTopic } from './events.ts';
import { listAddresses } from './store/contact-rows.ts';
import { findOwnContact, findTeamContact, type KnownContact, ownerReading, setOwner } from './store/owner-rows.ts';

/**
 * The owner of a guest's address, with the owner's tags, or null. A team names the owner. Without a team, it is the user if
 * they have that contact. One statement.
 */
export const findKnown = (
  db: Database,
  { userId, teamId }: { userId: UserId; teamId: null } | { userId: null; teamId: TeamId },
  email: string,
): Promise<KnownContact | null> =>
  teamId === null ? findOwnContact(db, userId, email) : findTeamContact(db, teamId, email);

/** The owner of a guest's address in a team if the owner is among these people. Otherwise null. */
export const findOwner: FindContactOwner = async (db, { teamId, email, among }) => {
  const owner = await readAlone(db, ownerReading(teamId, email));
  return owner !== null && among.includes(owner) ? owner : null;
};

/**
 * Sets the owner of a contact in a team, for all of its addresses. *Errors*: AppError not-found, forbidden, conflict
 * (`NO_MEMBER`).
 */
export function changeOwner(
  app: Pick<App, 'db' | 'feed'>,
  actor: Actor,
  { id, team_id: teamId }: { id: ContactId; team_id: TeamId },
  ownerId: string | null,
): Promise<void> {
  return actInTeam(app, actor, teamId, 'manage-routing', async (tx) => {
    await lockContact(tx, actor.userId, id);
    const owner = ownerId === null ? null : (await listMembers(tx, teamId)).find((one) => one.userId === ownerId);
    if (owner === undefined)
      throw new AppError('conflict', 'NO_MEMBER', 'This person is no longer in the team. Choose someone else.');
    const addresses = (await listAddresses(tx, [id])).map(({ address }) => address);
    await setOwner(tx, teamId, addresses, owner?.userId ?? null);
    await app.feed.publish(tx, actor.userId, contactsTopic);
  });
}
