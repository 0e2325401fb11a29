/** The door of connections: accounts and calendars for the features below, and their adapters opened. */

export { capabilitiesOf, faceOf, openUrlOf, pushingProviders } from '#providers/registry.ts';
export { loadBaseUrl, loadMirrorSigner, makesConference, openAccount } from './adapters.ts';
export { refreshCalendars } from './calendars.ts';
export { exportConnections } from './connections.ts';
export { forgetAccount } from './deletion.ts';
export { calendarBadge, canBeAsked } from './rules.ts';
export {
  type Calendar,
  calendarsReading,
  endGrace,
  findCalendar,
  listCalendarNames,
  listCalendars,
  listForgotten,
  listOwners,
  recordFailure,
  recordPush,
  recordRefusal,
  recordSuccess,
  unreadOwnersReading,
} from './store/calendars.ts';
export {
  type Connection,
  connectionsReading,
  findConnection,
  findConnectionById,
  findConnectionOf,
  listAccountsOfKind,
  listAddressesOf,
  listConnections,
  listProvidersOf,
  listPushing,
  listUnlisted,
  listUnwell,
  listWorstAccounts,
  updateStatus,
} from './store/connections.ts';
export { isoOf, reconnectUrlOf } from './views.ts';
