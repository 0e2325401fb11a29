import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { type ExportPart, jsonPart } from '#platform/export-part.ts';
import { listAllBookings } from './store/host-bookings.ts';
import { listPreventions } from './store/preventions.ts';
import { listAllQuestions } from './store/questions.ts';

/**
 * Exports a person's bookings with their history, questions and prevented conflicts. Addresses by which guests manage
 * bookings are left out.
 */
export function exportBookings({ db }: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  return [
    jsonPart('bookings.json', () => listAllBookings(db, userId)),
    jsonPart('booking-questions.json', () => listAllQuestions(db, userId)),
    jsonPart('preventions.json', () => listPreventions(db, userId)),
  ];
}
