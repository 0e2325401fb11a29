import * as z from 'zod/mini';
import { reason } from '#features/accounts/rules/audit.ts';
import { id, instantMs, line } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import { figuresShape } from './rules.ts';

const kind = { provider: line(40), profile: line(40) };

export const integrationEndpoints = {
  readIntegrations: endpoint({
    method: 'GET',
    path: '/api/admin/integrations',
    auth: 'admin',
    summary: 'Health of each kind of calendar account, from the last day and month',
    output: z.object({
      at: instantMs,
      integrations: z.array(
        z.object({
          ...figuresShape.shape,
          provider: z.string(),
          profile: z.string(),
          label: z.string(),
          color: z.string(),
          /** As counted last. */
          accounts: z.int(),
          /** Accounts that their users must reconnect. */
          lost: z.int(),
          /** Accounts with the most failures in a row. Addresses are masked. */
          worst: z.array(
            z.object({
              accountId: id<'connection'>(),
              address: z.string(),
              calendars: z.int(),
              failures: z.int(),
              code: z.nullable(z.string()),
              needsReconnect: z.boolean(),
              lastSyncedAt: z.nullable(instantMs),
            }),
          ),
        }),
      ),
    }),
  }),
  resync: endpoint({
    method: 'POST',
    path: '/api/admin/integrations/resync',
    auth: 'admin',
    summary: 'Read all calendars of an account or a kind of account again, as capacity allows',
    body: z.strictObject({ ...kind, accountId: z.optional(id<'connection'>()), reason }),
    output: z.void(),
    status: 204,
  }),
};
