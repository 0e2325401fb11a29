import type { RawRoute } from '#platform/raw-route.ts';
import { bindRoutes } from '#platform/routes.ts';
import { teamsContract } from './contract.ts';
import {
  acceptInvitation,
  declineInvitation,
  getInvitationOfLink,
  inviteMember,
  resendInvitation,
  withdrawInvitation,
} from './invitations.ts';
import { changeLogo, serveLogo } from './logos.ts';
import { changeMemberRole, changeSharing, removeMember } from './members.ts';
import { changeTeam, createTeam, deleteTeam, getTeam, listTeams, readTeamTrail, restoreTeam } from './teams.ts';
import { acceptTransfer, offerTeam, withdrawTransfer } from './transfers.ts';

export const routes = bindRoutes(teamsContract, {
  listTeams: ({ app, actor }) => listTeams(app, actor),
  createTeam: async ({ app, actor, input }) => getTeam(app, actor, await createTeam(app, actor, input.body.name)),
  readTeam: ({ app, actor, input }) => getTeam(app, actor, input.params.teamId),
  changeTeam: async ({ app, actor, input }) => {
    await changeTeam(app, actor, input.params.teamId, input.body);
    return getTeam(app, actor, input.params.teamId);
  },
  changeLogo: async ({ app, actor, input }) => {
    await changeLogo(app, actor, input.params.teamId, input.body);
    return getTeam(app, actor, input.params.teamId);
  },
  removeLogo: async ({ app, actor, input }) => {
    await changeLogo(app, actor, input.params.teamId, null);
    return getTeam(app, actor, input.params.teamId);
  },
  deleteTeam: ({ app, actor, input }) => deleteTeam(app, actor, input.params.teamId, input.body.name),
  restoreTeam: async ({ app, actor, input }) => {
    await restoreTeam(app, actor, input.params.teamId);
    return getTeam(app, actor, input.params.teamId);
  },
  readTeamTrail: ({ app, actor, input }) => readTeamTrail(app, actor, input.params.teamId, input.query.before),

  changeMemberRole: async ({ app, actor, input: { params, body } }) => {
    await changeMemberRole(app, actor, params.teamId, { userId: params.userId, role: body.role });
    return getTeam(app, actor, params.teamId);
  },
  removeMember: ({ app, actor, input: { params } }) => removeMember(app, actor, params.teamId, params.userId),
  changeSharing: async ({ app, actor, input }) => {
    await changeSharing(app, actor, input.params.teamId, input.body.shares);
    return getTeam(app, actor, input.params.teamId);
  },
  offerTeam: async ({ app, actor, input }) => {
    await offerTeam(app, actor, input.params.teamId, input.body.user_id);
    return getTeam(app, actor, input.params.teamId);
  },
  withdrawTransfer: async ({ app, actor, input }) => {
    await withdrawTransfer(app, actor, input.params.teamId);
    return getTeam(app, actor, input.params.teamId);
  },
  acceptTransfer: async ({ app, actor, input }) => {
    await acceptTransfer(app, actor, input.params.teamId);
    return getTeam(app, actor, input.params.teamId);
  },

  inviteMember: async ({ app, actor, input }) => {
    await inviteMember(app, actor, input.params.teamId, input.body);
    return getTeam(app, actor, input.params.teamId);
  },
  resendInvitation: async ({ app, actor, input: { params } }) => {
    await resendInvitation(app, actor, params.teamId, params.invitationId);
    return getTeam(app, actor, params.teamId);
  },
  withdrawInvitation: async ({ app, actor, input: { params } }) => {
    await withdrawInvitation(app, actor, params.teamId, params.invitationId);
    return getTeam(app, actor, params.teamId);
  },
  readInvitation: ({ app, input }) => getInvitationOfLink(app, input.params.token),
  acceptInvitation: async ({ app, actor, input }) => ({
    team_id: await acceptInvitation(app, actor, input.params.invitationId),
  }),
  declineInvitation: ({ app, actor, input }) => declineInvitation(app, actor, input.params.invitationId),
});

export const rawRoutes: readonly RawRoute[] = [{ method: 'GET', path: '/team-logos/{file}', handle: serveLogo }];
