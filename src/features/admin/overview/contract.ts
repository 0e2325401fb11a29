import * as z from 'zod/mini';
import { instantMs } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import { measuredShape } from '../health/rules.ts';
import { figuresShape } from '../integrations/rules.ts';

/** How many there are; counted every minute, kept, and shown with the time they were counted at. */
const countsShape = z.object({
  people: z.object({
    all: z.int(),
    administrators: z.int(),
    /** Here within the last 30 days. */
    active: z.int(),
    /** Joined within the last 30 days. */
    joined: z.int(),
  }),
  /** Active users by region of their time zone, and by integration. A user may have several integrations. */
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

const overviewShape = z.object({
  /** As the system was measured last. */
  health: measuredShape,
  /** As counted last, and when; null before the first time. */
  counts: z.nullable(z.object({ ...countsShape.shape, at: instantMs })),
  /** Totals, and by kind of account. */
  sync: figuresShape,
  integrations: z.array(
    z.object({ ...figuresShape.shape, name: z.string(), label: z.string(), color: z.string(), accounts: z.int() }),
  ),
});

export const overviewEndpoints = {
  readOverview: endpoint({
    method: 'GET',
    path: '/api/admin/overview',
    auth: 'admin',
    summary: 'Key figures of this installation, from the last count',
    output: overviewShape,
  }),
  countNow: endpoint({
    method: 'POST',
    path: '/api/admin/overview/counting',
    auth: 'admin',
    summary: 'Recount the figures that are otherwise counted every minute',
    requestsPerMinute: 10,
    output: overviewShape,
  }),
};
