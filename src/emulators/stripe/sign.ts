import { createHmac } from 'node:crypto';

/** `Stripe-Signature`: HMAC-SHA256 over `{seconds}.{body}`. Source: "Webhooks", verify signatures manually. */
export function signPayload(secret: string, body: string, nowMs: number): string {
  const at = Math.floor(nowMs / 1000);
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`, 'utf8').digest('hex')}`;
}
