/**
 * Owns: what people change in their own calendars, from intent to outcome, and its undoing.
 * Announces: item-renamed; a calendar that was written is read again (sync.reading-wanted).
 * Never: writes more of an event than what differs, nor over what somebody else changed meanwhile.
 */
import * as z from 'zod/mini';
import { eventShape } from '#features/calendar/contract.ts';
import { instant, line, text, uuid, zone } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import { eventLimits } from '#kernel/event.ts';

const localDate = z.iso.date({ error: 'Expected a date such as 2027-03-08' });
const localDateTime = z.string().check(
  z.regex(/^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d$/, { error: 'Expected a time such as 2027-03-08T09:00' }),
  z.refine((value) => z.iso.date().safeParse(value.slice(0, 10)).success, { error: 'There is no such day' }),
);

/** Wall-clock times in a zone; the end of all-day events is the day after their last. */
export const whenShape = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('timed'), start: localDateTime, end: localDateTime, zone }),
  z.strictObject({ kind: z.literal('all-day'), start: localDate, end: localDate }),
]);

const email = line(320).check(z.regex(/^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/u));
export const attendeeShape = z.strictObject({ email, name: z.nullable(line(200)) });

const busyness = z.enum(['busy', 'free', 'tentative']);
const reminders = z.array(z.int().check(z.gte(0), z.lte(40_320))).check(z.maxLength(eventLimits.reminders));
/** One RRULE value, without the property's name; null: once. */
const recurrence = z.nullable(line(2_000));
const httpsLink = line(2_000).check(
  z.refine((text) => URL.parse(text)?.protocol === 'https:', { error: 'Expected an https address' }),
);

const fields = {
  calendar_id: uuid,
  title: line(eventLimits.titleChars),
  when: whenShape,
  recurrence,
  description: text(eventLimits.notesChars),
  location: line(eventLimits.locationChars),
  meeting_link: z.nullable(httpsLink),
  attendees: z.array(attendeeShape).check(z.maxLength(eventLimits.attendees)),
  busy: busyness,
  private: z.boolean(),
  reminders: z.nullable(reminders), // minutes before the start; null: as the calendar has it
};

export const fieldsShape = z.strictObject(fields);
export const changesShape = z.partial(fieldsShape);

/** Calendars may hold events without a title; a new one needs it. */
const newTitle = fields.title.check(
  z.refine((title) => title.trim().length > 0, { error: 'Enter a title for the event.' }),
);
const guest = z.union([email, attendeeShape], { error: 'Expected an address such as name@example.org' });

/** The time is either `when`, or the two instants of the specification. Fields that are left out have their defaults. */
export const newEventShape = z
  .strictObject({
    ...changesShape.shape,
    calendar_id: fields.calendar_id,
    title: newTitle,
    /** Seconds count; a recurrence repeats in the zone of the calendar. */
    start_time: z.optional(instant),
    end_time: z.optional(instant),
    attendees: z.optional(z.array(guest).check(z.maxLength(eventLimits.attendees))),
    tell_guests: z.optional(z.boolean()), // default: false
    /** A new id, the same in every attempt: a retry after a lost answer creates no second event. */
    edit_id: z.optional(uuid),
  })
  .check(
    z.refine(
      ({ when, start_time: start, end_time: end }) =>
        when === undefined ? start !== undefined && end !== undefined : start === undefined && end === undefined,
      { path: ['when'], error: 'Expected either when, or start_time and end_time' },
    ),
  );

export const scopes = ['this', 'following', 'all'] as const;
const scope = z.enum(scopes);

/** One instance as the editor needs it. */
export const detailsShape = z.strictObject({
  event_id: z.string(),
  item_id: z.string(),
  calendar_id: z.string(),
  title: z.string(), // empty where it has none
  when: whenShape,
  recurrence: z.nullable(z.string()), // the rule of its series; null: single, or more than one rule (see series)
  description: z.string(),
  location: z.string(),
  meeting_link: z.nullable(z.string()),
  attendees: z.array(
    z.strictObject({
      email: z.string(),
      name: z.nullable(z.string()),
      response: z.nullable(z.enum(['accepted', 'declined', 'tentative', 'needs-action'])),
    }),
  ),
  busy: busyness,
  private: z.boolean(),
  reminders: z.nullable(z.array(z.int())),
  series: z.nullable(
    z.strictObject({
      /** When its first instance begins, as `when.start` has it. */
      starts: z.string(),
      /** Scopes of a change from this instance; `following` is left out where it would be the same as `all`. */
      scopes: z.array(scope),
      /** More than one rule, or none: the editor leaves the recurrence as it is. */
      complex: z.boolean(),
    }),
  ),
  self: z.enum(['none', 'organizer', 'accepted', 'tentative', 'needs-action', 'declined']),
  version: z.string(),
  editable: z.boolean(),
  not_editable_reason: eventShape.shape.not_editable_reason,
  open_url: z.nullable(z.string()),
});

export const editKinds = ['create', 'change', 'delete', 'answer'] as const;
export const editStates = ['pending', 'done', 'failed', 'conflict', 'undone'] as const;

