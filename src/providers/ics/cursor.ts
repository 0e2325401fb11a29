import * as z from 'zod/mini';
import type { WorkLimit } from '#kernel/work-budget.ts';
import type { Identity } from './read-feed.ts';

/** What a feed was like when it was last read. Opaque to everybody else. */
export interface FeedCursor {
  etag?: string | undefined;
  lastModified?: string | undefined;
  /** Its events, when it was last believed. */
  count: number;
  /** It had suddenly lost more than half of them. */
  shrunk: boolean;
  /** Since when. */
  shrunkAtMs?: number | undefined;
  /** Its events before a loss that was believed, and when it was seen first: its person is told for a while. */
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
