/**
 * Owns: the event store, the busy index and the unified view.
 * Announces: calendar.events-changed, calendar.events-moved.
 * Never: calls a provider; what it holds comes in through sync, in one transaction with the cursor.
 */
import * as z from 'zod/mini';
import { epochMs, uuid as id, id as idOf, line } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import type { WarningCode } from '#kernel/ical/reading-warning.ts';
import { audiences } from './rules/audience.ts';

export const calendarShape = z.strictObject({
  id,
  name: z.string(),
  provider: z.string(), // google, outlook, icloud, exchange, caldav, holdfast
  visible: z.boolean(),
  color: z.string(),
  badge: z.string(), // two letters
  email: z.string(),
  status: z.enum(['ok', 'syncing', 'error']),
  message: z.nullable(z.string()),
  reconnectUrl: z.nullable(z.string()), // where one click gives access again, if that is what it lacks
  lastSyncedAt: z.nullable(z.iso.datetime()),
  writable: z.boolean(),
  unread: z.int(), // events that cannot be read in full or repeat too often: times of them may be missing
  warnings: z.int(), // all that the readings of it could not take as it is: see listWarnings
});

/** A string at run time: the table of codes would add 0.4 KB to every first visit. */
const warningCode = z.string() as z.ZodMiniType<WarningCode, string>;

const warningShape = z.strictObject({
  code: warningCode,
  values: z.record(z.string(), z.union([z.string(), z.int()])), // a zone, a property, a number
});

export const warningsShape = z.strictObject({
  calendar: z.strictObject({ id, name: z.string() }),
  events: z.array(
    z.strictObject({
      item_id: id,
      title: z.nullable(z.string()),
      start_time: z.nullable(z.iso.datetime()), // start of the current or next instance, else of the last
      all_day: z.boolean(),
      effect: z.enum(['blocks', 'kept', 'none']), // kept: it blocks the time that it had when it could be read last
      notes: z.array(warningShape),
    }),
  ),
  file: z.array(warningShape), // about the calendar as a whole
  more: z.int(), // events with warnings that are not listed
});

export const eventShape = z.strictObject({
  event_id: z.string(), // item id, with `_<recId>` for an instance of a series
  item_id: id,
  calendar_id: id,
  title: z.string(),
  start_time: z.iso.datetime(),
  end_time: z.iso.datetime(),
  all_day: z.boolean(),
  start_date: z.nullable(z.string()), // all-day: first day
  end_date: z.nullable(z.string()), // all-day: exclusive last day
  zone: z.nullable(z.string()), // IANA, in which the event keeps its time; null: all-day, the zone of its calendar, or one without a name
  /** Where its zone is unknown: the name in its source, and as what it is read; null: in its calendar's zone. */
  zone_warning: z.optional(z.strictObject({ name: z.string(), used: z.nullable(z.string()) })),
  read_in_part: z.optional(z.literal(true)), // times of the event are unknown: see the warnings of its calendar
  class: z.enum(['busy', 'soft', 'free', 'ignore']),
  tentative: z.boolean(),
  unanswered: z.optional(z.literal(true)), // an invitation without an answer; tentative too
  answer: z.optional(z.enum(['accepted', 'tentative', 'declined', 'needs-action'])), // the caller's answer to an invitation; absent where there is none to give
  focus: z.optional(z.literal(true)), // kept for work: overlaps of it are not marked
  declined: z.boolean(),
  private: z.boolean(),
  recurring: z.boolean(),
  attendees: z.array(z.string()),
  audience: z.enum(audiences), // whom it is with, see rules/audience
  description: z.string(), // first 2,000 characters; GET /api/events/{event_id} has all of it
  location: z.string(),
  meeting_link: z.nullable(z.string()),
  provider: z.string(),
  calendar_badge: z.string(),
  is_holdfast_block: z.boolean(),
  version: z.string(), // version of the item's content, for edits
  editable: z.boolean(),
  not_editable_reason: z.nullable(z.enum(['read-only', 'invited', 'block', 'unreadable', 'reconnect'])),
  open_url: z.nullable(z.string()), // the event, or its calendar, in the provider's own web application
});

