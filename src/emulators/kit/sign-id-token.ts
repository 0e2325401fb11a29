import { generateKeyPairSync, hash, type KeyObject, sign } from 'node:crypto';

/** The key pair of an emulated identity provider. Created with each process, because it proves nothing. */
export interface SigningKey {
  /** JSON Web Key Set with the public key. Source: RFC 7517. */
  jwks(): { keys: Record<string, unknown>[] };
  /** An RS256 JSON Web Token. Source: RFC 7515, OpenID Connect Core section 2. */
  signToken(claims: Record<string, unknown>): string;
}

export function createSigningKey(): SigningKey {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = publicKey.export({ format: 'jwk' }) as Record<string, unknown>;
  const kid = hash('sha256', String(jwk.n)).slice(0, 40);
  return {
    jwks: () => ({ keys: [{ ...jwk, kid, use: 'sig', alg: 'RS256' }] }),
    signToken: (claims) => signed(privateKey, kid, claims),
  };
}

function signed(key: KeyObject, kid: string, claims: Record<string, unknown>): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'RS256', typ: 'JWT', kid })}.${part(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}
