import { ProviderError } from '#kernel/errors.ts';
import type { MirrorIdentity } from '#kernel/mirror-identity.ts';
import type { Written } from '../port.ts';
import { badAnswer } from '../rest/network-failures.ts';
import { type Collection, ifMatchOf, isCounterVersion, memberRef, objectUrl, versionOf } from './collection.ts';
import { calendarGone, refusal, uidConditions } from './errors.ts';
import { getObject } from './fetch-objects.ts';
import type { DavClient, DavReply, DavRequest } from './http.ts';
import { readState } from './list-changes.ts';
import type { CaldavProfile } from './profiles.ts';
import { type DavResponse, readMultistatus } from './xml.ts';

/** Conditional writes of one object. None is ever repeated here: a lost answer is `transient`, and the caller probes. */

/** Where a mirror goes: only letters, digits, dot and hyphen in the name, or the UID itself where the server insists. */
export function mirrorRef(collection: Collection, identity: MirrorIdentity, profile: CaldavProfile): string {
  const name = profile.namesByUid ? identity.uid : `${identity.key}-g${identity.generation}`;
  return `${collection.ref}${name}.ics`;
}

/**
 * Creates the object; `precondition` when something stands there already.
 *
 * Source: RFC 4791 5.3.2. SOGo ignores If-None-Match and overwrites with 204, so there it is looked up first; any other
 * server that answers 200 or 204 to a creation is read back before it is believed.
 */
export async function createObject(
  dav: DavClient,
  collection: Collection,
  ref: string,
  text: string,
  signal: AbortSignal,
): Promise<Written> {
  if (overwrites(collection) && (await getObject(dav, collection, ref, signal)) !== null) throw changedMeanwhile();
  try {
    const put = await putObject(dav, collection, ref, text, { ifNoneMatch: '*' }, signal);
    return await written(dav, collection, put.status === 201 ? put : { ...put, version: '' }, signal);
  } catch (error) {
    throw await explainConflict(dav, collection, error, signal);
  }
}

/** Replaces the object if it is still at `version`; `not-found` when it is gone, `precondition` when it changed. */
export async function updateObject(
  dav: DavClient,
  collection: Collection,
  current: { ref: string; version: string },
  text: string,
  signal: AbortSignal,
): Promise<Written> {
  if (isCounterVersion(current.version)) await requireVersion(dav, collection, current, signal);
  try {
    const ifMatch = ifMatchOf(current.version);
    const put = await putObject(dav, collection, current.ref, text, { ifMatch }, signal);
    return await written(dav, collection, put, signal);
  } catch (error) {
    throw await goneOrChanged(dav, collection, current, error, signal);
  }
}

/** Deletes the object if it is still at `version`. Radicale answers 200 with a multistatus, others 204. */
export async function deleteObject(
  dav: DavClient,
  collection: Collection,
  current: { ref: string; version: string },
  signal: AbortSignal,
): Promise<void> {
  if (isCounterVersion(current.version)) await requireVersion(dav, collection, current, signal);
  const request: DavRequest = {
    operation: 'delete',
    method: 'DELETE',
    url: objectUrl(collection, current.ref),
    ifMatch: ifMatchOf(current.version),
    signal,
  };
  try {
    await dav.send(request, (reply) => throwInner(dav, request, reply));
  } catch (error) {
    throw await goneOrChanged(dav, collection, current, error, signal);
  }
}

interface Put extends Written {
  status: number;
}

async function putObject(
  dav: DavClient,
  collection: Collection,
  ref: string,
  text: string,
  condition: { ifMatch?: string; ifNoneMatch?: string },
  signal: AbortSignal,
): Promise<Put> {
  const request: DavRequest = {
    operation: 'write',
    method: 'PUT',
    url: objectUrl(collection, ref),
    body: text,
    contentType: 'text/calendar; charset=utf-8',
    signal,
    ...condition,
  };
  return await dav.send(request, async (reply) => {
    await throwInner(dav, request, reply);
    const location = reply.headers.location;
    return {
      status: reply.status,
      // A server that renames tells where to; elsewhere than in this calendar is not believed.
      ref: (location === undefined ? null : memberRef(collection, location)) ?? ref,
      version: versionOf(reply.headers.etag ?? ''),
      requestId: reply.headers['x-request-id'],
    };
  });
}

