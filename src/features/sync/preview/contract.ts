import * as z from 'zod/mini';
import { uuid as id } from '#kernel/codecs.ts';

const changesShape = z.strictObject({ create: z.int(), update: z.int(), delete: z.int() });
/** An event, a series, or dates of a series in the review of a calendar, by the first date in the time window. */
const diffRowShape = z.strictObject({
  action: z.enum(['create', 'update', 'delete']),
  itemId: id,
  sourceCalendarId: id,
  origin: z.string(), // title of the event
  writes: z.nullable(z.string()), // title of the block; null where it is deleted
  details: z.boolean(), // the block also has a place or a description
  away: z.boolean(), // the block says out of office, and not only busy
  startsAt: z.nullable(z.iso.datetime()),
  endsAt: z.nullable(z.iso.datetime()),
  allDay: z.boolean(), // from midnight to midnight
  series: z.nullable(
    z.strictObject({
      rule: z.nullable(z.string()), // RRULE; null where the dates are listed
      start: z.string(), // DTSTART, in its zone
      zone: z.nullable(z.string()),
      since: z.nullable(z.iso.datetime()), // its first date, if the block also covers dates before `startsAt`
      excluded: z.int(), // dates that the block leaves out: EXDATE, and dates that are cancelled or have a block of their own
      changed: z.int(), // moved or changed dates in the block
    }),
  ), // null for single blocks
  blocks: z.int(),
});

/** Preview of a change before it is saved: each calendar that changes, with the nearest of its `rowCount` rows. */
export const diffShape = z.extend(changesShape, {
  unchanged: z.int(),
  targets: z.array(z.extend(changesShape, { calendarId: id, rowCount: z.int(), rows: z.array(diffRowShape) })),
  pairs: z.array(z.extend(changesShape, { sourceCalendarId: id, targetCalendarId: id })),
});
