import type { RawRoute } from '#platform/raw-route.ts';
import { bindRoutes } from '#platform/routes.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { acceptTransfer } from './accept-transfer.ts';
import { changeLogo } from './change-logo.ts';
import { changeMemberRole } from './change-member-role.ts';
import { changeSharing } from './change-sharing.ts';
import { changeTeam } from './change-team.ts';
import { teamsContract } from './contract.ts';
import { createTeam } from './create-team.ts';
import { declineInvitation } from './decline-invitation.ts';
import { deleteTeam } from './delete-team.ts';
import { inviteMember } from './invite-member.ts';
import { listTeams } from './list-teams.ts';
import { offerTeam } from './offer-team.ts';
import { readInvitation } from './read-invitation.ts';
import { readTeamTrail } from './read-team-trail.ts';
import { removeMember } from './remove-member.ts';
import { resendInvitation } from './resend-invitation.ts';
import { restoreTeam } from './restore-team.ts';
import { serveLogo } from './serve-logo.ts';
import { showTeam } from './show-team.ts';
import { withdrawInvitation } from './withdraw-invitation.ts';
import { withdrawTransfer } from './withdraw-transfer.ts';

export const routes = bindRoutes(teamsContract, {
  listTeams: ({ app, actor }) => listTeams(app, actor),
  createTeam: async ({ app, actor, input }) => showTeam(app, actor, await createTeam(app, actor, input.body.name)),
  readTeam: ({ app, actor, input }) => showTeam(app, actor, input.params.teamId),
  changeTeam: async ({ app, actor, input }) => {
    await changeTeam(app, actor, input.params.teamId, input.body);
    return showTeam(app, actor, input.params.teamId);
  },
  changeLogo: async ({ app, actor, input }) => {
    await changeLogo(app, actor, input.params.teamId, input.body);
    return showTeam(app, actor, input.params.teamId);
  },
  removeLogo: async ({ app, actor, input }) => {
    await changeLogo(app, actor, input.params.teamId, null);
    return showTeam(app, actor, input.params.teamId);
  },
  deleteTeam: ({ app, actor, input }) => deleteTeam(app, actor, input.params.teamId, input.body.name),
  restoreTeam: async ({ app, actor, input }) => {
    await restoreTeam(app, actor, input.params.teamId);
    return showTeam(app, actor, input.params.teamId);
  },
  readTeamTrail: ({ app, actor, input }) => readTeamTrail(app, actor, input.params.teamId, input.query.before),

  changeMemberRole: async ({ app, actor, input: { params, body } }) => {
    await changeMemberRole(app, actor, params.teamId, { userId: params.userId, role: body.role });
    return showTeam(app, actor, params.teamId);
  },
  removeMember: ({ app, actor, input: { params } }) => removeMember(app, actor, params.teamId, params.userId),
  changeSharing: async ({ app, actor, input }) => {
    await changeSharing(app, actor, input.params.teamId, input.body.shares);
    return showTeam(app, actor, input.params.teamId);
  },
  offerTeam: async ({ app, actor, input }) => {
    await offerTeam(app, actor, input.params.teamId, input.body.user_id);
    return showTeam(app, actor, input.params.teamId);
  },
  withdrawTransfer: async ({ app, actor, input }) => {
    await withdrawTransfer(app, actor, input.params.teamId);
    return showTeam(app, actor, input.params.teamId);
  },
  acceptTransfer: async ({ app, actor, input }) => {
    await acceptTransfer(app, actor, input.params.teamId);
    return showTeam(app, actor, input.params.teamId);
  },

  inviteMember: async ({ app, actor, input }) => {
    await inviteMember(app, actor, input.params.teamId, input.body);
    return showTeam(app, actor, input.params.teamId);
  },
  resendInvitation: async ({ app, actor, input: { params } }) => {
    await resendInvitation(app, actor, params.teamId, params.invitationId);
    return showTeam(app, actor, params.teamId);
  },
  withdrawInvitation: async ({ app, actor, input: { params } }) => {
    await withdrawInvitation(app, actor, params.teamId, params.invitationId);
    return showTeam(app, actor, params.teamId);
  },
  readInvitation: ({ app, input }) => readInvitation(app, input.params.token),
  acceptInvitation: async ({ app, actor, input }) => ({
    team_id: await acceptInvitation(app, actor, input.params.invitationId),
  }),
  declineInvitation: ({ app, actor, input }) => declineInvitation(app, actor, input.params.invitationId),
});

export const rawRoutes: readonly RawRoute[] = [{ method: 'GET', path: '/team-logos/{file}', handle: serveLogo }];
