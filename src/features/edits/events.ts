import * as z from 'zod/mini';
import { announcement } from '#kernel/announcement.ts';

/** Edits wait to be written to this account. */
export const editingWanted = announcement('edits.editing-wanted', z.strictObject({ connectionId: z.string() }));

/** An event that was written turned out to be known by another id already. */
export const itemRenamed = announcement(
  'edits.item-renamed',
  z.strictObject({ userId: z.string(), from: z.string(), to: z.string() }),
);
