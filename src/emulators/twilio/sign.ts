import { createHmac } from 'node:crypto';

/**
 * `X-Twilio-Signature`: the address, then every parameter in the order of its name, name and value without anything
 * between, under HMAC-SHA1 with the auth token, as Base64. Source: "Webhooks security", validating signatures.
 */
export function signForm(authToken: string, url: string, parameters: Record<string, string>): string {
  const signed = Object.keys(parameters)
    .toSorted()
    .reduce((text, name) => text + name + parameters[name], url);
  return createHmac('sha1', authToken).update(signed, 'utf8').digest('base64');
}
