import { ProviderError } from '#kernel/errors.ts';
import { eventLimits } from '#kernel/event.ts';
import type { RestClient, RestReply, RestRequest } from '../rest/client.ts';
import { badAnswer } from '../rest/network-failures.ts';
import { calendarGone, type GoogleOperation } from './errors.ts';
import { eventFields, type GoogleEvent, type GooglePage, readEvent, readPage } from './resource.ts';

/** Requests of the Calendar API that several files send. Source: Google Calendar API v3, Events. */

export interface GoogleRequest extends Omit<RestRequest, 'operation'> {
  operation: GoogleOperation;
}

export const send = (rest: RestClient, request: GoogleRequest): Promise<RestReply> => rest.send(request);

export const eventsOf = (calendarRef: string) => `/calendars/${encodeURIComponent(calendarRef)}/events`;
export const eventAt = (calendarRef: string, ref: string) => `${eventsOf(calendarRef)}/${encodeURIComponent(ref)}`;

export interface ListQuery {
  pageToken?: string | undefined;
  syncToken?: string | undefined;
  iCalUID?: string;
  showDeleted?: true;
  maxResults: number;
}

/** Parsed in one go: 10 MB of events block the event loop for 40 to 60 ms. */
const pageBytes = 5_000_000;

/**
 * One page of masters, single events and exceptions. People are asked for up to the limit of the model: rules look at
 * who is invited. Every call of one sync has the same parameters but the tokens, as Google demands.
 */
export async function listPage(
  rest: RestClient,
  calendarRef: string,
  query: ListQuery,
  signal: AbortSignal,
): Promise<GooglePage> {
  const { json } = await send(rest, {
    operation: 'events.list',
    method: 'GET',
    target: eventsOf(calendarRef),
    query: {
      singleEvents: false,
      maxAttendees: eventLimits.attendees,
      fields: `nextPageToken,nextSyncToken,timeZone,items(${eventFields})`,
      ...query,
    },
    maxBytes: pageBytes,
    signal,
  });
  const page = readPage(json);
  if (page === null) throw badAnswer("it isn't a list of events");
  return page;
}

/** The event, cancelled ones included, or null where there is none of that id; a missing calendar is told as such. */
export async function getEvent(
  rest: RestClient,
  calendarRef: string,
  ref: string,
  signal: AbortSignal,
  fields: { maxAttendees?: number; fields: string } = { maxAttendees: eventLimits.attendees, fields: eventFields },
): Promise<GoogleEvent | null> {
  try {
    const { json } = await send(rest, {
      operation: 'events.get',
      method: 'GET',
      target: eventAt(calendarRef, ref),
      query: fields,
      signal,
    });
    const event = readEvent(json);
    if (event === null) throw badAnswer("it isn't an event");
    return event;
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== 'not-found') throw error;
    await requireCalendar(rest, calendarRef, signal);
    return null;
  }
}

/** 404 is the answer for a missing event and for a missing calendar; a list of one tells them apart. */
export async function requireCalendar(rest: RestClient, calendarRef: string, signal: AbortSignal): Promise<void> {
  try {
    await send(rest, {
      operation: 'events.list',
      method: 'GET',
      target: eventsOf(calendarRef),
      query: { maxResults: 1, fields: 'timeZone' },
      signal,
    });
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'not-found') throw calendarGone(error.requestId);
    throw error;
  }
}
