import { ProviderError } from '#kernel/errors.ts';
import { type Collection, memberRef, versionOf } from './collection.ts';
import { getObject, multiget, type StoredObject } from './fetch-objects.ts';
import type { DavClient } from './http.ts';
import { listEverything, readState } from './list-changes.ts';
import { askUid } from './requests.ts';
import { readMultistatus } from './xml.ts';

export interface FoundObject extends StoredObject {
  ref: string;
}

/**
 * Finds the object of a UID: by our name for it, then by the server's UID search, then by reading the listed objects.
 * The last step is for servers without a search, or that rename. `isIt` decides by the content, because no server's
 * filter is trusted.
 */
export async function findObject(
  dav: DavClient,
  collection: Collection,
  wanted: { ref: string; uid: string; nameContains: string; renames: boolean },
  isIt: (object: FoundObject) => Promise<boolean>,
  signal: AbortSignal,
): Promise<FoundObject | null> {
  const direct = await getObject(dav, collection, wanted.ref, signal);
  if (direct !== null) {
    const object = { ...direct, ref: wanted.ref };
    if (await isIt(object)) return object;
  } else {
    // A missing calendar also answers 404 for its objects; that is no proof that the mirror is not there.
    await readState(dav, collection, signal);
  }
  const searched = await searchUid(dav, collection, wanted.uid, signal);
  for (const object of searched ?? []) if (await isIt(object)) return object;
  if (searched !== null && !wanted.renames) return null;
  const { versions } = await listEverything(dav, collection, signal);
  const named = (ref: string) => ref.slice(collection.ref.length).includes(wanted.nameContains);
  const refs = [...versions.keys()].filter((ref) => ref !== wanted.ref);
  // Likely names first; all others only where no search could rule them out.
  const order = [...refs.filter(named), ...(searched === null ? refs.filter((ref) => !named(ref)) : [])];
  for (let from = 0; from < order.length; from += chunkSize) {
    for (const [ref, object] of await multiget(dav, collection, order.slice(from, from + chunkSize), signal)) {
      const found = { ref, text: object.text, version: object.version || (versions.get(ref) ?? '') };
      if (await isIt(found)) return found;
    }
  }
  return null;
}

const chunkSize = 75;

/** Null where the server has no such search. */
async function searchUid(
  dav: DavClient,
  collection: Collection,
  uid: string,
  signal: AbortSignal,
): Promise<FoundObject[] | null> {
  const found: FoundObject[] = [];
  try {
    await dav.send(
      { operation: 'read', method: 'REPORT', url: collection.url, depth: '1', body: askUid(uid), signal },
      (reply) =>
        readMultistatus(reply, (response) => {
          const ref = memberRef(collection, response.href);
          const text = response.props.get('c:calendar-data')?.text ?? '';
          if (ref === null || text.trim() === '') return;
          found.push({ ref, text, version: versionOf(response.props.get('d:getetag')?.text ?? '') });
        }),
    );
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.kind === 'rejected' || error.code === 'SERVER_ERROR' || error.code === 'TOO_LARGE') return null;
    throw error;
  }
  return found;
}
