import type { ToldBooking } from '../../src/features/booking/rules/told-booking.ts';
import type { Moment } from '../../src/features/booking/rules/who-is-told.ts';

const invited: readonly Moment[] = ['confirmed', 'rescheduled', 'linked', 'reassigned'];

/** A booking as it is when its people are told of this moment: confirmed or not, with what calendars are asked to do. */
export function toldAt(moment: Moment, booking: ToldBooking): ToldBooking {
  const { startMs, endMs } = booking;
  const isInvited = invited.includes(moment);
  const isCancelled = moment === 'cancelled';
  return {
    ...booking,
    isCertain: isInvited || moment === 'reminder',
    calendar: isInvited ? { method: 'invite' } : isCancelled ? { method: 'cancel', startMs, endMs } : null,
  };
}