export const editShape = z.strictObject({
  edit_id: z.string(),
  kind: z.enum(editKinds),
  state: z.enum(editStates),
  calendar_id: z.string(), // where it leads: of a move the new calendar
  item_id: z.nullable(z.string()), // as in event_id, also of an event that is still to be written
  title: z.string(),
  message: z.nullable(z.string()), // why it waits, failed, is in conflict, or was done in part
  /** A deletion goes out then; of what is done: how long it can be undone. */
  undo_until: z.nullable(z.iso.datetime()),
  can_undo: z.boolean(),
  can_retry: z.boolean(), // failed, and its provider may accept it next time
  created_at: z.iso.datetime(),
  /**
   * Events of the range that the edit hides, and those to show instead. The edit counts until the calendar has it and
   * the screen may know. Shown events are among the hidden ones, so that no order of answers draws an event twice.
   */
  replaces: z.array(z.string()),
  events: z.array(eventShape),
  /** Conflict: what was wanted, and what stands there now; theirs is null where it is gone, mine where it was to go. */
  mine: z.nullable(detailsShape),
  theirs: z.nullable(detailsShape),
});

const answered = z.strictObject({ edit: editShape });
const eventParams = z.strictObject({ id: line(80) });
const editParams = z.strictObject({ edit_id: uuid });
const editErrors = [
  'READ_ONLY',
  'NOT_ORGANIZER',
  'BAD_RECURRENCE',
  'BAD_TIME',
  'TOO_MANY_EDITS',
  'CALENDAR_FULL',
] as const;

export const editsContract = {
  createEvent: endpoint({
    method: 'POST',
    path: '/events',
    auth: 'user',
    summary: 'Create an event. It appears immediately and is written to its calendar within moments',
    body: newEventShape,
    output: answered,
    errors: editErrors,
    status: 202,
  }),
  changeEvent: endpoint({
    method: 'PATCH',
    path: '/events/{id}',
    auth: 'user',
    summary:
      'Change an event, one instance, this and all later ones, or a whole series. Can also move it to another calendar',
    params: eventParams,
    body: z.strictObject({
      scope,
      version: line(100),
      tell_guests: z.boolean(),
      changes: changesShape,
    }),
    output: answered,
    // CHANGED_MEANWHILE: `fields.version` is the present one; GET /api/events/{event_id} shows the event as it is now
    errors: [...editErrors, 'CHANGED_MEANWHILE'],
    status: 202,
  }),
  deleteEvent: endpoint({
    method: 'DELETE',
    path: '/events/{id}',
    auth: 'user',
    summary:
      'Delete an event, one instance, this and all later ones, or a whole series. Takes effect after ten seconds',
    params: eventParams,
    query: z.strictObject({
      scope,
      version: line(100),
      tell_guests: z.enum(['true', 'false']),
    }),
    output: answered,
    errors: [...editErrors, 'CHANGED_MEANWHILE'],
    status: 202,
  }),
  answerInvitation: endpoint({
    method: 'POST',
    path: '/api/events/{event_id}/answer',
    auth: 'user',
    summary: 'Answer an invitation, for one instance or the series. The provider or an email notifies the organizer',
    params: z.strictObject({ event_id: line(80) }),
    body: z.strictObject({
      answer: z.enum(['accepted', 'tentative', 'declined']),
      scope: z.enum(['this', 'all']),
      version: line(100),
      note: z.nullable(text(1_000)), // for the organizer
      /** A CalDAV server that sends answers sends every one of them. */
      tell_organizer: z.boolean(),
    }),
    output: answered,
    errors: ['READ_ONLY', 'NOT_INVITED', 'BAD_TIME', 'BAD_RECURRENCE', 'TOO_MANY_EDITS', 'CHANGED_MEANWHILE'],
    status: 202,
  }),
  readEvent: endpoint({
    method: 'GET',
    path: '/api/events/{event_id}',
    auth: 'user',
    summary: 'An event or instance with all editable fields, including waiting changes',
    params: z.strictObject({ event_id: line(80) }),
    output: z.strictObject({ event: detailsShape }),
  }),
  listEdits: endpoint({
    method: 'GET',
    path: '/api/edits',
    auth: 'user',
    summary: 'Waiting, failed, and conflicting edits, and those completed in the last minutes',
    query: z.strictObject({ from: z.iso.datetime({ offset: true }), to: z.iso.datetime({ offset: true }) }),
    output: z.strictObject({ edits: z.array(editShape) }),
    errors: ['RANGE'],
  }),
  undoEdit: endpoint({
    method: 'POST',
    path: '/api/edits/{edit_id}/undo',
    auth: 'user',
    summary: 'Undo an edit. A waiting edit is dropped, and a completed one is reversed',
    params: editParams,
    output: answered,
    errors: ['TOO_LATE', 'TOO_MANY_EDITS', 'CALENDAR_FULL'],
    status: 202,
  }),
  retryEdit: endpoint({
    method: 'POST',
    path: '/api/edits/{edit_id}/retry',
    auth: 'user',
    summary: 'Retry an edit that failed or is waiting for its calendar',
    params: editParams,
    output: answered,
    errors: ['TOO_LATE'],
    status: 202,
  }),
  chooseEdit: endpoint({
    method: 'POST',
    path: '/api/edits/{edit_id}/choose',
    auth: 'user',
    summary: 'Resolve a conflict: overwrite with my version, or keep theirs',
    params: editParams,
    body: z.strictObject({ keep: z.enum(['mine', 'theirs']) }),
    output: answered,
    errors: ['TOO_LATE'],
    status: 202,
  }),
  dismissEdit: endpoint({
    method: 'POST',
    path: '/api/edits/{edit_id}/dismiss',
    auth: 'user',
    summary: 'Hide an edit that is completed or failed',
    params: editParams,
    output: answered,
    errors: ['TOO_LATE'],
  }),
};
