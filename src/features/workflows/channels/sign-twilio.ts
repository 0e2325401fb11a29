import { createHmac } from 'node:crypto';

/** What `X-Twilio-Signature` has to be. Source: Twilio, "Webhooks security", validating signatures. */
export function signTwilio(authToken: string, url: string, parameters: readonly (readonly [string, string])[]): string {
  const sorted = parameters.toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  const signed = url + sorted.map(([name, value]) => name + value).join('');
  return createHmac('sha1', authToken).update(signed, 'utf8').digest('base64');
}
