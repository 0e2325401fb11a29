import type { App } from '#platform/app.ts';
import { bindRoutes } from '#platform/routes.ts';
import { cancelBooked } from '../cancel-booked.ts';
import { cancelBooking } from '../cancel-booking.ts';
import { confirmBooking } from '../confirm-booking.ts';
import { confirmMail } from '../confirm-mail.ts';
import { createBooking } from '../create-booking.ts';
import { declineBooking } from '../decline-booking.ts';
import { findBooked, rememberBooked, rememberHeld } from '../find-booked.ts';
import { holdSlot } from '../hold-slot.ts';
import { listBookedSlots } from '../list-booked-slots.ts';
import { listBookingSlots } from '../list-booking-slots.ts';
import { listBookings } from '../list-bookings.ts';
import { listOutsideHours } from '../list-outside-hours.ts';
import { markNoShow } from '../mark-no-show.ts';
import { readBooking } from '../read-booking.ts';
import { readChanged } from '../read-changed.ts';
import { releaseHold } from '../release-hold.ts';
import { rescheduleBooked } from '../reschedule-booked.ts';
import { rescheduleBooking } from '../reschedule-booking.ts';
import { bookingEndpoints } from '../rules/booking-endpoints.ts';
import { listDates, showBooked } from '../show-booked.ts';
import type { Booking } from '../store/bookings.ts';

const toGuest = async (app: App, booking: Booking) => ({
  booking: await showBooked(app, app.db, booking),
  dates: await listDates(app, booking),
});
const toHost = async (app: App, booking: Booking) => ({ booking: await readChanged(app, booking) });

export const bookingRoutes = bindRoutes(bookingEndpoints, {
  holdSlot: async ({ app, input, request, note }) => {
    const held = await holdSlot(app, input.params, input.body, { ...request, held: note.read('held') });
    const { holdId, startMs, endMs, expiresMs } = held;
    rememberHeld(note, held);
    // A page that is left at once gives back a reservation that does not exist yet.
    if (request.isGone?.()) await releaseHold(app, input.params, holdId);
    return { hold_id: holdId, start: startMs / 60_000, duration: (endMs - startMs) / 60_000, expires_at: expiresMs };
  },
  releaseHold: ({ app, input }) => releaseHold(app, input.params, input.params.hold_id),
  createBooking: async ({ app, input, request, note }) => {
    const made = await createBooking(app, input.params, input.body, { ...request, held: note.read('held') });
    rememberBooked(note, made);
    return made;
  },
  readBooked: async ({ app, input }) => toGuest(app, await findBooked(app.db, input.params.token)),
  listBookedSlots: ({ app, input }) => listBookedSlots(app, input.params.token, input.query),
  confirmBookedMail: async ({ app, input }) => toGuest(app, await confirmMail(app, input.params.token, input.body)),
  cancelBooked: async ({ app, input }) => toGuest(app, await cancelBooked(app, input.params.token, input.body)),
  rescheduleBooked: async ({ app, input, request }) =>
    toGuest(app, await rescheduleBooked(app, input.params.token, input.body, request)),
  listOutsideHours: async ({ app, actor }) => ({ bookings: await listOutsideHours(app, actor) }),
  listBookings: async ({ app, actor, input }) => ({ bookings: await listBookings(app, actor, input.query) }),
  readBooking: ({ app, actor, input }) => readBooking(app, actor, input.params.booking_id),
  listBookingSlots: ({ app, actor, input }) => listBookingSlots(app, actor, input.params.booking_id, input.query),
  confirmBooking: async ({ app, actor, input: { params, body } }) =>
    toHost(app, await confirmBooking(app, actor, params.booking_id, body)),
  declineBooking: async ({ app, actor, input: { params, body } }) =>
    toHost(app, await declineBooking(app, actor, params.booking_id, body)),
  cancelBooking: async ({ app, actor, input: { params, body } }) =>
    toHost(app, await cancelBooking(app, actor, params.booking_id, body)),
  rescheduleBooking: async ({ app, actor, input: { params, body } }) =>
    toHost(app, await rescheduleBooking(app, actor, params.booking_id, body)),
  markNoShow: async ({ app, actor, input: { params, body } }) =>
    toHost(app, await markNoShow(app, actor, params.booking_id, body)),
});
