import { ProviderError } from '#kernel/errors.ts';
import { type EventBody, type Item, masterOf } from '#kernel/event.ts';
import { canonicalJson, contentHashOf } from '#kernel/event-hash.ts';
import { type Feed, parseFeedInSlices } from '#kernel/ical/parse-feed.ts';
import type { ParsedObject } from '#kernel/ical/parse-object.ts';
import { losesTime, shortenWarnings } from '#kernel/ical/reading-warning.ts';
import type { TagVerifier } from '#kernel/mirror-identity.ts';
import { sha256 } from '#kernel/sha256.ts';
import type { Sliced, WorkBudget } from '#kernel/work-budget.ts';
import { webPage } from './fetch-feed.ts';

/** The key of a feed's events: the UID, or time and title for publishers that create new UIDs at each fetch. */
export type Identity = 'uid' | 'content';

export interface ReadFeed {
  name: string | undefined;
  zone: string | undefined;
  refreshSeconds: number | undefined;
  /** Warnings about the file as a whole. */
  warnings: string[];
  /** False where something in it could not be told by name: then what it does not list is not gone. */
  listing: boolean;
  /** The file stops in the middle: the next reading needs all of it again. */
  isCut: boolean;
  items: Item[];
}

interface FeedContext {
  tags: TagVerifier;
  /** Addresses of the subscriber. */
  selfAddresses: readonly string[];
  host: string;
  budget: WorkBudget;
}

/**
 * The events of a feed's file, by their UIDs.
 *
 * *Errors*: ProviderError `transient` FEED_CUT_OFF where the file stops before its first event, `rejected` NOT_A_FEED where it
 * is none; WorkLimitError past the budget.
 */
export function* readFeed(bytes: Uint8Array, context: FeedContext): Sliced<ReadFeed> {
  const feed = yield* openFile(bytes, context);
  const { name, zone, refreshSeconds } = feed;
  const { items, listing } = yield* itemsOf(feed);
  const warnings = shortenWarnings(feed.warnings);
  return { name, zone, refreshSeconds, warnings, items, listing: listing && !feed.damaged, isCut: isCut(feed) };
}

const isCut = (feed: Feed) => !feed.complete && !feed.endsBetween;

/** A feed's file, whose events are not read. *Errors*: as `readFeed`. */
export function* openFile(bytes: Uint8Array, context: FeedContext): Sliced<Feed> {
  const feed = yield* parseFeedInSlices(bytes, context);
  if (!feed.ok) {
    if (/^\s*<(?:!doctype|html)/i.test(Buffer.from(bytes.subarray(0, 200)).toString('latin1'))) {
      throw webPage(context.host);
    }
    throw new ProviderError(
      'rejected',
      'NOT_A_FEED',
      feed.reason.startsWith('not ')
        ? `${context.host} sent a file that is not a calendar. Copy the address that ends in .ics or begins with webcal://.`
        : `${context.host} sent a calendar that is too large (${feed.reason}). Ask its publisher for a smaller one.`,
    );
  }
  if (isCut(feed) && feed.count === 0) {
    throw new ProviderError(
      'transient',
      'FEED_CUT_OFF',
      `The calendar from ${context.host} ends before its first event. Try again later.`,
    );
  }
  return feed;
}

const isInPart = ({ body, warnings = [] }: Pick<Item, 'body' | 'warnings'>) =>
  body.kind === 'withheld' || warnings.some(losesTime);

function* itemsOf(feed: Feed): Sliced<Pick<ReadFeed, 'items' | 'listing'>> {
  const items = new Map<string, Item>();
  let listing = true;
  for (const object of feed.objectsInSlices) {
    yield;
    if (object === undefined) continue;
    // parts are unknown, its own name among them: which of those we know it was cannot be told
    if (isInPart(object) && object.uid.startsWith('no-uid-')) listing = false;
    items.set(object.uid, itemOf(object));
  }
  return { items: [...items.values()], listing };
}

function itemOf({ uid, sequence, body, provenance, warnings, known }: ParsedObject): Item {
  const bodyText = canonicalJson(body);
  const hash = contentHashOf(body, bodyText);
  return {
    ref: uid,
    uid,
    // Google and Outlook stamp each fetch: the version is therefore the event's content and its unreadable parts
    version: warnings.length === 0 ? hash : sha256(canonicalJson([hash, warnings])),
    ...(sequence === undefined ? {} : { sequence }),
    provenance,
    body,
    stored: { bodyText, hash },
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(known === undefined ? {} : { known }),
  };
}

/**
 * Names the events by time and title. Among equal ones the last counts. A partly read event gets another name than the
 * whole one, so its absence proves nothing.
 */
export function* nameByContent(feed: ReadFeed): Sliced<ReadFeed> {
  const items = new Map<string, Item>();
  for (const item of feed.items) {
    const ref = `content:${sha256(whatIsTold(item.body) ?? item.ref).slice(0, 32)}`;
    items.set(ref, { ...item, ref, uid: ref });
    yield;
  }
  return { ...feed, items: [...items.values()], listing: feed.listing && !feed.items.some(isInPart) };
}

function whatIsTold(body: EventBody): string | null {
  const master = masterOf(body);
  if (master === null) return null;
  return JSON.stringify([master.when, master.core.title ?? '', master.kind === 'series' ? master.rules : []]);
}
