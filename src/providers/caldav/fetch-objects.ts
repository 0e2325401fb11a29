import { ProviderError } from '#kernel/errors.ts';
import type { Item } from '#kernel/event.ts';
import { decodeCalendar, decodeUtf8 } from '#kernel/ical/decode-calendar.ts';
import { warning } from '#kernel/ical/reading-warning.ts';
import type { Sliced, WorkBudget } from '#kernel/work-budget.ts';
import { inSlices } from '#platform/in-slices.ts';
import { type Collection, memberRef, objectUrl, versionOf } from './collection.ts';
import { pathOf } from './href.ts';
import { answerBytes, type DavClient } from './http.ts';
import { askObjects, askVersion } from './requests.ts';
import { readMultistatus } from './xml.ts';

/**
 * An iCalendar object as a canonical Item; null when it holds no event (a task, a journal).
 * *Errors*: WorkLimitError past the budget.
 */
export type ReadObject = (object: {
  ref: string;
  version: string;
  text: string;
  budget?: WorkBudget;
}) => Sliced<Item | null>;

/** An object as it stands on the server. */
export interface StoredObject {
  version: string;
  text: string;
  /** False where its bytes are no UTF-8: written back, the text would damage what nobody changed. */
  isExact?: boolean;
}

export interface FetchedObjects {
  items: Item[];
  gone: string[];
  /** Why an object is in neither: its server failed, and may give it the next time. */
  failure: ProviderError | null;
}

/**
 * Reads objects with one multiget; what it leaves out is asked for one by one, because a server that says nothing about
 * an object (DAViCal) has not said that it is gone.
 *
 * Shape: every ref ends as an item, as gone (its own GET said 404), as nothing when it is not an event, or with a failure
 * where its server fails and `mayComeLater` says that it is waited for. *Errors*: WorkLimitError past the budget.
 */
export async function fetchObjects(
  dav: DavClient,
  collection: Collection,
  refs: string[],
  versions: Map<string, string>,
  { read, budget }: { read: ReadObject; budget: WorkBudget },
  mayComeLater: (ref: string) => boolean,
  signal: AbortSignal,
): Promise<FetchedObjects> {
  const found = await multiget(dav, collection, refs, signal);
  const items: Item[] = [];
  const gone: string[] = [];
  const add = (objects: Iterable<[string, StoredObject]>) => inSlices(readEach(objects), budget);
  function* readEach(objects: Iterable<[string, StoredObject]>): Sliced<void> {
    for (const [ref, object] of objects) {
      const version = object.version || (versions.get(ref) ?? '');
      const item = yield* read({ ref, text: object.text, version, budget });
      if (item !== null) items.push(item);
      yield;
    }
  }
  await add(found);
  let failure: ProviderError | null = null;
  let failures = 0;
  let successes = found.size;
  for (const ref of refs) {
    if (found.has(ref)) continue;
    try {
      const object = await getObject(dav, collection, ref, signal);
      successes += 1;
      if (object === null) gone.push(ref);
      else await add([[ref, object]]);
    } catch (error) {
      // One object that its own server cannot give must not stop the calendar; a server that gives none must.
      failures += 1;
      if (!(error instanceof ProviderError) || !isAboutOneObject(error) || (successes === 0 && failures >= maxFailures))
        throw error;
      if (isAboutItsServer(error) && mayComeLater(ref)) failure ??= error;
      else
        items.push({
          ref,
          version: '',
          provenance: 'foreign',
          body: { kind: 'withheld', reason: warning('not-delivered', {}) },
        });
    }
  }
  return { items, gone, failure };
}

/** So many refusals without one success, and it is the server that is ill. */
const maxFailures = 3;

function isAboutOneObject(error: ProviderError): boolean {
  return (
    error.kind === 'rejected' ||
    error.code === 'SERVER_ERROR' ||
    error.code === 'TOO_LARGE' ||
    error.code === 'LOGIN_PAGE'
  );
}

/** Whether a failure is the server's and may pass, unlike a refusal of this object. */
function isAboutItsServer({ code }: ProviderError): boolean {
  return code === 'SERVER_ERROR' || code === 'LOGIN_PAGE';
}

function isAboutManyObjects(error: ProviderError): boolean {
  return isAboutOneObject(error) || error.code === 'BAD_ANSWER';
}

/** The objects the server gives of those asked for; it may leave some out. */
export async function multiget(
  dav: DavClient,
  collection: Collection,
  refs: string[],
  signal: AbortSignal,
): Promise<Map<string, StoredObject>> {
  const found = new Map<string, StoredObject>();
  try {
    await dav.send(
      {
        operation: 'read',
        method: 'REPORT',
        url: collection.url,
        depth: '1',
        body: askObjects(refs.map(pathOf)),
        signal,
      },
      (reply) =>
        readMultistatus(reply, (response) => {
          const text = response.props.get('c:calendar-data')?.text ?? '';
          // a character that is no UTF-8, or that a fold divides, is lost in the answer: its own GET has the bytes
          if (text.trim() === '' || text.includes('\uFFFD')) return;
          const ref = memberRef(collection, response.href);
          if (ref === null) return;
          found.set(ref, { text, version: versionOf(response.props.get('d:getetag')?.text ?? '') });
        }),
    );
  } catch (error) {
    // Too much in one answer, one object that breaks the report, or no multiget at all: each is then asked for alone.
    if (!(error instanceof ProviderError) || !isAboutManyObjects(error)) throw error;
    found.clear();
  }
  return found;
}

/** One object by GET, or null when there is none. The version is empty where the server gives no ETag anywhere. */
export async function getObject(
  dav: DavClient,
  collection: Collection,
  ref: string,
  signal: AbortSignal,
): Promise<(StoredObject & { requestId: string | undefined }) | null> {
  const url = objectUrl(collection, ref);
  const got = await dav.send(
    { operation: 'read', method: 'GET', url, accept: [404, 410], maxBytes: answerBytes, asBytes: true, signal },
    async (reply) =>
      reply.status === 404 || reply.status === 410
        ? null
        : {
            ...textOf(await reply.bytes()),
            version: versionOf(reply.headers.etag ?? ''),
            requestId: reply.headers['x-request-id'],
          },
  );
  if (got !== null && got.version === '') got.version = await readVersion(dav, url, signal);
  return got;
}

function textOf(bytes: Uint8Array): Pick<StoredObject, 'text' | 'isExact'> {
  const exact = decodeUtf8(bytes);
  if (exact !== null) return { text: exact, isExact: true };
  const text = decodeCalendar(bytes);
  return { text: typeof text === 'string' ? text : new TextDecoder().decode(bytes), isExact: false };
}

async function readVersion(dav: DavClient, url: string, signal: AbortSignal): Promise<string> {
  return await dav.send(
    { operation: 'read', method: 'PROPFIND', url, depth: '0', body: askVersion, signal },
    async (reply) => {
      let version = '';
      await readMultistatus(reply, (response) => {
        version = versionOf(response.props.get('d:getetag')?.text ?? version);
      });
      return version;
    },
  );
}
