import * as z from 'zod/mini';
import { announcement } from '#kernel/announcement.ts';
import { bookingChanges } from './rules/booking-states.ts';

/** Live topic of changes of event types, the handle or links. */
export const typesTopic = 'event-types';

/** Live topic of changes of a person's bookings. */
export const bookingsTopic = 'bookings';

/** Payload of `bookingChanged` and of its follow-up jobs. */
export const bookingChange = z.strictObject({
  bookingId: z.string(),
  userId: z.string(),
  what: z.enum(bookingChanges),
  sequence: z.int(),
});

/**
 * Something happened to a booking of this host. `sequence` is that of the booking afterwards; the audit has who did it,
 * and where it was before.
 */
export const bookingChanged = announcement('booking.changed', bookingChange);

/** A guest has shown to read the mail of this address. */
export const addressProved = announcement('booking.address-proved', z.strictObject({ email: z.string() }));
