import * as z from 'zod/mini';
import { id, instantMs, line } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import { credentialKinds, newCredentialShape, simulatedKinds } from './credential.ts';

const credential = z.strictObject({
  id: id<'credential'>(),
  kind: z.enum(credentialKinds),
  label: z.string(),
  detail: z.string(), // sender, channel, host: what tells two apart
  refused: z.nullable(z.string()), // the problem and its remedy
  simulated_page: z.nullable(z.string()), // shows the messages that were sent
  inbound_url: z.nullable(z.string()), // where the service sends what people answer
  month: z.nullable(z.strictObject({ used: z.int(), cap: z.int() })),
  used_by: z.array(z.strictObject({ id: id<'workflow'>(), name: z.string() })),
  created_at: instantMs,
});

const number = z.strictObject({
  phone: z.string(),
  given: z.boolean(),
  source: z.enum(['booking', 'own', 'stated', 'message', 'network']),
  at: instantMs,
});

const credentialId = z.strictObject({ credential_id: id<'credential'>() });
const codes = ['SERVICE_REFUSED', 'SERVICE_UNREACHABLE', 'BAD_ADDRESS', 'TOO_MANY'] as const;

export const channelEndpoints = {
  listCredentials: endpoint({
    method: 'GET',
    path: '/api/workflows/credentials',
    auth: 'user',
    summary: 'Connected accounts of workflows, without their secrets',
    output: z.strictObject({
      credentials: z.array(credential),
      simulated: z.array(z.enum(simulatedKinds)), // empty where simulated accounts are switched off
    }),
  }),
  connectCredential: endpoint({
    method: 'POST',
    path: '/api/workflows/credentials',
    auth: 'user',
    summary: 'Connect an account for workflows, after a test',
    body: newCredentialShape,
    output: z.strictObject({
      credential,
      signing_secret: z.nullable(z.string()), // for a webhook; shown once
    }),
    errors: codes,
    status: 201,
  }),
  simulateCredential: endpoint({
    method: 'POST',
    path: '/dev/simulate/credential',
    auth: 'user',
    summary: 'Connect a simulated account for workflows, if simulated accounts are turned on',
    body: z.strictObject({ kind: z.enum(simulatedKinds) }),
    output: z.strictObject({ credential }),
    errors: ['TOO_MANY'],
    status: 201,
  }),
  testCredential: endpoint({
    method: 'POST',
    path: '/api/workflows/credentials/{credential_id}/test',
    auth: 'user',
    summary: 'Test a connected account. Only its owner is notified',
    params: credentialId,
    output: z.strictObject({ credential }),
    errors: codes,
  }),
  disconnectCredential: endpoint({
    method: 'DELETE',
    path: '/api/workflows/credentials/{credential_id}',
    auth: 'user',
    summary: 'Delete a connected account and its secret. Steps that use it no longer run',
    params: credentialId,
    output: z.strictObject({}),
  }),
  listNumbers: endpoint({
    method: 'GET',
    path: '/api/workflows/numbers',
    auth: 'user',
    summary: 'Phone numbers that agreed to text messages or opted out, newest first, at most 500',
    output: z.strictObject({ numbers: z.array(number) }),
  }),
  keepNumber: endpoint({
    method: 'POST',
    path: '/api/workflows/numbers',
    auth: 'user',
    summary: 'Record that the owner of a number agreed to text messages or opted out',
    body: z.strictObject({
      phone: line(40),
      given: z.boolean(),
    }),
    output: z.strictObject({ numbers: z.array(number) }),
    errors: ['BAD_NUMBER', 'OPTED_OUT', 'TOO_MANY'],
  }),
};
