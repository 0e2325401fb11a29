import * as z from 'zod/mini';
import { id } from '#kernel/codecs.ts';
import type { UserId } from '#kernel/ids.ts';
import type { TypeHost } from './type-hosts.ts';

/** With whom a team's event type is booked. */
export const hostShape = z.strictObject({
  user_id: id<'user'>(),
  weight: z.int().check(z.gte(1), z.lte(100)), // how much of what comes, beside the others
  priority: z.int().check(z.gte(1), z.lte(3)), // tie-breaker for equal shares: the lower goes first
  optional: z.boolean(), // collective: takes part when free
});
export type GivenHost = z.output<typeof hostShape>;

export const hostsShape = z.array(hostShape).check(
  z.maxLength(100),
  z.refine((hosts: GivenHost[]) => new Set(hosts.map((one) => one.user_id)).size === hosts.length, {
    error: 'The same person is listed twice',
  }),
);

/** Returns a host with default weight and priority. */
export const plainHost = (userId: UserId): GivenHost => ({ user_id: userId, weight: 1, priority: 2, optional: false });

/** Converts a stored host to its input form. */
export const givenHost = ({ userId, weight, priority, optional }: TypeHost): GivenHost => ({
  user_id: userId,
  weight,
  priority,
  optional,
});
