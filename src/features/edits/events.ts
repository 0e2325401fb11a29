import * as z from 'zod/mini';
import { announcement } from '#kernel/announcement.ts';

/** Edits wait to be written to this account. */
export const editingWanted = announcement('edits.editing-wanted', z.strictObject({ connectionId: z.string() }));
