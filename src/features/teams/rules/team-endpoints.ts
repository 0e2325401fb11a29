import * as z from 'zod/mini';
import { fileBytes, id, instantMs, queryInt } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import { givenRole, teamAbout, teamName, teamParams, teamShape, wholeTeamShape } from './team-shapes.ts';
import { teamDeeds } from './team-trail.ts';

const pictureErrors = ['PICTURE_TYPE', 'PICTURE_SIZE', 'PICTURE_BROKEN'] as const;

export const teamEndpoints = {
  listTeams: endpoint({
    method: 'GET',
    path: '/api/teams',
    auth: 'user',
    summary: 'The teams of the caller, and those that wait for an answer of theirs',
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
    summary: 'A new team, owned by the caller',
    body: z.strictObject({ name: teamName }),
    output: wholeTeamShape,
    errors: ['PLAN_LIMIT', 'TOO_MANY'],
    status: 201,
  }),
  readTeam: endpoint({
    method: 'GET',
    path: '/api/teams/{teamId}',
    auth: 'user',
    summary: 'A team, who is in it, and who is asked to join',
    params: teamParams,
    output: wholeTeamShape,
  }),
  changeTeam: endpoint({
    method: 'PATCH',
    path: '/api/teams/{teamId}',
    auth: 'user',
    summary: 'Another name, or other words on the public page',
    params: teamParams,
    body: z.strictObject({ name: z.optional(teamName), about: z.optional(teamAbout) }),
    output: wholeTeamShape,
  }),
  changeLogo: endpoint({
    method: 'PUT',
    path: '/api/teams/{teamId}/logo',
    auth: 'user',
    summary: 'Another picture: PNG, JPEG, WebP or GIF, at most 2 MB and 16 megapixels; its middle becomes a square',
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
    summary: 'No picture: initials stand instead',
    params: teamParams,
    output: wholeTeamShape,
  }),
  deleteTeam: endpoint({
    method: 'POST',
    path: '/api/teams/{teamId}/deletion',
    auth: 'user',
    summary: 'Delete a team; `name` is typed to confirm it. What was booked stays with its hosts',
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
    summary: 'Take back a deletion of the last 30 days',
    params: teamParams,
    output: wholeTeamShape,
    errors: ['PLAN_LIMIT', 'TOO_MANY'],
  }),
  readTeamTrail: endpoint({
    method: 'GET',
    path: '/api/teams/{teamId}/trail',
    auth: 'user',
    summary: 'What was done in a team in the last twelve months, the newest first',
    params: teamParams,
    query: z.strictObject({ before: z.optional(queryInt(1, Number.MAX_SAFE_INTEGER)) }),
    /** `next` is what to ask `before` for more; null at the end. */
    output: z.object({
      entries: z.array(
        z.object({
          seq: z.int(),
          at: instantMs,
          kind: z.enum(teamDeeds),
          /** Null: the product itself, or somebody who is gone. */
          by: z.nullable(z.string()),
          to: z.nullable(z.string()),
          details: z.record(z.string(), z.string()),
        }),
      ),
      next: z.nullable(z.int()),
    }),
  }),
};
