/**
 * States of a booking. `held`: a guest fills the form in; `awaiting-mail`: until the guest follows the link of a mail;
 * `pending`: until the host confirms. A move in time keeps the state and increments `sequence`.
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

/** Whether its hosts know of it. A guest before that is a stranger: they can send a message, and see no address. */
export const isKnownGuest = (state: BookingState) => state !== 'held' && state !== 'awaiting-mail';

/** The actor of a change. `calendar`: the host, in their calendar; `system`: time, or a deleted account. */
export type BookingActor = 'guest' | 'host' | 'calendar' | 'system';

/** Changes of a booking: kinds of its audit, and of `bookingChanged`. */
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
  // the event was written back, after its host moved or deleted it
  'restored',
  // in their calendar, its guest answered the event
  'guest-answered',
  // a guest who was brought along does not come
  'guest-declined',
  // the meeting that its provider made has a link
  'linked',
] as const;
export type BookingChange = (typeof bookingChanges)[number];
