import * as z from 'zod/mini';

/** How many there are; counted every minute, kept, and shown with the time they were counted at. */
export const countsShape = z.object({
  people: z.object({
    all: z.int(),
    administrators: z.int(),
    /** Here within the last 30 days. */
    active: z.int(),
    /** Joined within the last 30 days. */
    joined: z.int(),
  }),
  /** Of those who are active: where they live by their zone, and what they connected; a person may have several. */
  regions: z.array(z.object({ name: z.string(), people: z.int() })),
  integrations: z.array(z.object({ name: z.string(), people: z.int() })),
  /** Connected accounts by kind. */
  accounts: z.array(z.object({ provider: z.string(), profile: z.string(), all: z.int(), lost: z.int() })),
  /** Null where billing is off: everybody has the one plan, with everything in it. */
  billing: z.nullable(
    z.object({
      tiers: z.array(z.object({ name: z.string(), people: z.int() })),
      states: z.array(z.object({ name: z.string(), people: z.int() })),
      /** In the smallest unit of the currency: what subscriptions bring in a month, and what was paid in 30 days. */
      monthly: z.array(z.object({ currency: z.string(), amount: z.int() })),
      paid: z.array(z.object({ currency: z.string(), amount: z.int() })),
    }),
  ),
});
export type Counts = z.output<typeof countsShape>;
