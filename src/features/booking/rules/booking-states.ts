/**
 * What becomes of a booking. `held` while a guest fills the form in; `awaiting-mail` until they follow the link of a
 * mail; `pending` until the host says yes. Moved in time it stays what it is and its `sequence` counts on.
 */
export const bookingStates = [
  'held',
  'awaiting-mail',
  'pending',
  'confirmed',
  'declined',
  'cancelled',
  'expired',
] as const;
export type BookingState = (typeof bookingStates)[number];

/** Its hosts have heard of it. A guest before that is a stranger to them: they can send a message, and see no address. */
export const isKnownGuest = (state: BookingState) => state !== 'held' && state !== 'awaiting-mail';

/** Who did it. `calendar`: the host, in their calendar; `system`: time, or an account that went. */
export type BookingActor = 'guest' | 'host' | 'calendar' | 'system';

/** What happened to a booking: kinds of its audit, and what `bookingChanged` tells. */
export const bookingChanges = [
  'mail-wanted',
  'requested',
  'confirmed',
  'declined',
  'cancelled',
  'expired',
  'rescheduled',
  // another host of the team takes it
  'reassigned',
  'no-show',
  // its event was written back, after its host moved or deleted it
  'restored',
  // in their calendar, its guest answered the event
  'guest-answered',
  // a guest who was brought along does not come
  'guest-declined',
  // the meeting that its provider made has a link
  'linked',
] as const;
export type BookingChange = (typeof bookingChanges)[number];
