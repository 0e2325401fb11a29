import type { TeamId, UserId } from '#kernel/ids.ts';

/** The owner of a form: a person or a team. */
export type FormOwner = { userId: UserId; teamId: null } | { userId: null; teamId: TeamId };

export const mostForms = 100;
export const restorableDays = 30;

/** The team if there is one, else the person. */
export const formOwnerOf = (userId: UserId, teamId: TeamId | null): FormOwner =>
  teamId === null ? { userId, teamId } : { userId: null, teamId };
