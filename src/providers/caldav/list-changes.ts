import { ProviderError } from '#kernel/errors.ts';
import { badAnswer } from '../rest/network-failures.ts';
import { type Collection, memberRef, versionOf } from './collection.ts';
import { tokenOf } from './cursor.ts';
import { calendarGone, cursorExpired } from './errors.ts';
import { collectionRef, refOf } from './href.ts';
import { type DavClient, listingBytes } from './http.ts';
import { askChanges, askCursor, askListing } from './requests.ts';
import { childNamed, type DavResponse, readMultistatus } from './xml.ts';

/** A server's list of a calendar's current or former objects: names and versions, no contents. */
export interface Listing {
  /** ref -> version; an empty version means that the server gave none. */
  versions: Map<string, string>;
  gone: Set<string>;
  /** Names that are not in this calendar. */
  strays: number;
}

export interface CollectionState {
  token: string | null;
  ctag: string | null;
}

/**
 * Changes since the token, or everything for an empty token.
 *
 * Errors: cursor-expired where the token is the trouble, not-found `CALENDAR_GONE`, else what the server said. `null`
 * instead of a listing means that the server has no sync-collection. Source: RFC 6578 3.2, 3.6.
 */
export async function listChanges(
  dav: DavClient,
  collection: Collection,
  token: string,
  signal: AbortSignal,
): Promise<{ listing: Listing; token: string } | null> {
  const listing = emptyListing();
  for (let at = token, rounds = 0; ; rounds += 1) {
    if (rounds > 1_000) throw badAnswer('the list of changes never ends');
    let page: { token: string | null; truncated: boolean };
    try {
      page = await changesPage(dav, collection, at, listing, signal);
    } catch (error) {
      if (at === token) {
        const judged = await judgeRefusal(dav, collection, token, error, signal);
        if (judged === 'unsupported') return null;
        throw judged;
      }
      throw error;
    }
    if (page.token === null) {
      // Without a new token nothing could be continued from here; such a server is listed the plain way.
      if (token === '') return null;
      throw cursorExpired();
    }
    if (!page.truncated) {
      refuseStrays(listing);
      return { listing, token: page.token };
    }
    if (page.token === at) throw badAnswer("the list of changes doesn't advance");
    at = page.token;
  }
}

async function changesPage(
  dav: DavClient,
  collection: Collection,
  token: string,
  listing: Listing,
  signal: AbortSignal,
): Promise<{ token: string | null; truncated: boolean }> {
  let truncated = false;
  return await dav.send(
    {
      operation: 'read',
      method: 'REPORT',
      url: collection.url,
      depth: '0',
      body: askChanges(token),
      maxBytes: listingBytes,
      signal,
    },
    async (reply) => {
      requireMultistatus(reply.status);
      const end = await readMultistatus(reply, (response) => {
        if (response.status === 507) truncated = true;
        else note(collection, response, listing);
      });
      return { token: end.syncToken, truncated };
    },
  );
}

/**
 * A server that no longer knows a token answers 403, 409, 410, 412, 400 or (Xandikos) 500. Whether it is the token, the
 * calendar or the server is settled by asking for the collection itself.
 */
async function judgeRefusal(
  dav: DavClient,
  collection: Collection,
  token: string,
  error: unknown,
  signal: AbortSignal,
): Promise<ProviderError | 'unsupported'> {
  if (!(error instanceof ProviderError)) throw error;
  if (
    error.kind === 'auth' ||
    error.kind === 'rate-limited' ||
    (error.kind === 'transient' && error.code !== 'SERVER_ERROR')
  ) {
    return error;
  }
  if (error.kind === 'not-found') return calendarGone(error.requestId);
  // Throws what the server says about the calendar: gone, forbidden, or down altogether.
  await readState(dav, collection, signal);
  if (token !== '') return cursorExpired();
  return error.code === 'SERVER_ERROR' ? error : 'unsupported';
}

