import { lostAnswer, refusalOf, type Sent } from '../rules/sending.ts';
import type { OpenCredential } from './open-credential.ts';
import { signWebhook } from './sign-webhook.ts';

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
    ...(isGone && { account: `The address answered ${heard.status}. Correct it there, then test the connection.` }),
  };
}
