import type { TeamId, UserId } from '#kernel/ids.ts';

/** Whose a form is: a person's or a team's. */
export type FormOwner = { userId: UserId; teamId: null } | { userId: null; teamId: TeamId };

export const mostForms = 100;
export const restorableDays = 30;

/** Of a team where there is one, else of the person. */
export const formOwnerOf = (userId: UserId, teamId: TeamId | null): FormOwner =>
  teamId === null ? { userId, teamId } : { userId: null, teamId };
