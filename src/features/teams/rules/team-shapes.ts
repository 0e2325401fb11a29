import * as z from 'zod/mini';
import { id, instantMs, line, text } from '#kernel/codecs.ts';
import { givenRoles, teamRoles } from './permissions.ts';
import { longestAbout, longestTeamName } from './team-limits.ts';

export const teamParams = z.strictObject({ teamId: id<'team'>() });
export const memberParams = z.strictObject({ teamId: id<'team'>(), userId: id<'user'>() });
export const invitationParams = z.strictObject({ teamId: id<'team'>(), invitationId: id<'team-invitation'>() });

export const teamName = line(longestTeamName).check(z.trim(), z.minLength(1, { error: 'Give it a name' }));
export const teamAbout = text(longestAbout);
export const role = z.enum(teamRoles);
export const givenRole = z.enum(givenRoles);
export const sharing = z.enum(['busy', 'details']);

export const teamShape = z.object({
  id: id<'team'>(),
  name: z.string(),
  about: z.string(),
  logo_url: z.nullable(z.string()),
  /** The caller's. */
  role,
  /** What the others see of the caller's calendars. */
  shares: sharing,
});

const personShape = z.object({ user_id: id<'user'>(), name: z.string() });

export const memberShape = z.object({
  user_id: id<'user'>(),
  name: z.string(),
  email: z.string(),
  avatar_url: z.nullable(z.string()),
  zone: z.string(),
  role,
  shares: sharing,
  joined_at: instantMs,
});

export const invitationShape = z.object({
  id: id<'team-invitation'>(),
  email: z.string(),
  role: givenRole,
  /** Null: gone. */
  invited_by: z.nullable(z.string()),
  sent_at: instantMs,
  expires_at: instantMs,
});

export const wholeTeamShape = z.object({
  team: teamShape,
  /** The owner first, then by role and name. */
  members: z.array(memberShape),
  /** Those that wait for an answer; empty for who may not see them. */
  invitations: z.array(invitationShape),
  /** Whom the owner asked to own the team; only they and the owner see it. */
  transfer: z.nullable(z.object({ to: personShape, asked_at: instantMs })),
});
