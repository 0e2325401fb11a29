/** The door of contacts: who is known. Booking learns through a port who in a team looks after them (feature.ts). */
export { exportEveryContact } from './files/export.ts';
export { listOwnAddresses } from './meetings.ts';
export { findKnown } from './owners.ts';
export { findAlike } from './store/find-contacts.ts';
