import { generateKeyPairSync, verify } from 'node:crypto';
import { expect, it } from 'vitest';
import { signAppleSecret } from './servers.ts';

it('an Apple client secret is an ES256 JWT of the team about the client, valid for five minutes', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const registration = {
    clientId: 'org.example.holdfast',
    teamId: 'TEAM123456',
    keyId: 'KEY1234567',
    privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    url: 'https://appleid.apple.com',
  };
  const [header = '', claims = '', signature = ''] = signAppleSecret(registration, 1_800_000_000_500).split('.');
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as object;
  expect(read(header)).toEqual({ alg: 'ES256', kid: 'KEY1234567', typ: 'JWT' });
  expect(read(claims)).toEqual({
    iss: 'TEAM123456',
    sub: 'org.example.holdfast',
    aud: 'https://appleid.apple.com',
    iat: 1_800_000_000,
    exp: 1_800_000_300,
  });
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  expect(verify('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'))).toBe(true);
});
