import * as z from 'zod/mini';
import { announcement, newsOf, type Said } from '#kernel/announcement.ts';
import type { CalendarId, ConnectionId } from '#kernel/ids.ts';

/** An account should be asked which calendars it has. */
export const listingWanted = announcement('sync.listing-wanted', z.strictObject({ connectionId: z.string() }));

/** A request to pull this calendar. */
export const readingWanted = announcement('sync.reading-wanted', z.strictObject({ calendarId: z.string() }));

/** The grace of a calendar that its account no longer lists is over. */
export const removalWanted = announcement('sync.removal-wanted', z.strictObject({ calendarId: z.string() }));

/** Something a person's mirrors depend on may have changed. */
export const planningWanted = announcement('sync.planning-wanted', z.strictObject({ userId: z.string() }));

/** Intents wait for this account. */
export const writingWanted = announcement('sync.writing-wanted', z.strictObject({ connectionId: z.string() }));

/** An account's push channels need somebody's hand. */
export const channelWorkWanted = announcement('sync.channel-work-wanted', z.strictObject({ connectionId: z.string() }));

export const readingOf = (calendarIds: Iterable<CalendarId>): Said[] =>
  Array.from(calendarIds, (calendarId) => newsOf(readingWanted, { calendarId }));
export const writingAt = (accounts: Iterable<ConnectionId>): Said[] =>
  Array.from(accounts, (connectionId) => newsOf(writingWanted, { connectionId }));
