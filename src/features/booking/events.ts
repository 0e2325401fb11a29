import * as z from 'zod/mini';
import { announcement } from '#kernel/announcement.ts';
import { bookingChanges } from './rules/booking-states.ts';

/** What open browsers are told when event types, the handle or links have changed. */
export const typesTopic = 'event-types';

/** What they are told when something of their person's bookings has changed. */
export const bookingsTopic = 'bookings';

/** Of `bookingChanged`, and of what is done about it. */
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
