import * as z from 'zod/mini';
import { announcement } from '#kernel/announcement.ts';
import { givenRoles } from './rules/permissions.ts';

/** What open browsers of its members are told when something of a team has changed. */
export const teamsTopic = 'teams';

/** A member has another role in a team from here on, and perhaps fewer rights. */
export const memberRoleChanged = announcement(
  'teams.member-role-changed',
  z.strictObject({ teamId: z.string(), userId: z.string(), role: z.enum(givenRoles) }),
);

/**
 * Somebody is in a team no more: what they were to do for it is for others now. They have lost every right in it when this
 * is heard. `leaver` is a person whose account goes.
 */
export const memberLeft = announcement(
  'teams.member-left',
  z.strictObject({ teamId: z.string(), userId: z.string(), why: z.enum(['left', 'removed', 'leaver']) }),
);
