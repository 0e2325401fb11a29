import * as z from 'zod/mini';
import { bookingStates } from '#features/booking/rules/booking-states.ts';
import { counter, id, instantMs, queryInt } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import { actionShape, troubles } from './action.ts';
import { saidAnswerShape } from './answers.ts';
import { reasonShape } from './form-endpoints.ts';

const submissionParams = z.strictObject({ submission_id: id<'submission'>() });

/** A later change of a submission; the list has the newest last. */
const deedShape = z.strictObject({
  at: instantMs,
  by: z.nullable(z.string()), // name of a person; null: a deleted member
  kind: z.enum(['rerouted', 'reassigned']),
  from: z.string(), // in words: what it led to before
  to: z.string(),
});

export const submissionShape = z.strictObject({
  id: id<'submission'>(),
  form_id: id<'form'>(),
  revision: z.int(), // revision of the form at that time
  at: instantMs,
  name: z.nullable(z.string()),
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  /** In words, as the questions were called; true and false of questions for yes or no. */
  answers: z.array(saidAnswerShape),
  /** Facts that a rule asked for. */
  known: z.strictObject({
    language: z.nullable(z.string()),
    zone: z.nullable(z.string()),
    day: z.nullable(z.string()), // in the zone of the form's owner
    /** Name of who looked after them, null for nobody, and the tags that a rule names. */
    contact: z.nullable(z.strictObject({ owner: z.nullable(z.string()), tags: z.array(z.string()) })),
  }),
  /** Which rule decided, and why those before it did not; names and conditions as they were. Null: the fallback. */
  rule_id: z.nullable(z.string()),
  rule_name: z.nullable(z.string()),
  reasons: z.array(
    z.extend(reasonShape, {
      rule_name: z.string(),
      match: z.enum(['all', 'any']),
      conditions: z.array(z.string()), // in words
    }),
  ),
  action: z.nullable(actionShape), // null: what it was to lead to was gone, and the fallback's too
  /** Why it did not lead to what the rule says: the fallback stepped in, or all hosts of the event type. */
  trouble: z.nullable(z.enum(troubles)),
  /** The name of the action: title of the event type, the address, or the message; empty without one. */
  leads_to: z.string(),
  /** With whom, where it leads to an event type. */
  hosts: z.array(z.strictObject({ user_id: id<'user'>(), name: z.string() })),
  link_url: z.nullable(z.string()), // where the guest books; null once it is booked, or nothing is to be
  booking: z.nullable(
    z.strictObject({
      booking_id: id<'booking'>(),
      state: z.enum(bookingStates),
      sequence: z.int(),
      start_time: instantMs,
      end_time: instantMs,
      hosts: z.array(z.strictObject({ user_id: id<'user'>(), name: z.string() })),
    }),
  ),
  sequence: z.int(), // a re-route must name it
  deeds: z.array(deedShape),
  may_reroute: z.boolean(), // by the caller
});

/** Filters of submissions: booked, open (leads to an event type, not booked), and fallback (no rule fit). */
export const submissionFilters = ['booked', 'open', 'fallback'] as const;

const oneSubmission = z.strictObject({ submission: submissionShape });

export const submissionEndpoints = {
  listSubmissions: endpoint({
    method: 'GET',
    path: '/api/routing/forms/{id}/submissions',
    auth: 'user',
    summary: 'Submissions of a form with their decisions and reasons, newest first',
    params: z.strictObject({ id: id<'form'>() }),
    query: z.strictObject({
      only: z.optional(z.enum(submissionFilters)),
      after: z.optional(id<'submission'>()), // the last one of the page before
      limit: z.optional(queryInt(1, 100)), // default: 30
    }),
    output: z.strictObject({ submissions: z.array(submissionShape), more: z.boolean() }),
  }),
  readSubmission: endpoint({
    method: 'GET',
    path: '/api/routing/submissions/{submission_id}',
    auth: 'user',
    summary: 'One submission',
    params: submissionParams,
    output: oneSubmission,
  }),
  reroute: endpoint({
    method: 'POST',
    path: '/api/routing/submissions/{submission_id}/reroute',
    auth: 'user',
    summary:
      'Change the decision: another action with a new link for the guest, or another host for an existing booking',
    params: submissionParams,
    body: z.strictObject({
      sequence: counter(),
      action: z.optional(actionShape), // for a submission without a booking
      to_user_id: z.optional(id<'user'>()), // for a booked one
    }),
    output: oneSubmission,
    // BOOKED: an action, but it is booked. NOT_BOOKED: a host, but it is not.
    errors: [
      'STALE',
      'INVALID',
      'BOOKED',
      'NOT_BOOKED',
      'NOBODY_FREE',
      'SLOT_TAKEN',
      'TOO_LATE',
      'NO_TEAM',
      'TOO_MANY',
    ],
  }),
  readFairness: endpoint({
    method: 'GET',
    path: '/api/routing/fairness',
    auth: 'user',
    summary: 'Distribution of round-robin bookings between two instants, at most a year apart',
    query: z.strictObject({ event_type_id: id<'event-type'>(), from: instantMs, to: instantMs }),
    output: z.strictObject({
      title: z.string(),
      total: z.int(), // sum of `got`
      hosts: z.array(
        z.strictObject({
          user_id: id<'user'>(),
          name: z.string(),
          here: z.boolean(), // a host at the moment
          weight: z.int(),
          expected: z.number(), // total by weight, of those who are hosts at the moment; they sum to `total`
          got: z.int(),
          deficit: z.number(), // expected - got; they sum to 0
          /** How often somebody else got one, by why; with `got` they sum to `total`. */
          skips: z.array(z.strictObject({ reason: z.string(), times: z.int() })),
        }),
      ),
    }),
    errors: ['RANGE', 'NO_ROUND_ROBIN'],
  }),
};
