/** The door of sync: the ledger for the console below, and for edits how an account is paced and what was seen is stored. */
export { countTargets } from './count-targets.ts';
export { exportMirrors } from './export-mirrors.ts';
export { findLimiter } from './find-limiter.ts';
export { freshen } from './freshen.ts';
export { readAgain } from './read-again.ts';
export { resyncEvent } from './resync-event.ts';
export { resyncEvents } from './resync-events.ts';
export { retryOne } from './retry-one.ts';
export { listAudit } from './store/audit.ts';
export { listCallSums } from './store/call-sums.ts';
export type { ConsoleMirror } from './store/console.ts';
export { countFailed, hasMirror, listMirrorsById } from './store/console.ts';
export { hasMirroring } from './store/groups.ts';
export { countFailedByCalendar, listLostAccounts, listOpenBreakers, listTroubles } from './store/troubles.ts';
export { storeChanges } from './store-changes.ts';
