import { createHmac, randomBytes } from 'node:crypto';
import { isSameSecret } from '#platform/crypto.ts';
import { lostAnswer, refusalOf, type Sent } from '../../rules/sending.ts';
import type { OpenCredential } from './services.ts';

/**
 * Our own kind of webhook: JSON, signed, under an id that stays the same when it is repeated, so that its receiver can
 * tell. Sent again where its answer was lost.
 */
export async function callWebhook(
  credential: OpenCredential,
  { id, type, data, nowMs }: { id: string; type: string; data: unknown; nowMs: number },
): Promise<Sent> {
  const body = JSON.stringify({ type, timestamp: Temporal.Instant.fromEpochMilliseconds(nowMs).toString(), data });
  const heard = await credential.call({
    url: credential.url,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...signWebhook(credential.secret.signing ?? '', { id, atMs: nowMs, body }),
    },
    body,
  });
  if (heard.kind === 'none' || heard.status >= 500) return lostAnswer(heard);
  if (heard.status < 300) return { kind: 'sent', reference: id };
  const refusal = refusalOf(heard, nowMs);
  if (refusal !== null) return refusal;
  const isGone = [401, 403, 404, 410].includes(heard.status);
  return {
    kind: 'refused',
    reason: `answer-${heard.status}`,
    permanent: true,
    ...(isGone && {
      account: `The address responded with ${heard.status}. Fix the problem there, then test the connection.`,
    }),
  };
}

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
