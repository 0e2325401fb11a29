import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { loadTold } from './load-told.ts';
import { anotherTimeMail } from './question-mail.ts';
import { sendTold } from './send-told.ts';
import type { Booking } from './store/bookings.ts';
import type { Question } from './store/questions.ts';

/** Asks everybody who comes to choose another time; until they do their booking stands. */
export async function askGuests(app: App, tx: Tx, question: Question, comers: readonly Booking[]): Promise<void> {
  // in one order, so that two of them cannot wait for each other
  for (const booking of comers.toSorted((a, b) => (a.guestEmail < b.guestEmail ? -1 : 1))) {
    if (booking.state !== 'confirmed') continue;
    const told = await loadTold({ ...app, db: tx }, booking);
    if (told !== null) await sendTold(app, tx, booking, [anotherTimeMail(told, question)]);
  }
}
