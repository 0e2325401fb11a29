import * as z from 'zod/mini';
import { announcement } from '#kernel/announcement.ts';

/** Events of a calendar were stored, or are gone. Whoever calls `applyChanges` for events of others says so. */
export const eventsChanged = announcement('calendar.events-changed', z.strictObject({ calendarId: z.string() }));

/** A person's events cover other instants than before, because their zone changed, or other ones are holds. */
export const eventsMoved = announcement('calendar.events-moved', z.strictObject({ userId: z.string() }));
