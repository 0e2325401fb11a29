import type { EventBody } from '#kernel/event.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { noteChange } from './note-change.ts';
import { attendeesOf } from './rules/event-standing.ts';
import { findBooking } from './store/bookings.ts';
import { type GuestResponse, noteResponses, type Watched } from './store/watched.ts';

/** Keeps what guests answered in their calendars. The booking stays what it is: who declines has not cancelled. */
export async function noteGuestResponses(app: App, tx: Tx, { id }: Watched, body: EventBody): Promise<void> {
  const responses = attendeesOf(body).flatMap(({ email, response }) =>
    response === undefined || response === 'needs-action'
      ? []
      : [{ email: email.toLowerCase(), response: response satisfies GuestResponse }],
  );
  for (const { id: bookingId, response } of await noteResponses(tx, id, responses)) {
    const booking = await findBooking(tx, bookingId);
    if (booking !== null)
      await noteChange(app, tx, booking, { what: 'guest-answered', actor: 'guest', details: { response } });
  }
}
