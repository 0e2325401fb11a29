/** The audit log of the install, and sign-ins in the log of an account. */
export { type EntriesWanted, type Entry, listEntries } from '../store/audit.ts';
export { listActorsLike } from '../store/people.ts';
export { hasSignedInFrom } from './account-log.ts';
export { recordAct, verifyAudit } from './audit.ts';
