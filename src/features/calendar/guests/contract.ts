import * as z from 'zod/mini';
import { epochMs, line } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import { eventIdShape } from '../contract.ts';

export const mostGuestsAsked = 50;

const span = z.strictObject({ start: epochMs, end: epochMs });

export const guestsContract = {
  guestTimes: endpoint({
    method: 'POST',
    path: '/api/guest-times',
    auth: 'user',
    bodyLimit: 1_000_000,
    summary:
      'Busy times and days off of an event’s guests, without titles or reasons, and times when all who share them are free',
    body: z.strictObject({
      start: z.iso.datetime({ offset: true }),
      end: z.iso.datetime({ offset: true }), // at most a day after the start
      except_event_id: z.optional(z.nullable(eventIdShape)), // the event that is edited: copies of it in calendars of guests do not count
      guests: z.array(line(254)).check(z.maxLength(mostGuestsAsked)),
      /** Busy times of guests that the caller knows otherwise, from `POST /api/guest-busy`; guests in it count as sharing. */
      known: z.optional(
        z
          .array(z.strictObject({ address: line(254), busy: z.array(span).check(z.maxLength(300)) }))
          .check(z.maxLength(mostGuestsAsked)),
      ),
    }),
    output: z.strictObject({
      /** The day of the start in the zone of the caller; longer where the event ends later. */
      day: span,
      /** As asked. Teammates and those in `known` share when they are busy; `shared` is false for all others. */
      guests: z.array(
        z.strictObject({
          address: z.string(),
          shared: z.boolean(),
          /** End of the busy time that overlaps the event; null: free, or not shared. */
          busy_until: z.nullable(epochMs),
          busy: z.array(span), // within `day`
          /** Whether the event lies in their open hours. Away: part of it is on a day off or holiday; never why. */
          hours: z.enum(['open', 'outside', 'away']),
          off: z.array(span), // outside of open hours, within `day`; empty for guests who are in no team of the caller
        }),
      ),
      /** At most four, the nearest first; none where all who share their times can come. */
      free: z.array(span),
    }),
    errors: ['BAD_TIME'],
  }),
};
