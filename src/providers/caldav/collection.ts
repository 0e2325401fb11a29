import { collectionRef, pathOf, refOf } from './href.ts';

/** A calendar's address on the wire and in refs. */
export interface Collection {
  /** Origin of the host that holds it; usually the account's, another one for iCloud. */
  origin: string;
  /** Decoded path, ending in a slash; every object's ref starts with it. */
  ref: string;
  url: string;
}

export function openCollection(calendarRef: string, accountOrigin: string): Collection {
  const absolute = /^https?:\/\//i.test(calendarRef);
  const origin = absolute ? new URL(calendarRef).origin : accountOrigin;
  const ref = collectionRef(absolute ? (refOf(calendarRef, '/') ?? '/') : calendarRef);
  return { origin, ref, url: origin + pathOf(ref) };
}

export function objectUrl(collection: Collection, ref: string): string {
  return collection.origin + pathOf(ref);
}

/** Bytes of the longest ref that is kept. */
const longestRef = 2_000;

/**
 * Ref of an object of this collection. Null for the collection itself, a sub-collection, a path elsewhere, or a name that
 * is too long to be kept.
 */
export function memberRef(collection: Collection, href: string): string | null {
  const ref = refOf(href, collection.ref);
  if (ref === null || ref.length <= collection.ref.length || !ref.startsWith(collection.ref) || ref.endsWith('/'))
    return null;
  return Buffer.byteLength(ref) > longestRef ? null : ref;
}

/** Characters of the longest ETag that is kept; an object with a longer one counts as one without. */
const longestEtag = 1_000;

/**
 * A version is the ETag without its weakness mark: proxies weaken an ETag on the way, and If-Match with a weak one never
 * matches. Apache's compression also adds `-gzip`.
 */
export function versionOf(etag: string): string {
  if (etag.length > longestEtag) return '';
  return etag
    .trim()
    .replace(/^W\//, '')
    .replace(/-gzip"$/, '"');
}

/** If-Match wants quotes; some servers leave them out of `getetag`. */
export function ifMatchOf(version: string): string {
  return version.startsWith('"') ? version : `"${version}"`;
}

/** SOGo counts per object (`"gcs00000001"`), starts again after a deletion, and takes some stale conditions. */
export function isCounterVersion(version: string): boolean {
  return /^"?gcs\d/.test(version);
}
