import * as z from 'zod/mini';

/**
 * The fields of Google's resources that we read. Any field but an id may be missing. A value of an undocumented type
 * counts as missing. Source: Google Calendar API v3, Events, CalendarList, Channel.
 */

// Called by its own name the linter takes it for a promise's.
const { catch: orElse } = z;
const text = orElse(z.optional(z.string()), undefined);
const flag = orElse(z.optional(z.boolean()), undefined);
const number = orElse(z.optional(z.number()), undefined);
const loose = <T extends z.core.SomeType>(schema: T) => orElse(z.optional(schema), undefined);

const eventTime = z.object({ date: text, dateTime: text, timeZone: text });
// Loose: a list of people is replaced whole, so whatever a changed one had goes back with it.
const person = z.looseObject({ email: text, displayName: text, self: flag, responseStatus: text, resource: flag });
const reminder = z.looseObject({ method: text, minutes: number });

const event = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(2_000)),
  status: text,
  etag: text,
  iCalUID: text,
  sequence: number,
  summary: text,
  description: text,
  location: text,
  start: loose(eventTime),
  end: loose(eventTime),
  recurrence: loose(z.array(z.string())),
  recurringEventId: text,
  originalStartTime: loose(eventTime),
  transparency: text,
  visibility: text,
  eventType: text,
  colorId: text,
  attendees: loose(z.array(person)),
  attendeesOmitted: flag,
  organizer: loose(person),
  hangoutLink: text,
  conferenceData: loose(z.object({ entryPoints: loose(z.array(z.object({ entryPointType: text, uri: text }))) })),
  extendedProperties: loose(z.object({ private: loose(z.record(z.string(), z.string())) })),
  source: loose(z.object({ url: text })),
  reminders: loose(z.object({ useDefault: flag, overrides: loose(z.array(reminder)) })),
});

const calendar = z.object({
  id: z.string(),
  summary: text,
  summaryOverride: text,
  timeZone: text,
  accessRole: text,
  primary: flag,
  deleted: flag,
  backgroundColor: text,
  conferenceProperties: loose(z.object({ allowedConferenceSolutionTypes: loose(z.array(z.string())) })),
});

const page = z.object({
  items: orElse(z.array(z.unknown()), []),
  nextPageToken: text,
  nextSyncToken: text,
  timeZone: text,
});

const channel = z.object({
  id: z.string(),
  resourceId: z.string(),
  // Documented as a number, sent as a string of digits.
  expiration: z.union([z.number(), z.string()]),
});

export type GoogleEvent = z.infer<typeof event>;
export type GoogleEventTime = z.infer<typeof eventTime>;
export type GoogleCalendar = z.infer<typeof calendar>;
export type GooglePage = z.infer<typeof page>;

const fieldsBut = (attendees: string) =>
  'id,status,etag,iCalUID,sequence,summary,description,location,start,end,recurrence,recurringEventId,' +
  `originalStartTime,transparency,visibility,eventType,colorId,${attendees},attendeesOmitted,` +
  'organizer(email,displayName,self),hangoutLink,conferenceData/entryPoints(entryPointType,uri),' +
  'extendedProperties/private,source/url,reminders';

/** The fields above, for `fields`: half of what Google would send is of no use here. */
export const eventFields = fieldsBut('attendees(email,displayName,self,responseStatus,resource)');
/** Fields for editing: as above, with full attendees for rewriting their list. */
export const editedFields = fieldsBut('attendees');

/** Null where it is none: an event without an id can be neither shown nor missed. */
export const readEvent = (json: unknown): GoogleEvent | null => event.safeParse(json).data ?? null;
export const readCalendar = (json: unknown): GoogleCalendar | null => calendar.safeParse(json).data ?? null;
/** Null where the answer is no page at all. */
export const readPage = (json: unknown): GooglePage | null => page.safeParse(json).data ?? null;
export const readChannel = (json: unknown): z.infer<typeof channel> | null => channel.safeParse(json).data ?? null;
