/** The door of teams: who is in which, and what they may do there. */

export { listReceivedInvitations } from './invitations.ts';
export { actInTeam, listMembers, membersReading, requirePermission } from './members.ts';
export { may, type TeamRole } from './rules.ts';
export { findMailLogo } from './store/logos.ts';
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
