import { ProviderError } from '#kernel/errors.ts';
import { type EventBody, type Item, masterOf } from '#kernel/event.ts';
import { contentHash } from '#kernel/event-hash.ts';
import { type Feed, parseFeedInSlices } from '#kernel/ical/parse-feed.ts';
import type { ParsedObject } from '#kernel/ical/parse-object.ts';
import type { TagVerifier } from '#kernel/mirror-identity.ts';
import { sha256 } from '#kernel/sha256.ts';
import type { Sliced } from '#kernel/work-budget.ts';
import { webPage } from './fetch-feed.ts';

/**
 * What an event of a feed is recognised by: its UID, or when it is and what it is called, for publishers that make up
 * new UIDs at each fetch.
 */
export type Identity = 'uid' | 'content';

export interface ReadFeed {
  name: string | undefined;
  zone: string | undefined;
  refreshSeconds: number | undefined;
  /** False where something in it could not be told by name: then what it does not list is not gone. */
  listing: boolean;
  items: Item[];
}

/**
 * The events of a feed's file.
 *
 * *Errors*: ProviderError `transient` FEED_CUT_OFF where the file stops in the middle, `rejected` NOT_A_FEED where it
 * is none.
 */
export function* readFeed(
  bytes: Uint8Array,
  identity: Identity,
  context: { tags: TagVerifier; host: string },
): Sliced<ReadFeed> {
  const feed = yield* parseFeedInSlices(bytes, { selfAddresses: [], tags: context.tags });
  if (!feed.ok) {
    if (/^\s*<(?:!doctype|html)/i.test(Buffer.from(bytes.subarray(0, 200)).toString('latin1'))) {
      throw webPage(context.host);
    }
    throw new ProviderError(
      'rejected',
      'NOT_A_FEED',
      `${context.host} gave no calendar: ${feed.reason}. What was read before is kept.`,
    );
  }
  if (!feed.complete) {
    throw new ProviderError(
      'transient',
      'FEED_CUT_OFF',
      `The calendar of ${context.host} stopped in the middle. What was read before is kept.`,
    );
  }
  const { name, zone, refreshSeconds } = feed;
  const { items, listing } = yield* itemsOf(feed, identity);
  return { name, zone, refreshSeconds, items, listing: listing && !feed.damaged };
}

function* itemsOf(feed: Feed, identity: Identity): Sliced<Pick<ReadFeed, 'items' | 'listing'>> {
  const items = new Map<string, Item>();
  let listing = true;
  for (const object of feed.objects) {
    // unreadable and without a name of its own: which of those we know it was cannot be told
    if (object.body.kind === 'withheld' && object.uid.startsWith('no-uid-')) listing = false;
    const ref = identity === 'uid' ? object.uid : contentRef(object);
    items.set(ref, itemOf(object, ref));
    yield;
  }
  return { items: [...items.values()], listing };
}

function itemOf({ uid, sequence, body, provenance, warnings }: ParsedObject, ref: string): Item {
  return {
    ref,
    uid: ref.startsWith(contentMark) ? ref : uid,
    // Google and Outlook stamp each fetch anew: only what an event says is its version
    version: contentHash(body),
    ...(sequence === undefined ? {} : { sequence }),
    provenance,
    body,
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

const contentMark = 'content:';

function contentRef({ uid, body }: ParsedObject): string {
  const told = whatIsTold(body);
  return `${contentMark}${sha256(told ?? uid).slice(0, 32)}`;
}

function whatIsTold(body: EventBody): string | null {
  const master = masterOf(body);
  if (master === null) return null;
  return JSON.stringify([master.when, master.core.title ?? '', master.kind === 'series' ? master.rules : []]);
}
