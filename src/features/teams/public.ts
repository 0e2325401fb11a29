import type { TeamId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { readAlone } from '#platform/reading.ts';
import { type Team, teamReading } from './store/teams.ts';

/** The door of teams: who is in which, and what they may do there. */

export { listReceivedInvitations } from './invitations.ts';
export { actInTeam, listMembers, membersReading, requirePermission } from './members.ts';
export { may, type TeamRole } from './rules.ts';
export {
  findOwnerId,
  listMemberIds,
  listMembersWhoMay,
  listRoles,
  listTeammates,
  listTeamsOf,
  ownerOf,
} from './store/members.ts';
export { type Team, teamReading } from './store/teams.ts';
export { insertDeed as recordDeed } from './store/trail.ts';
export { exportTeams } from './teams.ts';

/** As anybody may see it; null for one that is deleted. */
export function findTeam(db: Database, teamId: TeamId): Promise<Team | null> {
  return readAlone(db, teamReading(teamId));
}
