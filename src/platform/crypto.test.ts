import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  createKeyring,
  hashPassword,
  hashToken,
  isSameSecret,
  mintToken,
  SealError,
  verifyPassword,
} from './crypto.ts';

const key = (name: string) => `${name}:${randomBytes(32).toString('base64')}`;
const place = { table: 'connections.connections', row: 'a', column: 'secret' };

test('a sealed value opens only in its own row, column, and table', () => {
  const ring = createKeyring(key('k1'));
  const sealed = ring.seal('pässword', place);
  expect(sealed).toMatch(/^v1\.k1\.[\w-]+$/);
  expect(sealed).not.toBe(ring.seal('pässword', place));
  expect(ring.open(sealed, place)).toBe('pässword');
  for (const other of [
    { ...place, row: 'b' },
    { ...place, column: 'x' },
    { ...place, table: 'y' },
  ]) {
    expect(() => ring.open(sealed, other)).toThrow(SealError);
  }
});

test('a changed, truncated, or foreign sealed value is refused', () => {
  const ring = createKeyring(key('k1'));
  const sealed = ring.seal('secret', place);
  const bytes = Buffer.from(sealed.slice('v1.k1.'.length), 'base64url');
  for (let at = 0; at < bytes.length; at += 1) {
    const flipped = Buffer.from(bytes);
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    expect(() => ring.open(`v1.k1.${flipped.toString('base64url')}`, place)).toThrow(SealError);
  }
  for (const wrong of [
    '',
    'secret',
    'v1.k1.',
    'v1.k1.AAAA',
    `v2${sealed.slice(2)}`,
    `${sealed}.x`,
    sealed.slice(0, -6),
  ]) {
    expect(() => ring.open(wrong, place), wrong).toThrow(SealError);
  }
  expect(() => createKeyring(key('k1')).open(sealed, place)).toThrow(SealError);
});

test('a value sealed before a key rotation still opens and counts as not current', () => {
  const [old, fresh] = [key('old'), key('new')];
  const sealed = createKeyring(old).seal('secret', place);
  const rotated = createKeyring(`${fresh},${old}`);
  expect(rotated.open(sealed, place)).toBe('secret');
  expect(rotated.isCurrent(sealed)).toBe(false);
  expect(rotated.isCurrent(rotated.seal('secret', place))).toBe(true);
  expect(() => createKeyring(fresh).open(sealed, place)).toThrow(/the key old/);
});

test('a keyring without a usable key is refused', () => {
  for (const wrong of ['', ' , ', 'k1', 'k1:c2hvcnQ=', ':AAAA', `${key('k')},${key('k')}`, `a.b:${'A'.repeat(43)}=`]) {
    expect(() => createKeyring(wrong), wrong).toThrow(SealError);
  }
});

test('a password verifies byte for byte, and no password verifies without an account', async () => {
  const stored = await hashPassword(' pässwörd ');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(await verifyPassword(' pässwörd ', stored)).toBe(true);
  for (const wrong of ['pässwörd', ' pässwörd '.normalize('NFD'), ' pässwörd', '']) {
    expect(await verifyPassword(wrong, stored), wrong).toBe(false);
  }
  expect(await verifyPassword(' pässwörd ', null)).toBe(false);
  expect(await hashPassword(' pässwörd ')).not.toBe(stored);
});

test('a password over 4,096 bytes is refused before hashing, and excess checks are refused instead of queued', async () => {
  await expect(hashPassword('ä'.repeat(2049))).rejects.toMatchObject({ kind: 'invalid' });
  expect(await verifyPassword('x'.repeat(4096), null)).toBe(false);
  const outcomes = await Promise.allSettled(Array.from({ length: 80 }, () => verifyPassword('x', null)));
  const refused = outcomes.filter((one) => one.status === 'rejected');
  expect(refused).toHaveLength(80 - 66);
  for (const one of refused) expect(one.reason).toMatchObject({ kind: 'unavailable', retryAfterMs: 2000 });
  expect(await verifyPassword('x', null)).toBe(false);
});

test('a known caller is hashed before every stranger who waits', async () => {
  const order: string[] = [];
  const check = async (caller: 'known' | 'stranger') => {
    await verifyPassword('x', null, caller);
    order.push(caller);
  };
  await Promise.all([...Array.from({ length: 66 }, () => check('stranger')), check('known')]);
  // two were being hashed already, and two more may end beside it
  expect(order.indexOf('known')).toBeLessThanOrEqual(4);
});

test('tokens are random and stored as SHA-256 hashes, and only equal secrets match', () => {
  const tokens = new Set(Array.from({ length: 1000 }, mintToken));
  expect(tokens.size).toBe(1000);
  for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/);
  expect(hashToken('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(isSameSecret('a', 'a')).toBe(true);
  expect(isSameSecret('a', 'aa')).toBe(false);
});
