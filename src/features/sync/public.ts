/** The door of sync: the ledger for the console below, and for edits how an account is paced and what was seen is stored. */
export { exportMirrors } from './export-mirrors.ts';
export { findLimiter } from './find-limiter.ts';
export { resyncEvent } from './resync-event.ts';
export { retryOne } from './retry-one.ts';
export type { AuditRow } from './store/audit.ts';
export { listAudit } from './store/audit.ts';
export type { ConsoleMirror, MirrorFilter } from './store/console.ts';
export { countConsoleMirrors, hasMirror, listConsoleMirrors } from './store/console.ts';
export { storeChanges } from './store-changes.ts';
