import * as z from 'zod/mini';
import { announcement } from '#kernel/announcement.ts';

/**
 * Events of a calendar were stored or deleted. Other callers of `applyChanges` emit this themselves. `more`: the next
 * of many pages follows at once.
 */
export const eventsChanged = announcement(
  'calendar.events-changed',
  z.strictObject({ calendarId: z.string(), more: z.boolean() }),
);

/**
 * Delay of the jobs that follow changed events while more changes come: an initial mirror stores thousands in seconds.
 */
export const moreComesMs = 3_000;

/** The job that follows it, once for all pages: at once where no more of them come. */
export const forCalendar = ({ calendarId, more }: { calendarId: string; more: boolean }) => ({
  payload: { calendarId },
  key: calendarId,
  startAfterMs: more ? moreComesMs : 0,
});

/** A person's events cover other instants than before, because their zone changed, or other ones are holds. */
export const eventsMoved = announcement('calendar.events-moved', z.strictObject({ userId: z.string() }));

/**
 * Event instants changed with new time zone data. `renamed`: instances whose rec id changed. Emitted before they are
 * planned again, in the same transaction.
 */
export const instantsChanged = announcement(
  'calendar.instants-changed',
  z.strictObject({
    userId: z.string(),
    itemIds: z.array(z.string()),
    renamed: z.array(z.strictObject({ itemId: z.string(), from: z.string(), to: z.string() })),
  }),
);
