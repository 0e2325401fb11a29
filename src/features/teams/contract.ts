/**
 * Owns: teams, who is in them as what, and what each role may do.
 * Announces: teams.member-left; open browsers hear the topic teams.
 * Never: shows anything of a team to who is not in it; knows what a team is used for.
 */
import * as z from 'zod/mini';
import { fileBytes, id, instantMs, line, queryInt, text } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import { givenRoles, longestAbout, longestTeamName, teamDeeds, teamRoles } from './rules.ts';

const teamParams = z.strictObject({ teamId: id<'team'>() });
const memberParams = z.strictObject({ teamId: id<'team'>(), userId: id<'user'>() });
const invitationParams = z.strictObject({ teamId: id<'team'>(), invitationId: id<'team-invitation'>() });

const teamName = line(longestTeamName).check(z.trim(), z.minLength(1, { error: 'Give it a name' }));
const teamAbout = text(longestAbout);
const role = z.enum(teamRoles);
const givenRole = z.enum(givenRoles);
const sharing = z.enum(['busy', 'details']);

export const teamShape = z.object({
  id: id<'team'>(),
  name: z.string(),
  about: z.string(),
  logo_url: z.nullable(z.string()),
  /** The caller's. */
  role,
  /** How much other members see of the caller's calendars. */
  shares: sharing,
});

const personShape = z.object({ user_id: id<'user'>(), name: z.string() });

const memberShape = z.object({
  user_id: id<'user'>(),
  name: z.string(),
  email: z.string(),
  avatar_url: z.nullable(z.string()),
  zone: z.string(),
  role,
  shares: sharing,
  joined_at: instantMs,
});

const invitationShape = z.object({
  id: id<'team-invitation'>(),
  email: z.string(),
  role: givenRole,
  /** Null: gone. */
  invited_by: z.nullable(z.string()),
  sent_at: instantMs,
  expires_at: instantMs,
});

const wholeTeamShape = z.object({
  team: teamShape,
  /** The owner first, then by role and name. */
  members: z.array(memberShape),
  /** Open invitations; empty for members who may not see them. */
  invitations: z.array(invitationShape),
  /** Whom the owner asked to own the team; only they and the owner see it. */
  transfer: z.nullable(z.object({ to: personShape, asked_at: instantMs })),
});

const ownInvitation = z.strictObject({ invitationId: id<'team-invitation'>() });

const inviteEndpoints = {
  inviteMember: endpoint({
    method: 'POST',
    path: '/api/teams/{teamId}/invitations',
    auth: 'user',
    summary: 'Email a link to join. Only the owner of the address can accept. A new link replaces earlier ones',
    params: teamParams,
    body: z.strictObject({ email: line(400), role: givenRole }),
    output: wholeTeamShape,
    errors: ['ALREADY_MEMBER', 'TOO_MANY'],
  }),
  resendInvitation: endpoint({
    method: 'POST',
    path: '/api/teams/{teamId}/invitations/{invitationId}/resend',
    auth: 'user',
    summary: 'Email an invitation again with a new link. The previous link becomes invalid',
    params: invitationParams,
    output: wholeTeamShape,
  }),
  withdrawInvitation: endpoint({
    method: 'DELETE',
    path: '/api/teams/{teamId}/invitations/{invitationId}',
    auth: 'user',
    summary: 'Withdraw an invitation. Its link becomes invalid',
    params: invitationParams,
    output: wholeTeamShape,
  }),
  readInvitation: endpoint({
    method: 'GET',
    path: '/api/team-invitations/{token}',
    auth: 'user',
    summary: 'The invitation behind an emailed link',
    params: z.strictObject({ token: line(100) }),
    output: z.object({
      id: id<'team-invitation'>(),
      team: z.string(),
      logo_url: z.nullable(z.string()),
      role: givenRole,
      invited_by: z.nullable(z.string()),
      /** The only address whose account can accept the invitation. */
      email: z.string(),
      expires_at: instantMs,
    }),
  }),
  acceptInvitation: endpoint({
    method: 'POST',
    path: '/api/invitations/{invitationId}/accept',
    auth: 'user',
    summary: 'Accept an invitation. Requires the invited address',
    params: ownInvitation,
    output: z.object({ team_id: id<'team'>() }),
    errors: ['TOO_MANY'],
  }),
  declineInvitation: endpoint({
    method: 'POST',
    path: '/api/invitations/{invitationId}/decline',
    auth: 'user',
    summary: 'Decline an invitation',
    params: ownInvitation,
    output: z.void(),
    status: 204,
  }),
};

