import * as z from 'zod/mini';
import type { WorkLimit } from '#kernel/work-budget.ts';
import type { Identity } from './read-feed.ts';

/** The state of a feed at its last reading. Opaque outside this file. */
export interface FeedCursor {
  etag?: string | undefined;
  lastModified?: string | undefined;
  /** Number of its events when it was last believed. */
  count: number;
  /** Whether it had suddenly lost more than half of them. */
  shrunk: boolean;
  /** Since when. */
  shrunkAtMs?: number | undefined;
  /** Number of events before an accepted loss, and when it was first seen: the person sees it for a while. */
  lost?: { count: number; sinceMs: number } | undefined;
  identity: Identity;
  /** The addresses that it was read with, hashed. */
  readAs?: string | undefined;
  /** The file of these bytes asked for more work than a reading may cause: it is not read a second time. */
  refused?: { limit: WorkLimit; allowed: number; content: string } | undefined;
}

const shape = z.strictObject({
  etag: z.optional(z.string()),
  lastModified: z.optional(z.string()),
  count: z.number(),
  shrunk: z.boolean(),
  shrunkAtMs: z.optional(z.number()),
  lost: z.optional(z.strictObject({ count: z.number(), sinceMs: z.number() })),
  identity: z.enum(['uid', 'content'] satisfies Identity[]),
  readAs: z.optional(z.string()),
  refused: z.optional(
    z.strictObject({
      limit: z.enum(['bytes', 'steps', 'instances', 'milliseconds'] satisfies WorkLimit[]),
      allowed: z.number(),
      content: z.string(),
    }),
  ),
});

/** Null for anything this version cannot read: reading everything is always right. */
export function decodeCursor(text: string | null): FeedCursor | null {
  if (text === null) return null;
  try {
    const read = shape.safeParse(JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

export const encodeCursor = (cursor: FeedCursor): string => JSON.stringify(cursor);
