import * as z from 'zod/mini';
import { announcement } from '#kernel/announcement.ts';

/** A person made or changed a hold: what was booked meanwhile may stand over it. */
export const holdsChanged = announcement('holds.changed', z.strictObject({ userId: z.string() }));

/** Live-update topic: a user's holds changed. */
export const holdsTopic = 'holds';
