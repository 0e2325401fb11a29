import * as z from 'zod/mini';

/**
 * An event as Graph tells it: what the adapter reads of it and nothing else. Every property may be missing; stubs of
 * occurrences and tombstones are rows of the same shape. Source: event resource type (v1.0), calendarView: delta.
 */

const text = z.nullish(z.string());
const flag = z.nullish(z.boolean());

/** Wall clock with seven fractional digits and no offset: `2027-03-08T08:00:00.0000000`. */
const dateTimeTimeZone = z.nullish(z.object({ dateTime: z.string(), timeZone: text }));
const address = z.nullish(z.object({ emailAddress: z.nullish(z.object({ name: text, address: text })) }));

const graphEvent = z.object({
  id: z.string().check(z.minLength(1)),
  '@odata.etag': text,
  '@removed': z.nullish(z.object({ reason: text })),
  type: text,
  seriesMasterId: text,
  lastModifiedDateTime: text,
  subject: text,
  body: z.nullish(z.object({ contentType: text, content: text })),
  location: z.nullish(z.object({ displayName: text })),
  start: dateTimeTimeZone,
  end: dateTimeTimeZone,
  isAllDay: flag,
  isCancelled: flag,
  isDraft: flag,
  showAs: text,
  sensitivity: text,
  responseStatus: z.nullish(z.object({ response: text })),
  originalStart: text,
  originalStartTimeZone: text,
  iCalUId: text,
  transactionId: text,
  categories: z.nullish(z.array(z.string())),
  attendees: z.nullish(
    z.array(
      // Loose: the list is replaced whole, so whatever a guest has goes back with it.
      z.looseObject({
        type: text,
        status: z.nullish(z.object({ response: text })),
        emailAddress: z.nullish(z.object({ name: text, address: text })),
      }),
    ),
  ),
  organizer: address,
  isReminderOn: flag,
  reminderMinutesBeforeStart: z.nullish(z.number()),
  onlineMeeting: z.nullish(z.object({ joinUrl: text })),
  recurrence: z.optional(z.unknown()),
  cancelledOccurrences: z.nullish(z.array(z.string())),
  exceptionOccurrences: z.nullish(z.array(z.unknown())),
  singleValueExtendedProperties: z.nullish(z.array(z.object({ id: z.string(), value: text }))),
});

export type GraphEvent = z.infer<typeof graphEvent>;

/** Properties asked for wherever Graph lets us choose. Delta does not. */
export const eventFields = [
  'id',
  'type',
  'seriesMasterId',
  'lastModifiedDateTime',
  'subject',
  'body',
  'location',
  'start',
  'end',
  'isAllDay',
  'isCancelled',
  'isDraft',
  'showAs',
  'sensitivity',
  'responseStatus',
  'originalStart',
  'originalStartTimeZone',
  'iCalUId',
  'transactionId',
  'categories',
  'attendees',
  'organizer',
  'isReminderOn',
  'reminderMinutesBeforeStart',
  'onlineMeeting',
  'recurrence',
].join(',');

const named = z.object({ id: z.string().check(z.minLength(1)), '@odata.etag': text, seriesMasterId: text });

/** A row, or for one of an unknown form its name alone, so that it is withheld and not lost. Null: not even a name. */
export function readEvent(
  value: unknown,
): { ok: true; event: GraphEvent } | { ok: false; id: string; version: string; seriesMasterId: string | null } | null {
  const read = graphEvent.safeParse(value);
  if (read.success) return { ok: true, event: read.data };
  const name = named.safeParse(value);
  if (!name.success) return null;
  const { id, '@odata.etag': version, seriesMasterId } = name.data;
  return { ok: false, id, version: version ?? '', seriesMasterId: seriesMasterId ?? null };
}

/** A page of a list. */
export const graphPage = z.object({
  value: z.array(z.unknown()),
  '@odata.nextLink': z.optional(z.string()),
  '@odata.deltaLink': z.optional(z.string()),
});
