/** The door of booking: event types and what was booked, for the features below. */
export { type FindContactOwner, fillContactOwner } from './contact-owner.ts';
export { demandUnblocked } from './demand-unblocked.ts';
export { exportBookings } from './export-bookings.ts';
export { exportEventTypes } from './export-event-types.ts';
export { type BookingFacts, listBookingFacts } from './list-booking-facts.ts';
export { listMeetingLinks } from './list-meeting-links.ts';
export { listNextHosts } from './list-next-hosts.ts';
export { listOverbooked } from './list-overbooked.ts';
export { listQuestions } from './list-questions.ts';
export { listRouted } from './list-routed.ts';
export { listShrunkPanels } from './list-shrunk-panels.ts';
export { listStale } from './list-stale.ts';
export { listTurns } from './list-turns.ts';
export { makeRoutedLink } from './make-routed-link.ts';
export { fillVisitKeeper, type KeepVisit, type VisitSign } from './note-visit.ts';
export { readLive } from './read-live.ts';
export { reassignBooking } from './reassign-booking.ts';
export { sayAnswers } from './say-answers.ts';
export { listUnproved } from './store/bookings.ts';
export { listTypesOf } from './store/event-type-rows.ts';
export { type ExpectedAppointment, listExpected } from './store/expected.ts';
export {
  findNewestBookingId,
  holdSequence,
  holdSequences,
  listFactIds,
  listOwnTypeIds,
  teamOfBooking,
} from './store/fact-rows.ts';
export { findHandle, findHandleOf, listTeamHandles } from './store/handles.ts';
export { countRequests, listMet, listNews, type MetAppointment } from './store/met-bookings.ts';
export { deleteRouted, endRouted, forgetHost } from './store/routed-links.ts';
export { takenTimeReading } from './store/taken-time.ts';
export { findTextConsent } from './store/text-consent.ts';
export { readEmbedding } from './visit/read-embedding.ts';
export { pageWords, readVisitor } from './visit/read-visitor.ts';
