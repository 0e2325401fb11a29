import * as z from 'zod/mini';
import { id, instantMs, uuid } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';

/**
 * Kinds of a host's questions. `moved`, `deleted`, `declined`: a change of the event in the host's calendar.
 * `conflict`: another event takes its time. `overbooked`: the booking overlaps a hold, which stays as it is.
 */
export const questionKinds = ['moved', 'deleted', 'declined', 'conflict', 'overbooked'] as const;
export type QuestionKind = (typeof questionKinds)[number];

/**
 * `follow`: the booking moves to where its event stands. `restore`: the event is written back. `cancel`: for everybody of
 * its time. `ask-guest`: guests are mailed the way to another time. `ignore`: it stays as it is.
 */
export const questionAnswers = ['follow', 'restore', 'cancel', 'ask-guest', 'ignore'] as const;
export type QuestionAnswer = (typeof questionAnswers)[number];

const time = z.strictObject({ start_time: instantMs, end_time: instantMs });

export const questionShape = z.strictObject({
  question_id: uuid,
  kind: z.enum(questionKinds),
  booking_id: id<'booking'>(), // in a group, the booking of the first seat
  appointment_id: id<'appointment'>(),
  title: z.string(), // title of the booking
  guests: z.array(z.string()), // names of who booked
  start_time: instantMs, // start of the booking
  end_time: instantMs,
  /** moved: where its event stands, and the name of what it was moved onto, if anything. */
  moved_to: z.nullable(z.extend(time, { onto: z.nullable(z.string()) })),
  /** conflict, overbooked: the other event. */
  in_the_way: z.nullable(
    z.strictObject({
      title: z.string(),
      calendar_name: z.string(),
      event_id: z.string(),
      start_time: instantMs,
      end_time: instantMs,
    }),
  ),
  asked_at: instantMs,
  answers: z.array(z.enum(questionAnswers)), // allowed answers, the usual one first
});
export type ShownQuestion = z.output<typeof questionShape>;

export const questionEndpoints = {
  listQuestions: endpoint({
    method: 'GET',
    path: '/api/bookings/questions',
    auth: 'user',
    summary: 'Open questions about bookings that differ from a calendar, oldest first, at most 200',
    output: z.strictObject({ questions: z.array(questionShape) }),
  }),
  answerQuestion: endpoint({
    method: 'POST',
    path: '/api/bookings/{booking_id}/answer',
    auth: 'user',
    summary: 'Answer a question about a booking',
    params: z.strictObject({ booking_id: id<'booking'>() }),
    body: z.strictObject({ question_id: uuid, answer: z.enum(questionAnswers) }),
    output: z.strictObject({ questions: z.array(questionShape) }), // questions that remain open
    // SLOT_TAKEN: it would move onto another booking; TOO_LATE: answered, settled or over meanwhile
    errors: ['SLOT_TAKEN', 'NOT_BOOKABLE', 'TOO_LATE'],
  }),
};
