/**
 * Owns: what others can book with a person, at which addresses, and what was booked.
 * Announces: booking.changed; open browsers hear the topics event-types and bookings.
 * Never: promises a time that the rules would refuse; writes to a calendar but through edits.
 */
import { blockedEndpoints } from './rules/blocked-endpoints.ts';
import { bookingEndpoints } from './rules/booking-endpoints.ts';
import { compareEndpoints } from './rules/compare-endpoints.ts';
import { linkEndpoints } from './rules/link-endpoints.ts';
import { questionEndpoints } from './rules/question-endpoints.ts';
import { slotEndpoints } from './rules/slot-endpoints.ts';
import { teamBookingEndpoints } from './rules/team-endpoints.ts';
import { typeEndpoints } from './rules/type-endpoints.ts';

export const bookingContract = {
  ...typeEndpoints,
  ...linkEndpoints,
  ...compareEndpoints,
  ...slotEndpoints,
  ...bookingEndpoints,
  ...questionEndpoints,
  ...teamBookingEndpoints,
  ...blockedEndpoints,
};
