import * as z from 'zod/mini';
import { id } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import { givenRole, memberParams, sharing, teamParams, wholeTeamShape } from './team-shapes.ts';

export const memberEndpoints = {
  changeMemberRole: endpoint({
    method: 'PATCH',
    path: '/api/teams/{teamId}/members/{userId}',
    auth: 'user',
    summary: 'Give a member another role; the owner has theirs until they hand the team over',
    params: memberParams,
    body: z.strictObject({ role: givenRole }),
    output: wholeTeamShape,
    errors: ['IS_OWNER'],
  }),
  removeMember: endpoint({
    method: 'DELETE',
    path: '/api/teams/{teamId}/members/{userId}',
    auth: 'user',
    summary: 'Remove a member, or leave; what they were to do for the team is handed over',
    params: memberParams,
    output: z.void(),
    errors: ['IS_OWNER'],
    status: 204,
  }),
  changeSharing: endpoint({
    method: 'PUT',
    path: '/api/teams/{teamId}/sharing',
    auth: 'user',
    summary: 'What the team sees of the caller’s calendars: when they are busy, or with what',
    params: teamParams,
    body: z.strictObject({ shares: sharing }),
    output: wholeTeamShape,
  }),
  offerTeam: endpoint({
    method: 'PUT',
    path: '/api/teams/{teamId}/transfer',
    auth: 'user',
    summary: 'Ask a member to own the team; nothing changes until they say yes',
    params: teamParams,
    body: z.strictObject({ user_id: id<'user'>() }),
    output: wholeTeamShape,
    errors: ['IS_OWNER'],
  }),
  withdrawTransfer: endpoint({
    method: 'DELETE',
    path: '/api/teams/{teamId}/transfer',
    auth: 'user',
    summary: 'Take that back, or say no to it',
    params: teamParams,
    output: wholeTeamShape,
  }),
  acceptTransfer: endpoint({
    method: 'POST',
    path: '/api/teams/{teamId}/transfer/accept',
    auth: 'user',
    summary: 'Own the team that its owner offered; they become an admin',
    params: teamParams,
    output: wholeTeamShape,
    errors: ['PLAN_LIMIT'],
  }),
};
