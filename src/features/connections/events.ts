import * as z from 'zod/mini';
import { announcement } from '#kernel/announcement.ts';

/** Calendars of an account were listed: after connecting, reconnecting, or a routine list. */
export const calendarsListed = announcement(
  'connections.calendars-listed',
  z.strictObject({ connectionId: z.string(), userId: z.string() }),
);

/** A calendar has another zone: its floating events are at other instants. */
export const calendarMoved = announcement('connections.calendar-moved', z.strictObject({ userId: z.string() }));

/** A person disconnects an account, with every event that we wrote there. */
export const connectionLeaving = announcement(
  'connections.leaving',
  z.strictObject({ connectionId: z.string(), userId: z.string() }),
);

/** An account at a provider is gone, with everything that we kept of it. */
export const connectionGone = announcement(
  'connections.gone',
  z.strictObject({ connectionId: z.string(), userId: z.string() }),
);
