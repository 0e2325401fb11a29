/** The door of sync: the ledger for the console below. */
export { resyncEvent, retryOne } from './resync.ts';
export type { AuditRow } from './store/audit.ts';
export { listAudit } from './store/audit.ts';
export type { ConsoleMirror, MirrorFilter } from './store/console.ts';
export { countConsoleMirrors, hasMirror, listConsoleMirrors } from './store/console.ts';
