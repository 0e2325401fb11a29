import fc from 'fast-check';
import { expect, it } from 'vitest';
import { portableSha256, sha256 } from './sha256.ts';

it('sha256 gives the digest of the FIPS 180-2 example', () => {
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

it('sha256 is the same in server and browser for any text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ unit: 'grapheme' })), (text) => {
      expect(sha256(text)).toBe(portableSha256(text));
    }),
  );
  // half a surrogate pair is no character and is written as the replacement sign by both
  expect(sha256('\uD83D')).toBe(portableSha256('\uD83D'));
});
