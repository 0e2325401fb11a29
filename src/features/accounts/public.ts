/** The public API of accounts for every feature: people as hosts, their state, and requirements. Other nouns have their own. */
export { recordAccountEvent } from './audit/account-log.ts';
export { tellFeedPublished } from './sessions/api-keys.ts';
export { demandRecentProof } from './sessions/authentication.ts';
export { demandFlag, isFlagOn } from './settings/flags.ts';
export { dropFarewell, isLeaving } from './store/deletion.ts';
export { hasPageReading, zonesReading as ownerZonesReading } from './store/hosts.ts';
export { listActiveUserIds } from './store/sessions.ts';
export { blocksHere } from './store/settings.ts';
export { isSuspended, listReaders, lockUser } from './store/users.ts';
export {
  findHost,
  type Host,
  hostReading,
  hostsReading,
  listHosts,
  loadOwner,
  loadOwnerZone,
  ownerZoneReading,
} from './users/hosts.ts';
export { listReadersHere } from './users/users.ts';