/** Token and ctag of the collection as they are now. */
export async function readState(dav: DavClient, collection: Collection, signal: AbortSignal): Promise<CollectionState> {
  return await dav
    .send(
      { operation: 'read', method: 'PROPFIND', url: collection.url, depth: '0', body: askCursor, signal },
      async (reply) => {
        requireMultistatus(reply.status);
        const state: CollectionState = { token: null, ctag: null };
        await readMultistatus(reply, (response) => {
          if (response.status === 404) throw calendarGone();
          state.token = tokenOf(response.props.get('d:sync-token')?.text) ?? state.token;
          state.ctag = tokenOf(response.props.get('cs:getctag')?.text) ?? state.ctag;
        });
        return state;
      },
    )
    .catch(rethrowGone);
}

/**
 * The complete listing. Complete means: the document ended well, and the collection itself is in it as one, so an empty
 * answer of a server that lost its mind is an error and not an empty calendar.
 */
export async function listEverything(dav: DavClient, collection: Collection, signal: AbortSignal): Promise<Listing> {
  return await dav
    .send(
      {
        operation: 'read',
        method: 'PROPFIND',
        url: collection.url,
        depth: '1',
        body: askListing,
        maxBytes: listingBytes,
        signal,
      },
      async (reply) => {
        requireMultistatus(reply.status);
        const listing = emptyListing();
        let itself = false;
        let truncated = false;
        await readMultistatus(reply, (response) => {
          if (response.status === 507) truncated = true;
          else if (isItself(collection, response.href)) itself = isCollection(response);
          else if (isCollection(response)) return;
          else note(collection, response, listing);
        });
        if (!itself || truncated) throw badAnswer("the list of events isn't complete");
        refuseStrays(listing);
        // Only what stands counts here; a 404 line in a plain listing proves nothing.
        listing.gone.clear();
        return listing;
      },
    )
    .catch(rethrowGone);
}

export function emptyListing(): Listing {
  return { versions: new Map(), gone: new Set(), strays: 0 };
}

/** Nothing but names from elsewhere (the calendar moved behind a redirect, say) must not pass for an empty calendar. */
function refuseStrays(listing: Listing): void {
  if (listing.strays > 0 && listing.versions.size === 0 && listing.gone.size === 0) {
    throw badAnswer('it lists events from outside this calendar');
  }
}

function isItself(collection: Collection, href: string): boolean {
  const ref = refOf(href, collection.ref);
  return ref !== null && collectionRef(ref) === collection.ref;
}

function isCollection(response: DavResponse): boolean {
  return childNamed(response.props.get('d:resourcetype'), 'd:collection') !== undefined;
}

function note(collection: Collection, response: DavResponse, listing: Listing): void {
  const ref = memberRef(collection, response.href);
  if (ref === null) {
    if (!refOf(response.href, collection.ref)?.startsWith(collection.ref.slice(0, -1))) listing.strays += 1;
    return;
  }
  if (response.status === 404 || response.status === 410) {
    // Radicale sends tombstones even in a first listing, and a name can come back: the later word counts.
    listing.gone.add(ref);
    listing.versions.delete(ref);
    return;
  }
  // any other error proves nothing about the object: it is there until its own GET says that it is not
  if (response.status !== null && response.status >= 300) {
    listing.gone.delete(ref);
    listing.versions.set(ref, '');
    return;
  }
  const etag = response.props.get('d:getetag')?.text ?? '';
  listing.gone.delete(ref);
  listing.versions.set(ref, versionOf(etag));
}

/** 200 with a body that happens to be XML is some other service. */
export function requireMultistatus(status: number): void {
  if (status !== 207) throw badAnswer(`we asked for a list and got status ${status}`);
}

function rethrowGone(error: unknown): never {
  throw error instanceof ProviderError && error.kind === 'not-found' ? calendarGone(error.requestId) : error;
}
