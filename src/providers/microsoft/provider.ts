import type { TagVerifier } from '#kernel/mirror-identity.ts';
import type { ApiFetch } from '#platform/api-fetch.ts';
import type { AccessTokens, CalendarProvider, ProviderCapabilities } from '../port.ts';
import { createRestClient } from '../rest/client.ts';
import type { RequestGate } from '../rest/request-gate.ts';
import { microsoftEvents } from './edit-event.ts';
import { refusal } from './errors.ts';
import { findMirror } from './find-mirror.ts';
import { getSchedule } from './guests/free-busy.ts';
import { listCalendars } from './list-calendars.ts';
import { pullCalendar, windowAt } from './pull.ts';
import { subscriptionsOf } from './push.ts';
import { type Place, readEvents } from './read-events.ts';
import { eventReader } from './to-item.ts';
import { createEvent, deleteEvent, updateEvent } from './write-event.ts';

export interface MicrosoftOptions {
  /** Root of Microsoft Graph, `https://graph.microsoft.com/v1.0`. */
  baseUrl: string;
  tokens: AccessTokens;
  fetch: ApiFetch;
  gate?: RequestGate | undefined;
  /** Mail addresses of the account's owner. */
  selfAddresses: readonly string[];
  tags: TagVerifier;
  nowMs: () => number;
  /** Deadline of one exchange, body included; 30 s unless given. */
  timeoutMs?: number;
}

/** A mailbox of Microsoft 365 or Outlook.com as a calendar provider. Source: Microsoft Graph v1.0. */
export function openMicrosoft(options: MicrosoftOptions): CalendarProvider {
  const { tokens, fetch, nowMs, timeoutMs } = options;
  const rest = createRestClient({
    baseUrl: options.baseUrl,
    service: 'Microsoft',
    fetch,
    tokens,
    refusal,
    gate: options.gate,
    nowMs,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  const read = eventReader(options.selfAddresses, options.tags);
  const place = (calendarRef: string, signal: AbortSignal): Place => ({
    rest,
    read,
    calendarRef,
    window: windowAt(nowMs()),
    signal,
  });

  return {
    listCalendars: (signal) => listCalendars(rest, signal),
    // Each pull counts its own requests, whatever else runs on the account.
    pull: (request) => pullCalendar(rest.counting(), read, request, nowMs()),
    readByName: (calendarRef, refs, signal) => readEvents(place(calendarRef, signal), { refs, masters: [] }),
    createMirror: (calendarRef, identity, body, signal) => createEvent(rest, read, calendarRef, identity, body, signal),
    updateMirror: (calendarRef, current, identity, body, signal) =>
      updateEvent(rest, calendarRef, current, identity, body, signal),
    deleteMirror: (calendarRef, current, signal) => deleteEvent(rest, calendarRef, current, signal),
    findMirror: (calendarRef, identity, signal) => findMirror(place(calendarRef, signal), identity),
    push: subscriptionsOf(rest, nowMs),
    events: microsoftEvents(place),
    freeBusy: (addresses, range, signal) => getSchedule(rest, addresses, range, signal),
    // Sockets belong to the dispatcher behind `fetch`, which outlives any one account.
    close: () => Promise.resolve(),
  };
}

export const microsoftCapabilities: ProviderCapabilities = {
  // Graph has no EXDATE, knows half of the rules, and drops a series' exceptions when its master is edited.
  series: 'expanded',
  push: true,
  keepsInstants: true,
  // Four are allowed for an application and a mailbox; the fourth is left to a request that just timed out here.
  maxConcurrency: 3,
  // 10,000 in ten minutes for an application and a mailbox.
  quota: { count: 8_000, windowMs: 600_000 },
  pollSeconds: 60,
  // Delta is told by replicas that follow within 10 to 60 seconds (delta-query-overview).
  noticesLeadMs: 30_000,
  identityReusable: false,
  colorless: true,
  alwaysTellsGuests: true,
  answersAreSent: true,
  conference: 'teams',
  reminders: 1,
};