const memberEndpoints = {
  changeMemberRole: endpoint({
    method: 'PATCH',
    path: '/api/teams/{teamId}/members/{userId}',
    auth: 'user',
    summary: 'Change the role of a member. The owner’s role changes only by a transfer',
    params: memberParams,
    body: z.strictObject({ role: givenRole }),
    output: wholeTeamShape,
    errors: ['IS_OWNER'],
  }),
  removeMember: endpoint({
    method: 'DELETE',
    path: '/api/teams/{teamId}/members/{userId}',
    auth: 'user',
    summary: 'Remove a member, or leave the team. Their tasks for the team are reassigned',
    params: memberParams,
    output: z.void(),
    errors: ['IS_OWNER'],
    status: 204,
  }),
  changeSharing: endpoint({
    method: 'PUT',
    path: '/api/teams/{teamId}/sharing',
    auth: 'user',
    summary: 'Set what the team sees of the caller’s calendars: busy times or details',
    params: teamParams,
    body: z.strictObject({ shares: sharing }),
    output: wholeTeamShape,
  }),
  offerTeam: endpoint({
    method: 'PUT',
    path: '/api/teams/{teamId}/transfer',
    auth: 'user',
    summary: 'Offer the ownership of a team to a member. Takes effect when they accept',
    params: teamParams,
    body: z.strictObject({ user_id: id<'user'>() }),
    output: wholeTeamShape,
    errors: ['IS_OWNER'],
  }),
  withdrawTransfer: endpoint({
    method: 'DELETE',
    path: '/api/teams/{teamId}/transfer',
    auth: 'user',
    summary: 'Withdraw or decline an offer of ownership',
    params: teamParams,
    output: wholeTeamShape,
  }),
  acceptTransfer: endpoint({
    method: 'POST',
    path: '/api/teams/{teamId}/transfer/accept',
    auth: 'user',
    summary: 'Accept the ownership of a team. The previous owner becomes an admin',
    params: teamParams,
    output: wholeTeamShape,
    errors: ['PLAN_LIMIT'],
  }),
};

const pictureErrors = ['PICTURE_TYPE', 'PICTURE_SIZE', 'PICTURE_BROKEN'] as const;

export const teamEndpoints = {
  listTeams: endpoint({
    method: 'GET',
    path: '/api/teams',
    auth: 'user',
    summary: 'Teams of the caller, and open invitations',
    output: z.object({
      /** Whether the caller's plan has room for one more of their own. */
      may_create: z.boolean(),
      teams: z.array(teamShape),
      /** To the caller's address. */
      invitations: z.array(
        z.object({
          id: id<'team-invitation'>(),
          team: z.string(),
          role: givenRole,
          invited_by: z.nullable(z.string()),
          expires_at: instantMs,
        }),
      ),
      /** Deleted by the caller; what can be taken back, and until when. */
      deleted: z.array(z.object({ id: id<'team'>(), name: z.string(), until: instantMs })),
    }),
  }),
  createTeam: endpoint({
    method: 'POST',
    path: '/api/teams',
    auth: 'user',
    summary: 'Create a team, owned by the caller',
    body: z.strictObject({ name: teamName }),
    output: wholeTeamShape,
    errors: ['PLAN_LIMIT', 'TOO_MANY'],
    status: 201,
  }),
  readTeam: endpoint({
    method: 'GET',
    path: '/api/teams/{teamId}',
    auth: 'user',
    summary: 'A team with its members and open invitations',
    params: teamParams,
    output: wholeTeamShape,
  }),
  changeTeam: endpoint({
    method: 'PATCH',
    path: '/api/teams/{teamId}',
    auth: 'user',
    summary: 'Change the name or the public description of a team',
    params: teamParams,
    body: z.strictObject({ name: z.optional(teamName), about: z.optional(teamAbout) }),
    output: wholeTeamShape,
  }),
  changeLogo: endpoint({
    method: 'PUT',
    path: '/api/teams/{teamId}/logo',
    auth: 'user',
    summary: 'Upload a picture: PNG, JPEG, WebP, or GIF, at most 2 MB and 16 megapixels. It is cropped to a square',
    params: teamParams,
    takesFile: ['application/octet-stream', 'image/png', 'image/jpeg', 'image/webp', 'image/gif'],
    bodyLimit: 2 * 1024 * 1024,
    body: fileBytes,
    output: wholeTeamShape,
    errors: pictureErrors,
  }),
  removeLogo: endpoint({
    method: 'DELETE',
    path: '/api/teams/{teamId}/logo',
    auth: 'user',
    summary: 'Remove the picture and show initials instead',
    params: teamParams,
    output: wholeTeamShape,
  }),
  deleteTeam: endpoint({
    method: 'POST',
    path: '/api/teams/{teamId}/deletion',
    auth: 'user',
    summary: 'Delete a team. `name` confirms the deletion. Bookings stay with their hosts',
    params: teamParams,
    body: z.strictObject({ name: teamName }),
    output: z.void(),
    errors: ['WRONG_NAME'],
    status: 204,
  }),
  restoreTeam: endpoint({
    method: 'POST',
    path: '/api/teams/{teamId}/restore',
    auth: 'user',
    summary: 'Undo a deletion from the last 30 days',
    params: teamParams,
    output: wholeTeamShape,
    errors: ['PLAN_LIMIT', 'TOO_MANY'],
  }),
  readTeamTrail: endpoint({
    method: 'GET',
    path: '/api/teams/{teamId}/trail',
    auth: 'user',
    summary: 'Activity of a team in the last twelve months, newest first',
    params: teamParams,
    query: z.strictObject({ before: z.optional(queryInt(1, Number.MAX_SAFE_INTEGER)) }),
    /** `next` is what to ask `before` for more; null at the end. */
    output: z.object({
      entries: z.array(
        z.object({
          seq: z.int(),
          at: instantMs,
          kind: z.enum(teamDeeds),
          /** Null: the product itself, or a deleted member. */
          by: z.nullable(z.string()),
          to: z.nullable(z.string()),
          details: z.record(z.string(), z.string()),
        }),
      ),
      next: z.nullable(z.int()),
    }),
  }),
};

export const teamsContract = { ...teamEndpoints, ...memberEndpoints, ...inviteEndpoints };
