import type { RestClient } from '../rest/client.ts';
import { badAnswer } from '../rest/network-failures.ts';
import { getEvent, listPage } from './requests.ts';
import { type GoogleEvent, readEvent } from './resource.ts';
import { isEmpty } from './series-basket.ts';
import { isCancelled, type SeriesParts } from './to-event.ts';

const pageSize = 100;
const maxPages = 100;

/**
 * A series as it stands now: master, changed and cancelled instances. Usually one request, for they all share an
 * iCalUID; two where `known`, what a list of changes told, holds nothing but cancelled instances.
 *
 * Null where the series is gone. Instances of a master that we may not see are a series without master.
 */
export async function fetchSeries(
  rest: RestClient,
  calendarRef: string,
  ref: string,
  known: readonly GoogleEvent[],
  signal: AbortSignal,
): Promise<SeriesParts | null> {
  const get = (id: string) => getEvent(rest, calendarRef, id, signal);
  let master: GoogleEvent | null | undefined;
  let uid = known.find((event) => event.iCalUID !== undefined)?.iCalUID;
  if (uid === undefined) {
    master = await get(ref);
    if (master !== null && isCancelled(master)) return null;
    const first = known[0];
    uid = master?.iCalUID ?? (first === undefined ? undefined : (await get(first.id))?.iCalUID);
  }
  const exceptions = new Map<string, GoogleEvent>();
  for (const event of known) if (event.recurringEventId === ref) exceptions.set(event.id, event);
  for (const event of uid === undefined ? [] : await listUid(rest, calendarRef, uid, signal)) {
    if (event.id === ref) master = event;
    else if (event.recurringEventId === ref) exceptions.set(event.id, event);
  }
  // A search that does not name the master is no proof that it is gone.
  if (master === undefined) master = await get(ref);
  if (master !== null && isCancelled(master)) return null;
  const parts = { ref, master, exceptions: [...exceptions.values()] };
  return isEmpty(parts) ? null : parts;
}

async function listUid(
  rest: RestClient,
  calendarRef: string,
  iCalUID: string,
  signal: AbortSignal,
): Promise<GoogleEvent[]> {
  const events: GoogleEvent[] = [];
  let pageToken: string | undefined;
  for (let count = 0; count < maxPages; count += 1) {
    const page = await listPage(
      rest,
      calendarRef,
      { iCalUID, showDeleted: true, maxResults: pageSize, pageToken },
      signal,
    );
    events.push(...page.items.map(readEvent).filter((event) => event !== null));
    pageToken = page.nextPageToken;
    if (pageToken === undefined) return events;
  }
  throw badAnswer('the list of one series never ends');
}
