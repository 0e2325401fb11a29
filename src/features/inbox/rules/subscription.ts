import * as z from 'zod/mini';
import { line } from '#kernel/codecs.ts';

/** What a browser gives out when it agrees to be sent notices. Source: Push API, PushSubscriptionJSON. */
export const subscription = z.strictObject({
  endpoint: line(1_000).check(z.refine(isAddress, { error: 'Expected the https address of a push service' })),
  keys: z.strictObject({
    p256dh: z.string().check(z.regex(/^[\w-]{87}$/)), // a point of P-256, not compressed
    auth: z.string().check(z.regex(/^[\w-]{22}$/)), // 16 bytes
  }),
});
export type Subscription = z.output<typeof subscription>;

function isAddress(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'https:' && url.username === '' && url.password === '' && url.hash === '';
}
