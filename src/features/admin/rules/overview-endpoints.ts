import * as z from 'zod/mini';
import { instantMs } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import { countsShape } from './counts.ts';
import { measuredShape } from './health.ts';
import { figuresShape } from './integration.ts';

const overviewShape = z.object({
  /** As the system was measured last. */
  health: measuredShape,
  /** As counted last, and when; null before the first time. */
  counts: z.nullable(z.object({ ...countsShape.shape, at: instantMs })),
  /** Of all kinds of accounts together, and of each. */
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
    summary: 'How the install does in a few figures: kept, not counted for whoever looks',
    output: overviewShape,
  }),
  countNow: endpoint({
    method: 'POST',
    path: '/api/admin/overview/counting',
    auth: 'admin',
    summary: 'Count anew what is otherwise counted every minute',
    requestsPerMinute: 10,
    output: overviewShape,
  }),
};
