import { createPrivateKey, sign } from 'node:crypto';
import type { AppleRegistration } from '#platform/config.ts';

/** Long enough for one exchange. Apple allows six months. */
const lifetimeSeconds = 300;

/**
 * The client secret for Apple: a statement signed with the key of the team.
 * *Source*: Apple, "Creating a client secret"; RFC 7515, ES256.
 */
export function signAppleSecret(registration: AppleRegistration, nowMs: number): string {
  const { clientId, teamId, keyId, privateKey, url } = registration;
  const iat = Math.floor(nowMs / 1000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { iss: teamId, sub: clientId, aud: url, iat, exp: iat + lifetimeSeconds };
  const text = `${part({ alg: 'ES256', kid: keyId, typ: 'JWT' })}.${part(claims)}`;
  const key = { key: createPrivateKey(privateKey), dsaEncoding: 'ieee-p1363' } as const;
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}
