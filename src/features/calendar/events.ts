import * as z from 'zod/mini';
import { announcement } from '#kernel/announcement.ts';

/**
 * Events of a calendar were stored, or are gone. Whoever calls `applyChanges` for events of others says so; `more` where the
 * next of many pages follows at once.
 */
export const eventsChanged = announcement(
  'calendar.events-changed',
  z.strictObject({ calendarId: z.string(), more: z.boolean() }),
);

/** What follows the events of a calendar waits so long where more of them come: an initial mirror stores thousands in seconds. */
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
 * Events of a person are at other instants than before, because the time zone data changed. `renamed`: instances of theirs that
 * are named by another start now. Announced before they are planned again, in the same transaction.
 */
export const instantsChanged = announcement(
  'calendar.instants-changed',
  z.strictObject({
    userId: z.string(),
    itemIds: z.array(z.string()),
    renamed: z.array(z.strictObject({ itemId: z.string(), from: z.string(), to: z.string() })),
  }),
);