/** Why an event takes time or does not: `rules/busy-class.ts`. */
export const busyReasons = [
  'calendar-left-out',
  'own-block',
  'working-location',
  'birthday',
  'declined',
  'shown-free',
  'elsewhere',
  'all-day-unanswered',
  'no-length',
  'hold',
  'out-of-office',
  'focus',
  'tentative',
  'unanswered',
  'unknown',
  'busy',
] as const;

const busyEventShape = z.strictObject({
  event_id: z.string(),
  item_id: id,
  title: z.string(),
  calendar_id: id,
  calendar_name: z.string(),
  account: z.string(),
  provider: z.string(),
  color: z.string(),
  start_time: z.iso.datetime(),
  end_time: z.iso.datetime(),
  all_day: z.boolean(),
  class: z.enum(['busy', 'soft', 'free', 'ignore']),
  reason: z.enum(busyReasons),
});

/** `<item>` or `<item>_<recId>`. */
export const eventIdShape = z
  .string()
  .check(
    z.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:_\d{8}(?:T\d{6}Z?)?)?$/, { error: 'Expected an event' }),
  );

export const feedContents = ['events', 'busy'] as const;

/** A published feed, readable by anybody with its address. */
export const publishedFeedShape = z.strictObject({
  content: z.enum(feedContents),
  /** The secret address; null unless it was asked for. */
  url: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  lastReadAt: z.nullable(z.iso.datetime()),
  /** Whether its last reading was incomplete: it has room for 10,000 events and 8 MB. */
  isCut: z.boolean(),
});

/** Event that takes time in the window. `title` is present only on the viewer's own calendars. */
const takenShape = z.strictObject({
  event_ref: z.string(),
  calendar_id: id,
  start: z.iso.datetime(),
  end: z.iso.datetime(),
  class: z.enum(['busy', 'soft']),
  rank: z.literal([1, 2, 3, 4]), // 1 critical to 4 low
  title: z.optional(z.string()),
});

const published = z.strictObject({
  /** Whether the operator has them switched on for the caller. */
  available: z.boolean(),
  feeds: z.array(publishedFeedShape),
});
const feedParams = z.strictObject({ content: z.enum(feedContents) });

