import { ProviderError } from '#kernel/errors.ts';
import type { MirrorIdentity } from '#kernel/mirror-identity.ts';
import type { FoundMirror, MirrorBody, Written } from '../port.ts';
import type { RestClient, RestReply } from '../rest/client.ts';
import { badAnswer } from '../rest/network-failures.ts';
import { eventGone } from './errors.ts';
import { fetchSeries } from './fetch-series.ts';
import { insertOf, patchOf, type Resource } from './from-event.ts';
import { eventIdOf } from './mirror-id.ts';
import { eventAt, eventsOf, getEvent, requireCalendar, send } from './requests.ts';
import { readEvent } from './resource.ts';
import { restoreInstances } from './restore-instances.ts';
import { etagIn, hasExceptions, isCancelled, isRecurring, itemOf, type ReadContext, versionOf } from './to-event.ts';

/**
 * Writes of one event, and the probe after one whose outcome is unknown. None is ever repeated here. Nobody is sent a
 * mail: mirrors have no guests, and `sendUpdates=none` says so once more.
 */

/** Fields to return for a written event. */
const writeQuery = { sendUpdates: 'none', fields: 'id,etag' };

/**
 * Creates the event under its own id; `precondition` if one of that id exists. A deleted event keeps its id forever. It
 * is restored once, at the version read. If Google refuses that, the identity is used up, and the caller takes the next
 * generation.
 */
export async function createEvent(
  rest: RestClient,
  calendarRef: string,
  identity: MirrorIdentity,
  body: MirrorBody,
  signal: AbortSignal,
): Promise<Written> {
  const id = eventIdOf(identity);
  let written: Written;
  try {
    written = writtenOf(
      await send(rest, {
        operation: 'events.insert',
        method: 'POST',
        target: eventsOf(calendarRef),
        query: writeQuery,
        body: insertOf(identity, id, body),
        signal,
      }),
    );
  } catch (error) {
    if (!(error instanceof ProviderError) || error.code !== 'ALREADY_THERE') throw error;
    const revived = await revive(rest, calendarRef, id, patchOf(identity, body), signal);
    if (revived === null) throw error;
    return revived;
  }
  if (written.ref === id) return written;
  // "We cannot guarantee that ID collisions will be detected at event creation time": the second one is taken back.
  await deleteEvent(rest, calendarRef, written, signal);
  throw new ProviderError('precondition', 'ALREADY_THERE', 'This event already exists.');
}

/** Null where the event is not a deleted one, or cannot be brought back: a 403 was seen for it, others say it works. */
async function revive(
  rest: RestClient,
  calendarRef: string,
  ref: string,
  body: Resource,
  signal: AbortSignal,
): Promise<Written | null> {
  const event = await getEvent(rest, calendarRef, ref, signal);
  if (event === null || !isCancelled(event) || event.etag === undefined) return null;
  try {
    return writtenOf(await patch(rest, calendarRef, { ref, version: event.etag }, body, signal));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.kind === 'rejected' || error.kind === 'not-found' || error.kind === 'precondition') return null;
    throw error;
  }
}

function patch(
  rest: RestClient,
  calendarRef: string,
  current: { ref: string; version: string },
  body: Resource,
  signal: AbortSignal,
): Promise<RestReply> {
  return send(rest, {
    operation: 'events.patch',
    method: 'PATCH',
    target: eventAt(calendarRef, current.ref),
    query: writeQuery,
    headers: { 'if-match': etagIn(current.version) },
    body,
    signal,
  });
}

/** Changes the event if it is still at `version`; `not-found` when it is gone, `precondition` when it changed. */
export async function updateEvent(
  rest: RestClient,
  calendarRef: string,
  current: { ref: string; version: string },
  identity: MirrorIdentity,
  body: MirrorBody,
  context: ReadContext,
  signal: AbortSignal,
): Promise<Written> {
  let written: Written;
  try {
    written = writtenOf(await patch(rest, calendarRef, current, patchOf(identity, body), signal));
  } catch (error) {
    throw await goneOrChanged(rest, calendarRef, current.ref, error, signal);
  }
  if (!hasExceptions(current.version)) return written;
  return { ...written, version: await restoreInstances(rest, calendarRef, written.ref, identity, context, signal) };
}

/** Deletes the event if it is still at `version`; `not-found` when it is gone already, `precondition` when it changed. */
export async function deleteEvent(
  rest: RestClient,
  calendarRef: string,
  current: { ref: string; version: string },
  signal: AbortSignal,
): Promise<void> {
  try {
    await send(rest, {
      operation: 'events.delete',
      method: 'DELETE',
      target: eventAt(calendarRef, current.ref),
      query: { sendUpdates: 'none' },
      headers: { 'if-match': etagIn(current.version) },
      signal,
    });
  } catch (error) {
    throw await goneOrChanged(rest, calendarRef, current.ref, error, signal);
  }
}

/** Finds the event of an identity; a deleted event counts as none. */
export async function findEvent(
  rest: RestClient,
  calendarRef: string,
  identity: MirrorIdentity,
  context: ReadContext,
  signal: AbortSignal,
): Promise<FoundMirror | null> {
  const ref = eventIdOf(identity);
  const master = await getEvent(rest, calendarRef, ref, signal);
  if (master === null || isCancelled(master)) return null;
  const parts = isRecurring(master)
    ? await fetchSeries(rest, calendarRef, ref, [master], signal)
    : { ref, master, exceptions: [] };
  return parts === null ? null : { ref, version: versionOf(parts), item: itemOf(parts, context) };
}

function writtenOf({ json, requestId }: RestReply): Written {
  const event = readEvent(json);
  if (event?.etag === undefined) throw badAnswer("it accepted the event, but doesn't name its version");
  return { ref: event.id, version: event.etag, ...(requestId === undefined ? {} : { requestId }) };
}

/** 412 is said of a changed and of a deleted event, 404 of a missing event and of a missing calendar: a look tells. */
export async function goneOrChanged(
  rest: RestClient,
  calendarRef: string,
  ref: string,
  error: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  if (!(error instanceof ProviderError)) return error;
  if (error.kind === 'not-found') {
    await requireCalendar(rest, calendarRef, signal);
    return error;
  }
  if (error.kind !== 'precondition') return error;
  const event = await getEvent(rest, calendarRef, ref, signal);
  return event === null || isCancelled(event) ? eventGone(error.requestId) : error;
}