/** Xandikos answers 207 with a 412 inside where others answer 412. */
async function throwInner(dav: DavClient, request: DavRequest, reply: DavReply): Promise<void> {
  if (reply.status !== 207) return;
  const failed: DavResponse[] = [];
  await readMultistatus(reply, (response) => {
    if (response.status !== null && response.status >= 300) failed.push(response);
  });
  const inner = failed[0];
  if (inner === undefined) return;
  const { conditions } = inner;
  const invalid = conditions.some((name) => name.startsWith('c:valid-') || name === 'c:supported-calendar-data');
  throw refusal({
    operation: request.operation,
    status: invalid ? 400 : uidConditions.some((name) => conditions.includes(name)) ? 409 : (inner.status ?? 500),
    host: new URL(reply.url).host,
    conditions,
    text: '',
    retryAfter: undefined,
    requestId: reply.headers['x-request-id'],
    challenge: undefined,
    nowMs: dav.nowMs(),
  });
}

/** Without an ETag in the answer the server's own bytes tell the version; they may differ from ours. */
async function written(dav: DavClient, collection: Collection, put: Put, signal: AbortSignal): Promise<Written> {
  const { ref, requestId } = put;
  if (put.version !== '') return { ref, version: put.version, requestId };
  const object = await getObject(dav, collection, ref, signal);
  // Stored under another name, or deleted in this moment: the caller's probe finds out which.
  if (object === null) throw badAnswer("it accepted the event, but doesn't have it under this name");
  return { ref, version: object.version, requestId };
}

/**
 * 412 says "not as you think" for a changed and for a missing object, and some servers say it for every object, because
 * their weak ETags never match. A look tells them apart. A 409 for an object that did not change is about its content: SOGo
 * refuses a SEQUENCE so. Source: RFC 9110 13.1.1, RFC 4791 5.3.4.
 */
async function goneOrChanged(
  dav: DavClient,
  collection: Collection,
  { ref, version }: { ref: string; version: string },
  error: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  if (!(error instanceof ProviderError) || error.kind !== 'precondition') return error;
  const object = await getObject(dav, collection, ref, signal);
  if (object === null) return new ProviderError('not-found', 'NOT_FOUND', 'The event no longer exists.');
  if (object.version === '' || object.version !== version) return error;
  const options = { requestId: error.requestId };
  if (error.code !== 'CHANGED_MEANWHILE')
    return new ProviderError('rejected', 'REFUSED', `${new URL(dav.origin).host} didn't accept this event.`, options);
  return new ProviderError(
    'rejected',
    'NO_CONDITIONAL_WRITES',
    "This calendar server doesn't support safe changes (conditional writes), so we can't change its events.",
    options,
  );
}

/** A missing calendar answers a write with 404, 409 (RFC 4918 9.7.1) or, on DAViCal, 405: the calendar itself tells. */
async function explainConflict(
  dav: DavClient,
  collection: Collection,
  error: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  if (!(error instanceof ProviderError)) return error;
  if (error.kind === 'not-found') return calendarGone(error.requestId);
  if (error.code === 'CONFLICT' || error.code === 'READ_ONLY') await readState(dav, collection, signal);
  return error;
}

/** SOGo, whose paths look like this, overwrites on If-None-Match. */
function overwrites(collection: Collection): boolean {
  return collection.ref.includes('/SOGo/dav/');
}

/** SOGo takes a stale If-Match on DELETE and one for a missing object on PUT, so there it is compared first. */
async function requireVersion(
  dav: DavClient,
  collection: Collection,
  current: { ref: string; version: string },
  signal: AbortSignal,
): Promise<void> {
  const object = await getObject(dav, collection, current.ref, signal);
  if (object === null) throw new ProviderError('not-found', 'NOT_FOUND', 'The event no longer exists.');
  if (object.version !== current.version) throw changedMeanwhile();
}

export function changedMeanwhile(): ProviderError {
  return new ProviderError(
    'precondition',
    'CHANGED_MEANWHILE',
    'The event was changed in another app first. Nothing was overwritten.',
  );
}
