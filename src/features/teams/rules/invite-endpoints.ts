import * as z from 'zod/mini';
import { id, instantMs, line } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import { givenRole, invitationParams, teamParams, wholeTeamShape } from './team-shapes.ts';

const ownInvitation = z.strictObject({ invitationId: id<'team-invitation'>() });

export const inviteEndpoints = {
  inviteMember: endpoint({
    method: 'POST',
    path: '/api/teams/{teamId}/invitations',
    auth: 'user',
    summary: 'Mail somebody a link to join; only who has that address can take it. Asked again, the newest link counts',
    params: teamParams,
    body: z.strictObject({ email: line(400), role: givenRole }),
    output: wholeTeamShape,
    errors: ['ALREADY_MEMBER', 'TOO_MANY'],
  }),
  resendInvitation: endpoint({
    method: 'POST',
    path: '/api/teams/{teamId}/invitations/{invitationId}/resend',
    auth: 'user',
    summary: 'Another mail with a new link; the one before is void',
    params: invitationParams,
    output: wholeTeamShape,
  }),
  withdrawInvitation: endpoint({
    method: 'DELETE',
    path: '/api/teams/{teamId}/invitations/{invitationId}',
    auth: 'user',
    summary: 'Take an invitation back; its link is void',
    params: invitationParams,
    output: wholeTeamShape,
  }),
  readInvitation: endpoint({
    method: 'GET',
    path: '/api/team-invitations/{token}',
    auth: 'user',
    summary: 'What the link of a mail invites to',
    params: z.strictObject({ token: line(100) }),
    output: z.object({
      id: id<'team-invitation'>(),
      team: z.string(),
      logo_url: z.nullable(z.string()),
      role: givenRole,
      invited_by: z.nullable(z.string()),
      /** Nobody else can take it. */
      email: z.string(),
      expires_at: instantMs,
    }),
  }),
  acceptInvitation: endpoint({
    method: 'POST',
    path: '/api/invitations/{invitationId}/accept',
    auth: 'user',
    summary: 'Join; only with the address that was invited',
    params: ownInvitation,
    output: z.object({ team_id: id<'team'>() }),
    errors: ['TOO_MANY'],
  }),
  declineInvitation: endpoint({
    method: 'POST',
    path: '/api/invitations/{invitationId}/decline',
    auth: 'user',
    summary: 'Say no; the invitation is gone',
    params: ownInvitation,
    output: z.void(),
    status: 204,
  }),
};