export const calendarContract = {
  listPublishedFeeds: endpoint({
    method: 'GET',
    path: '/api/published-feeds',
    auth: 'user',
    summary: 'Published feeds of the caller. Secret addresses need a recent proof of identity',
    query: z.strictObject({ addresses: z.optional(z.literal('1')) }),
    output: published,
    errors: ['REAUTHENTICATE'],
  }),
  publishFeed: endpoint({
    method: 'PUT',
    path: '/api/published-feeds/{content}',
    auth: 'user',
    summary: 'Publish events or busy time at a new secret address. The previous address stops working',
    params: feedParams,
    output: published,
    errors: ['REAUTHENTICATE', 'SWITCHED_OFF'],
  }),
  unpublishFeed: endpoint({
    method: 'DELETE',
    path: '/api/published-feeds/{content}',
    auth: 'user',
    summary: 'Stop publishing a feed. Its address stops working',
    params: feedParams,
    output: published,
  }),
  listCalendars: endpoint({
    method: 'GET',
    path: '/api/calendars',
    auth: 'user',
    summary: 'Calendars of the caller',
    output: z.strictObject({ calendars: z.array(calendarShape) }),
  }),
  listEvents: endpoint({
    method: 'GET',
    path: '/api/calendars/events',
    auth: 'user',
    summary: 'All instances that overlap [from, to) in the given calendars',
    query: z.strictObject({
      from: z.iso.datetime({ offset: true }),
      to: z.iso.datetime({ offset: true }),
      calendar_ids: z.optional(line(8_000)), // comma-separated; absent = all visible
    }),
    output: z.strictObject({ events: z.array(eventShape), truncated: z.boolean() }),
    errors: ['RANGE'],
  }),
  teamBusy: endpoint({
    method: 'GET',
    path: '/api/teams/{teamId}/busy',
    auth: 'user',
    summary: 'Busy times and days off of team members, with details of events if they share them. At most 31 days',
    params: z.strictObject({ teamId: idOf<'team'>() }),
    query: z.strictObject({ from: z.iso.datetime({ offset: true }), to: z.iso.datetime({ offset: true }) }),
    output: z.strictObject({
      members: z.array(
        z.strictObject({
          user_id: z.string(),
          name: z.string(),
          email: z.string(),
          avatar_url: z.nullable(z.string()),
          zone: z.string(),
          shares: z.enum(['busy', 'details']),
          /** Whole days off and holidays, never why. */
          away: z.array(z.strictObject({ start: epochMs, end: epochMs })),
          /** By start. `title` is null where nothing of it is shared. */
          busy: z.array(z.strictObject({ start: epochMs, end: epochMs, title: z.nullable(z.string()) })),
        }),
      ),
    }),
    errors: ['RANGE'],
  }),
  listWarnings: endpoint({
    method: 'GET',
    path: '/api/calendars/{calendarId}/warnings',
    auth: 'user',
    summary: 'Events of a calendar that could not be read exactly, and the effect on busy time',
    params: z.strictObject({ calendarId: id }),
    output: warningsShape,
  }),
  freeTimes: endpoint({
    method: 'POST',
    path: '/api/free-times',
    auth: 'user',
    summary: 'Conflicts of a proposed time, and the nearest free times of the same length',
    body: z.strictObject({
      start: z.iso.datetime({ offset: true }),
      end: z.iso.datetime({ offset: true }),
      except_event_id: z.optional(z.nullable(eventIdShape)), // the one that is edited; without its instance the whole series
      calendar_ids: z.optional(z.array(id).check(z.maxLength(500))), // absent = all that count as busy
    }),
    output: z.strictObject({
      conflicts: z.array(
        z.strictObject({
          event_id: z.string(),
          title: z.string(),
          calendar_id: id,
          calendar_name: z.string(),
          start: z.iso.datetime(),
          end: z.iso.datetime(),
        }),
      ),
      free: z.array(z.strictObject({ start: z.iso.datetime(), end: z.iso.datetime() })), // at most three, none without conflicts
    }),
    errors: ['BAD_TIME'],
  }),
  checkAvailability: endpoint({
    method: 'GET',
    path: '/calendars/availability',
    auth: 'user',
    summary: 'Availability of the caller in a window, with its conflicts and the holds that can be booked over',
    query: z.strictObject({
      user_id: z.optional(id), // nobody's but the caller's own
      start_time: z.iso.datetime({ offset: true }),
      end_time: z.iso.datetime({ offset: true }),
      rank: z.optional(z.string().check(z.regex(/^[1-4]$/))), // rank of the new booking; 3 by default
    }),
    output: z.strictObject({
      available: z.boolean(),
      conflicts: z.array(takenShape), // at most 100 each
      priority_conflicts: z.array(takenShape),
      truncated: z.boolean(), // whether one of the two has more than are listed
    }),
    errors: ['BAD_TIME'],
  }),
  explainBusy: endpoint({
    method: 'GET',
    path: '/api/explain/busy',
    auth: 'user',
    summary: 'Explain why a person is busy at an instant, or why an event is busy or not',
    query: z.strictObject({
      at: z.optional(z.iso.datetime({ offset: true })),
      event_id: z.optional(eventIdShape), // one of the two
    }),
    output: z.strictObject({
      at: z.nullable(z.iso.datetime()),
      busy: z.boolean(),
      events: z.array(busyEventShape), // highest-ranked first
    }),
    errors: ['ASK_ONE'],
  }),
};
