/** The door of connections: accounts and calendars for the features below, and their adapters opened. */
export { accountView, isoOf } from './list-accounts.ts';
export { loadMirrorSigner, openAccount } from './open-account.ts';
export { refreshCalendars } from './refresh-calendars.ts';
export { calendarBadge } from './rules.ts';
export { findCalendar, listCalendars, recordFailure, recordSuccess } from './store/calendars.ts';
export type { Calendar } from './store/calendars.ts';
export {
  deleteConnection,
  findConnection,
  findConnectionById,
  listConnections,
  updateStatus,
} from './store/connections.ts';
export type { Connection } from './store/connections.ts';
export { capabilitiesOf, faceOf } from '#providers/registry.ts';
