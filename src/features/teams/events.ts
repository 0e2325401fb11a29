import * as z from 'zod/mini';
import { announcement } from '#kernel/announcement.ts';
import { givenRoles } from './rules.ts';

/** Live-update topic for members: something in a team changed. */
export const teamsTopic = 'teams';

/** A member has another role in a team from here on, and perhaps fewer rights. */
export const memberRoleChanged = announcement(
  'teams.member-role-changed',
  z.strictObject({ teamId: z.string(), userId: z.string(), role: z.enum(givenRoles) }),
);

/**
 * A member left a team, and others take over their work for it. They have no rights in the team any more. `leaver` is set if
 * their account is being deleted.
 */
export const memberLeft = announcement(
  'teams.member-left',
  z.strictObject({ teamId: z.string(), userId: z.string(), why: z.enum(['left', 'removed', 'leaver']) }),
);
