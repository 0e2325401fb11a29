import * as z from 'zod/mini';
import { endpoint } from '#kernel/contract.ts';

export const auditEndpoints = {
  verifyAudit: endpoint({
    method: 'POST',
    path: '/api/admin/audit/verification',
    auth: 'admin',
    summary: 'Looks through the chain of the audit: whether it is whole, and where it breaks',
    requestsPerMinute: 10,
    output: z.object({
      /** Entries that were found whole, from the first. */
      entries: z.int(),
      /** The newest of them. Who notes it can tell later whether anything before it was written anew. */
      head: z.nullable(z.object({ position: z.int(), hash: z.string() })),
      broken: z.nullable(z.object({ position: z.int(), kind: z.enum(['missing', 'changed']) })),
    }),
  }),
};
