import * as z from 'zod/mini';
import { keyDays } from '#features/accounts/rules/api-key.ts';
import { reason } from '#features/accounts/rules/audit.ts';
import { flagNames } from '#features/accounts/rules/flags.ts';
import { scopes } from '#features/accounts/rules/scopes.ts';
import { instantMs, line, uuid } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';

const flagShape = { name: z.enum(flagNames), enabled: z.boolean(), rollout: z.int().check(z.gte(0), z.lte(100)) };
const flagsShape = z.object({ flags: z.array(z.object(flagShape)) });

export const settingsEndpoints = {
  listKeys: endpoint({
    method: 'GET',
    path: '/api/admin/keys',
    auth: 'admin',
    summary: 'API keys for administrator calls, without the keys themselves',
    output: z.object({
      keys: z.array(
        z.object({
          id: uuid,
          name: z.string(),
          masked: z.string(),
          scopes: z.array(z.enum(scopes)),
          /** Address of the user that the key acts as. */
          email: z.string(),
          createdAt: instantMs,
          expiresAt: instantMs,
          lastUsedAt: z.nullable(instantMs),
        }),
      ),
    }),
  }),
  createKey: endpoint({
    method: 'POST',
    path: '/api/admin/keys',
    auth: 'admin',
    summary: 'Create an API key of the caller, valid for 90 days by default. The key is shown only in this response',
    body: z.strictObject({
      name: line(60).check(z.refine((typed: string) => typed.trim() !== '', { error: 'A name is needed' })),
      scopes: z.array(z.enum(scopes)).check(z.minLength(1), z.maxLength(scopes.length)),
      /** For how many days it is good. */
      days: z.optional(z.literal(keyDays)),
      reason,
    }),
    output: z.object({ id: uuid, key: z.string(), expiresAt: instantMs }),
    errors: ['REAUTHENTICATE'],
  }),
  revokeKey: endpoint({
    method: 'POST',
    path: '/api/admin/keys/revocation',
    auth: 'admin',
    summary: 'Revoke an API key',
    body: z.strictObject({ keyId: uuid, reason }),
    output: z.void(),
    status: 204,
  }),
  listFlags: endpoint({
    method: 'GET',
    path: '/api/admin/flags',
    auth: 'admin',
    summary: 'Feature flags with their rollout percentages',
    output: flagsShape,
  }),
  changeFlag: endpoint({
    method: 'PATCH',
    path: '/api/admin/flags',
    auth: 'admin',
    summary: 'Turn a feature on or off, for some users or all. Takes effect immediately in every process',
    body: z.strictObject({ ...flagShape, reason }),
    output: flagsShape,
  }),
  changeRetention: endpoint({
    method: 'PATCH',
    path: '/api/admin/retention',
    auth: 'admin',
    summary: 'Set the number of days to keep errors and alerts. The audit log is kept permanently',
    body: z.strictObject({ logDays: z.int().check(z.gte(7), z.lte(365)), reason }),
    output: z.object({ logDays: z.int() }),
  }),
  testMail: endpoint({
    method: 'POST',
    path: '/api/admin/mail-test',
    auth: 'admin',
    summary: 'Send a test email to the caller and return the response of the mail server',
    requestsPerMinute: 6,
    body: z.strictObject({ reason }),
    output: z.object({
      to: z.string(),
      /** none: no server is set. again: it was not reached, or takes it later. */
      outcome: z.enum(['sent', 'again', 'failed', 'bounced', 'none']),
      /** The mail server's refusal, or null. */
      error: z.nullable(z.string()),
      durationMs: z.number(),
    }),
  }),
};
