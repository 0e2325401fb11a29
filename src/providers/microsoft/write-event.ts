import { ProviderError } from '#kernel/errors.ts';
import type { MirrorIdentity } from '#kernel/mirror-identity.ts';
import type { MirrorBody, Written } from '../port.ts';
import type { RestClient } from '../rest/client.ts';
import { changedMeanwhile, DuplicateTransaction } from './errors.ts';
import { insertOf, patchOf, standsAs } from './from-body.ts';
import { askGraph, calendarPath, eventOf, eventPath } from './graph.ts';
import { eventFields, type GraphEvent } from './graph-event.ts';
import { type EventReader, etagOf } from './to-item.ts';

/** Conditional writes of one event. None is ever repeated here: a lost answer is `transient`, and the caller probes. */

/**
 * Creates the event; `precondition` when its transactionId was used before. A repeated POST is refused with the first
 * event's name, or answered with that event as if it were new: either way it is adopted only if it stands as wanted.
 *
 * Source: Create event, `transactionId` of the event resource type.
 */
export async function createEvent(
  rest: RestClient,
  read: EventReader,
  calendarRef: string,
  identity: MirrorIdentity,
  body: MirrorBody,
  signal: AbortSignal,
): Promise<Written> {
  try {
    const target = `${calendarPath(calendarRef)}/events`;
    const sent = { operation: 'create', method: 'POST', target, body: insertOf(identity, body), signal } as const;
    const { json, requestId } = await askGraph(rest, sent);
    const event = eventOf(json);
    if (body.kind === 'single' && !standsAs(read.single(event).body, body)) throw changedMeanwhile(requestId);
    return written(event, requestId);
  } catch (error) {
    if (!(error instanceof DuplicateTransaction) || error.existingEventId === null) throw error;
    const event = await findEvent(rest, calendarRef, error.existingEventId, signal);
    const item = event === null ? null : read.single(event);
    const same = item?.provenance === 'own' && item.uid === identity.uid && standsAs(item.body, body);
    if (event === null || !same) throw error;
    return written(event, error.requestId);
  }
}

/** Changes the event if it is still at `version`; `not-found` when it (or its calendar) is gone, `precondition` when it changed. */
export async function updateEvent(
  rest: RestClient,
  calendarRef: string,
  current: { ref: string; version: string },
  identity: MirrorIdentity,
  body: MirrorBody,
  signal: AbortSignal,
): Promise<Written> {
  const target = eventPath(calendarRef, current.ref);
  const headers = { 'if-match': etagOf(current.version) };
  const sent = {
    operation: 'update',
    method: 'PATCH',
    target,
    headers,
    body: patchOf(identity, body),
    signal,
  } as const;
  try {
    const { json, requestId } = await askGraph(rest, sent);
    return written(eventOf(json), requestId);
  } catch (error) {
    throw await whatIsGone(rest, calendarRef, error, signal);
  }
}

/**
 * Deletes the event if it is still at `version`. No page says that DELETE heeds If-Match, so the version is read first;
 * it is sent all the same.
 */
export async function deleteEvent(
  rest: RestClient,
  calendarRef: string,
  current: { ref: string; version: string },
  signal: AbortSignal,
): Promise<void> {
  const target = eventPath(calendarRef, current.ref);
  const version = etagOf(current.version);
  const options = { $select: 'id,lastModifiedDateTime' };
  try {
    const { json, requestId } = await askGraph(rest, { operation: 'event', method: 'GET', target, options, signal });
    if (eventOf(json)['@odata.etag'] !== version) throw changedMeanwhile(requestId);
    await askGraph(rest, { operation: 'delete', method: 'DELETE', target, headers: { 'if-match': version }, signal });
  } catch (error) {
    throw await whatIsGone(rest, calendarRef, error, signal);
  }
}

/** 404 is said of a missing event and of one in a calendar that is not there: a look tells. */
export async function whatIsGone(
  rest: RestClient,
  calendarRef: string,
  error: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  if (!(error instanceof ProviderError) || error.kind !== 'not-found') return error;
  const target = calendarPath(calendarRef);
  await askGraph(rest, { operation: 'calendar', method: 'GET', target, options: { $select: 'id' }, signal });
  return error;
}

async function findEvent(
  rest: RestClient,
  calendarRef: string,
  ref: string,
  signal: AbortSignal,
): Promise<GraphEvent | null> {
  try {
    const target = eventPath(calendarRef, ref);
    const options = { $select: eventFields };
    return eventOf((await askGraph(rest, { operation: 'event', method: 'GET', target, options, signal })).json);
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'not-found') return null;
    throw error;
  }
}

function written(event: GraphEvent, requestId: string | undefined): Written {
  return { ref: event.id, version: event['@odata.etag'] ?? '', requestId };
}
