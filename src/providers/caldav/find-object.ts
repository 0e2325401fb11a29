import { ProviderError } from '#kernel/errors.ts';
import { type Collection, memberRef, versionOf } from './collection.ts';
import { getObject, type StoredObject } from './fetch-objects.ts';
import type { DavClient } from './http.ts';
import { listEverything, readState } from './list-changes.ts';
import { askUid } from './requests.ts';
import { readMultistatus } from './xml.ts';

export interface FoundObject extends StoredObject {
  ref: string;
}

/**
 * What stands under a UID: by the name we would give it, then by the server's UID search, then (where that search fails
 * or the server renames) by names in the complete listing. `isIt` decides by the content; no server's filter is believed.
 */
export async function findObject(
  dav: DavClient,
  collection: Collection,
  wanted: { ref: string; uid: string; nameContains: string; renames: boolean },
  isIt: (object: FoundObject) => boolean,
  signal: AbortSignal,
): Promise<FoundObject | null> {
  const direct = await getObject(dav, collection, wanted.ref, signal);
  if (direct !== null) {
    const object = { ...direct, ref: wanted.ref };
    if (isIt(object)) return object;
  } else {
    // A missing calendar also answers 404 for its objects; that is no proof that the mirror is not there.
    await readState(dav, collection, signal);
  }
  const searched = await searchUid(dav, collection, wanted.uid, signal);
  const hit = searched?.find(isIt);
  if (hit !== undefined) return hit;
  if (searched !== null && !wanted.renames) return null;
  const listing = await listEverything(dav, collection, signal);
  for (const ref of listing.versions.keys()) {
    if (ref === wanted.ref || !ref.slice(collection.ref.length).includes(wanted.nameContains)) continue;
    const object = await getObject(dav, collection, ref, signal);
    if (object !== null && isIt({ ...object, ref })) return { ...object, ref };
  }
  return null;
}

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
        readMultistatus(reply.body, (response) => {
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
