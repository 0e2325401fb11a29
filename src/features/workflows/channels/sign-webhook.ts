import { createHmac, randomBytes } from 'node:crypto';
import { isSameSecret } from '#platform/crypto.ts';

/** Source: Standard Webhooks 1.0: `whsec_` and at least 24 bytes in Base64. */
export const mintSigningSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

const toleranceMs = 300_000;

/** The three headers of a signed call: its id stays the same when it is repeated. docs/webhooks.md tells receivers. */
export function signWebhook(secret: string, { id, atMs, body }: { id: string; atMs: number; body: string }) {
  const timestamp = String(Math.floor(atMs / 1_000));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatureOf(secret, id, timestamp, body),
  };
}

/** Whether a call to us was signed with the secret, a short time ago. */
export function isSigned(
  secret: string,
  headers: Readonly<Record<string, string | undefined>>,
  body: string,
  nowMs: number,
): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (id === undefined || timestamp === undefined || signatures === undefined) return false;
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Number(timestamp) * 1_000 - nowMs) > toleranceMs) return false;
  const expected = signatureOf(secret, id, timestamp, body);
  return signatures.split(' ').some((one) => isSameSecret(one, expected));
}

function signatureOf(secret: string, id: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`, 'utf8').digest('base64')}`;
}
