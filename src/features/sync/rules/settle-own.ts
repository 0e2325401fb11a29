import type { HashedItem } from '#features/calendar/rules/materialise.ts';
import { contentHash } from '#kernel/event-hash.ts';
import type { ItemId, MirrorId } from '#kernel/ids.ts';

/** A block in a target as the ledger knows it, for what a pull sees of it. */
export interface KnownBlock {
  id: MirrorId;
  originItemId: ItemId;
  state: string;
  ref: string | null;
  version: string | null;
  appliedHash: string | null;
  desiredHash: string | null;
  /** Written after the page was asked for, or not long before: what the page has of it may be older. */
  isYounger: boolean;
}

export interface Settled {
  /** The page with blocks of ours marked as such, by tag or by ledger. */
  items: HashedItem[];
  verified: { id: MirrorId; ref: string; version: string }[];
  touched: { id: MirrorId; ref: string; seen: 'changed' | 'gone'; version: string | null }[];
  /** Missing in a listing, or told of by an older page, which is no proof: their provider is asked for each. */
  doubted: MirrorId[];
  /** Refs of what is gone from the calendar, without those in doubt. */
  gone: string[];
  /** Refs of events that a complete listing did not name. */
  absent: string[];
}

/** One page of changes; `absent` is what a complete listing did not name. */
export interface Page {
  items: HashedItem[];
  gone: string[];
  absent: string[];
}

/** `<key>-g<generation>@…` -> key, or null for any other UID. */
export function identityKeyOf(uid: string | undefined): string | null {
  return /^([0-9a-v]+)-g\d+@/.exec(uid ?? '')?.[1] ?? null;
}

/**
 * Compares a page of a target with our blocks there. A copy that equals our written or intended text is verified under
 * any version, because servers rewrite bytes. Any other copy was changed by its user. Rows that are being written or
 * removed are left to the writer. For a block written after the page was requested, the page may be outdated, so the
 * provider is asked. Pure.
 */
export function settleOwn(page: Page, blocks: KnownBlock[]): Settled {
  const byRef = new Map(blocks.filter((block) => block.ref !== null).map((block) => [block.ref, block]));
  const settled: Settled = { items: [], verified: [], touched: [], doubted: [], gone: [], absent: [] };
  for (const item of page.items) {
    const block = byRef.get(item.ref);
    if (block === undefined) {
      settled.items.push(item);
      continue;
    }
    const hash = contentHash(item.body);
    const isAsWritten = hash === block.appliedHash || hash === block.desiredHash;
    const stands = block.state === 'created' || block.state === 'failed';
    if (!isAsWritten && stands && block.isYounger) {
      settled.doubted.push(block.id);
      continue;
    }
    settled.items.push({ ...item, provenance: 'own' });
    if (isAsWritten) settled.verified.push({ id: block.id, ref: item.ref, version: item.version });
    else if (stands) settled.touched.push({ id: block.id, ref: item.ref, seen: 'changed', version: item.version });
  }
  for (const ref of page.gone) {
    const block = byRef.get(ref);
    if (block === undefined || block.state === 'deleting' || block.state === 'skipped') settled.gone.push(ref);
    else if (block.isYounger) settled.doubted.push(block.id);
    else {
      settled.gone.push(ref);
      settled.touched.push({ id: block.id, ref, seen: 'gone', version: null });
    }
  }
  for (const ref of page.absent) {
    const block = byRef.get(ref);
    if (block === undefined) settled.absent.push(ref);
    else if (block.state === 'deleting' || block.state === 'skipped') settled.gone.push(ref);
    else settled.doubted.push(block.id);
  }
  return settled;
}
