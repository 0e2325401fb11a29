import { expect, test } from 'vitest';
import { loadConfig } from '#platform/config.ts';
import { getPublicKey, getPushKey } from './push-key.ts';

// the application server of RFC 8291, appendix A
const privateKey = 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw';
const publicKey = 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8';

test('a configured VAPID key replaces the generated one and determines the public key', async () => {
  const config = loadConfig({ VAPID_PRIVATE_KEY: privateKey });
  // nothing is read or made: there is no database here
  const app = { config } as Parameters<typeof getPushKey>[0];
  expect(await getPushKey(app)).toEqual({ publicKey, privateKey });
  expect(await getPublicKey(app)).toBe(publicKey);
});

test('an invalid VAPID key is refused at start', () => {
  for (const wrong of ['short', 'A'.repeat(43), publicKey])
    expect(() => loadConfig({ VAPID_PRIVATE_KEY: wrong })).toThrow('VAPID_PRIVATE_KEY is not usable: expected');
});
