import { AppError } from '#kernel/errors.ts';
import type { BookingId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import { acceptOverlaps } from './accept-overlaps.ts';
import { askGuests } from './ask-guests.ts';
import { endBooking } from './end-booking.ts';
import { bookingsTopic } from './events.ts';
import { findOwnBooking } from './find-own-booking.ts';
import { moveBooking } from './move-booking.ts';
import { restoreEvent } from './restore-event.ts';
import { changeable } from './rules/change-window.ts';
import { answersTo } from './rules/question-answers.ts';
import type { QuestionAnswer } from './rules/question-endpoints.ts';
import { notBookable } from './rules/slot-refusal.ts';
import { type Appointment, holdAppointment, loadAppointment, lockHosts } from './store/appointments.ts';
import { type Booking, listOfAppointment } from './store/bookings.ts';
import { holdQuestion, type Question, settleQuestion } from './store/questions.ts';

/**
 * Carries out a host's answer. The first of two answers counts. *Errors*: AppError not-found, conflict (SLOT_TAKEN,
 * NOT_BOOKABLE, TOO_LATE).
 */
export async function answerQuestion(
  app: App,
  { userId }: { userId: UserId },
  bookingId: BookingId,
  { question_id: questionId, answer }: { question_id: string; answer: QuestionAnswer },
): Promise<void> {
  const booking = await findOwnBooking(app.db, userId, bookingId);
  const { hostIds } = await loadAppointment(app.db, booking.appointmentId);
  const nowMs = app.clock.nowMs();
  await inTransaction(app.db, async (tx) => {
    await lockHosts(tx, hostIds);
    const appointment = await holdAppointment(tx, booking.appointmentId);
    const question = await holdQuestion(tx, questionId, appointment.id);
    const comers = await listOfAppointment(tx, appointment.id);
    const [first] = comers;
    if (question === null || first === undefined || appointment.endMs <= nowMs)
      throw new AppError('conflict', 'TOO_LATE', 'This was already resolved. Nothing was changed.');
    if (!answersTo(question, nowMs).includes(answer))
      throw notBookable("This answer isn't available. Nothing was changed.");
    await settleQuestion(tx, question.id, nowMs, answer);
    await act(app, tx, { userId, question, answer, appointment, comers, first });
    await app.feed.publish(tx, userId, bookingsTopic);
  });
}

interface Answered {
  userId: UserId;
  question: Question;
  answer: QuestionAnswer;
  appointment: Appointment;
  comers: readonly Booking[];
  first: Booking;
}

async function act(
  app: App,
  tx: Tx,
  { userId, question, answer, appointment, comers, first }: Answered,
): Promise<void> {
  const { startMs, endMs } = question;
  if (answer === 'follow' && startMs !== null && endMs !== null) {
    const time = { startMs, endMs };
    const moving = { booking: first, appointment, time, change: {}, found: null, offer: null };
    await moveBooking(app, tx, { ...moving, actor: 'host', by: userId });
    await acceptOverlaps(app, tx, appointment.userId, appointment.id);
  }
  if (answer === 'restore') await restoreEvent(app, tx, { ...appointment, hostId: question.userId }, 'host');
  if (answer === 'ask-guest') await askGuests(app, tx, question, comers);
  if (answer === 'cancel') {
    const ending = { from: changeable, to: 'cancelled', actor: 'host', by: userId } as const;
    for (const one of comers) await endBooking(app, tx, one, ending);
  }
}
