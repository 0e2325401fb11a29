/** The door of connections: accounts and calendars for the features below, and their adapters opened. */

export { capabilitiesOf, faceOf, openUrlOf, pushingProviders } from '#providers/registry.ts';
export { exportConnections } from './export-connections.ts';
export { forgetAccount } from './forget-account.ts';
export { isoOf, reconnectUrlOf } from './list-accounts.ts';
export { loadBaseUrl } from './load-base-url.ts';
export { loadMirrorSigner } from './load-mirror-signer.ts';
export { makesConference } from './makes-conference.ts';
export { openAccount } from './open-account.ts';
export { refreshCalendars } from './refresh-calendars.ts';
export { canBeAsked } from './rules/can-be-asked.ts';
export { calendarBadge } from './rules.ts';
export type { Calendar } from './store/calendars.ts';
export {
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
export type { Connection } from './store/connections.ts';
export {
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
