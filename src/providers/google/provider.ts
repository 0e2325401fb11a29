import type { TagVerifier } from '#kernel/mirror-identity.ts';
import type { ApiFetch } from '#platform/api-fetch.ts';
import type { AccessTokens, CalendarProvider, ProviderCapabilities } from '../port.ts';
import { createRestClient } from '../rest/client.ts';
import type { RequestGate } from '../rest/request-gate.ts';
import { googleEvents } from './edit-event.ts';
import { refusal } from './errors.ts';
import { queryFreeBusy } from './guests/free-busy.ts';
import { listCalendars } from './list-calendars.ts';
import { fullPageSize, pullEvents } from './pull.ts';
import { googlePush } from './push.ts';
import { createEvent, deleteEvent, findEvent, updateEvent } from './write-event.ts';

export interface GoogleOptions {
  /** Where Google's APIs are: `https://www.googleapis.com`. */
  baseUrl: string;
  fetch: ApiFetch;
  tokens: AccessTokens;
  gate?: RequestGate | undefined;
  /** Mail addresses of the account's owner. */
  selfAddresses: readonly string[];
  tags: TagVerifier;
  /** Milliseconds since the epoch. */
  nowMs: () => number;
  /** Deadline of one exchange, body included; 30 s unless given. */
  timeoutMs?: number;
  /** Events per page of a full list; 2,500 unless given. */
  pageSize?: number;
}

/** A Google account as a calendar provider. Source: Google Calendar API v3; what we make of it in docs/providers.md. */
export function openGoogle(options: GoogleOptions): CalendarProvider {
  const rest = createRestClient({
    ...options,
    baseUrl: `${options.baseUrl.replace(/\/$/, '')}/calendar/v3`,
    service: 'Google',
    refusal,
  });
  const reading = {
    self: new Set(options.selfAddresses.map((address) => address.trim().toLowerCase())),
    tags: options.tags,
  };
  // among our own events only all-day ones have no zone, and they need none
  const readingOwn = { ...reading, calendarZone: undefined };
  return {
    listCalendars: (signal) => listCalendars(rest, signal),
    // Each pull counts its own requests, whatever else runs on the account.
    pull: (request) => pullEvents(rest.counting(), reading, request, options.pageSize ?? fullPageSize),
    createMirror: (calendarRef, identity, body, signal) => createEvent(rest, calendarRef, identity, body, signal),
    updateMirror: (calendarRef, current, identity, body, signal) =>
      updateEvent(rest, calendarRef, current, identity, body, readingOwn, signal),
    deleteMirror: (calendarRef, current, signal) => deleteEvent(rest, calendarRef, current, signal),
    findMirror: (calendarRef, identity, signal) => findEvent(rest, calendarRef, identity, readingOwn, signal),
    push: googlePush(rest),
    events: googleEvents(rest, reading),
    freeBusy: (addresses, range, signal) => queryFreeBusy(rest, addresses, range, signal),
    // Sockets belong to the pool behind `fetch`, which outlives any one account.
    close: () => Promise.resolve(),
  };
}

/** Quota: 80 % of 600 requests a minute, user and project. Source: Google Calendar API, "Manage quotas". */
export const googleCapabilities: ProviderCapabilities = {
  series: 'punch-out',
  push: true,
  maxConcurrency: 4,
  quota: { count: 480, windowMs: 60_000 },
  pollSeconds: 300,
  identityReusable: false,
  keepsInstants: true,
  // Events: insert takes a name or an iCalUID, never both, and a name is what makes a repeated call safe.
  uidDomain: 'google.com',
  conference: 'google-meet',
};
