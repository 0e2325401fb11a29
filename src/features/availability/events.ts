import * as z from 'zod/mini';
import { announcement } from '#kernel/announcement.ts';

/** A person is open at other times than before: a policy, a day off, a holiday, a journey. */
export const availabilityChanged = announcement('availability.changed', z.strictObject({ userId: z.string() }));

/** Other events of a person are holds than before, or of another rank. */
export const holdRulesChanged = announcement('availability.holds-changed', z.strictObject({ userId: z.string() }));

/** Live-update topic: a user's availability changed. */
export const availabilityTopic = 'availability';
