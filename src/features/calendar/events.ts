import * as z from 'zod/mini';
import { announcement } from '#kernel/announcement.ts';

/** A person's events cover other instants than before: their zone changed. */
export const eventsMoved = announcement('calendar.events-moved', z.strictObject({ userId: z.string() }));
