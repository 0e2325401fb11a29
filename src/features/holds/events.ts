import * as z from 'zod/mini';
import { announcement } from '#kernel/announcement.ts';

/** A person made or changed a hold: what was booked meanwhile may stand over it. */
export const holdsChanged = announcement('holds.changed', z.strictObject({ userId: z.string() }));

/** What open browsers are told when a person's holds have changed. */
export const holdsTopic = 'holds';
