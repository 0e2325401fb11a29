import { randomUUIDv7 } from 'node:crypto';
import { lockUser } from '#features/accounts/public.ts';
import type { TeamId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { demandRoom } from './demand-room.ts';
import { demandTeam } from './demand-team.ts';
import { insertMember } from './store/members.ts';
import { insertTeam } from './store/teams.ts';
import { insertDeed } from './store/trail.ts';
import { tellMembers } from './tell-members.ts';

/** A team whose only member is who makes it. *Errors*: AppError forbidden (`PLAN_LIMIT`), conflict (`TOO_MANY`). */
export async function createTeam(
  app: Pick<App, 'db' | 'feed' | 'config' | 'clock'>,
  { userId }: Actor,
  name: string,
): Promise<TeamId> {
  const teamId = randomUUIDv7() as TeamId;
  await inTransaction(app.db, async (tx) => {
    await lockUser(tx, userId);
    await demandRoom(tx, userId);
    await demandTeam(app, tx, userId);
    await insertTeam(tx, { id: teamId, name: name.normalize('NFC').trim() });
    await insertMember(tx, { teamId, userId, role: 'owner' });
    await insertDeed(tx, { teamId, kind: 'team-created', actorId: userId });
    await tellMembers(app, tx, teamId);
  });
  return teamId;
}
