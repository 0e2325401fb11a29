/** Invitations for the features below. */
export { listInvitations } from './invitations.ts';
