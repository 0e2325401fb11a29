/** The door of contacts: who is known. Booking learns through a port who in a team looks after them (feature.ts). */
export { exportEveryContact } from './export-every-contact.ts';
export { findKnown } from './find-known.ts';
export { listOwnAddresses } from './list-own-addresses.ts';
export { findAlike } from './store/find-contacts.ts';
