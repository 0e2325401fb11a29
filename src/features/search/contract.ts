/**
 * Owns: the search over a user's data, and the index it reads.
 * Announces: nothing.
 * Never: shows what the searched features would not; names and times of a hit are read from their feature.
 */
import * as z from 'zod/mini';
import { uuid as id, line } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';

/** An event or a series, at the instance that is nearest to now. */
export const eventHitShape = z.strictObject({
  event_id: z.string(), // item id, with `_<recId>` for an instance of a series
  title: z.string(),
  location: z.string(),
  start_time: z.iso.datetime(),
  end_time: z.iso.datetime(),
  all_day: z.boolean(),
  day: z.string(), // YYYY-MM-DD of the start in the person's zone
  recurring: z.boolean(),
  calendar_name: z.string(),
  color: z.string(),
});

export const personHitShape = z.strictObject({
  email: z.string(),
  name: z.nullable(z.string()),
  events: z.int(), // events that they take part in, counted up to 1,000
});

export const calendarHitShape = z.strictObject({
  calendar_id: id,
  name: z.string(),
  account: z.string(),
  provider: z.string(),
  color: z.string(),
});

/** An address at which the caller can be booked. */
export const linkHitShape = z.strictObject({ event_type_id: z.string(), title: z.string(), url: z.string() });

/** A contact of the caller. */
export const contactHitShape = z.strictObject({
  contact_id: id,
  name: z.nullable(z.string()),
  address: z.string(),
  company: z.nullable(z.string()),
});

export const searchContract = {
  search: endpoint({
    method: 'GET',
    path: '/api/search',
    auth: 'user',
    summary: 'Matching events, meetings, people, calendars, and booking links of the caller, best matches first',
    query: z.strictObject({ q: line(200).check(z.minLength(1)) }),
    output: z.strictObject({
      events: z.array(eventHitShape),
      meetings: z.array(eventHitShape), // events with somebody else
      people: z.array(personHitShape), // attendees of the user's events
      contacts: z.array(contactHitShape),
      calendars: z.array(calendarHitShape),
      links: z.array(linkHitShape),
    }),
  }),
};
