import { expect, test } from 'vitest';
import { createMirrorSigner } from './mirror-signer.ts';

const secret = new Uint8Array(32).fill(7);
const origin = { targetCalendarId: 't', originCalendarId: 'o', originUid: 'uid@example.com', recId: null };

test('one origin always has the same mirror identity, in characters that every provider accepts', () => {
  const identity = createMirrorSigner(secret).identityOf(origin, 1);
  expect(createMirrorSigner(secret).identityOf({ ...origin }, 1)).toEqual(identity);
  expect(identity.key).toMatch(/^[a-v0-9]{32}$/);
  expect(identity.uid).toBe(`${identity.key}-g1@holdfast.invalid`);
  expect(identity.tag).toMatch(/^1:[a-v0-9]{32}$/);
  expect(identity.generation).toBe(1);
});

test('another origin, target, instance, generation, or install gives another mirror identity', () => {
  const signer = createMirrorSigner(secret);
  const identities = [
    signer.identityOf(origin, 1),
    signer.identityOf(origin, 2),
    signer.identityOf({ ...origin, recId: '20270308T080000Z' }, 1),
    signer.identityOf({ ...origin, targetCalendarId: 'o', originCalendarId: 't' }, 1),
    signer.identityOf({ ...origin, originUid: 'other' }, 1),
    // Parts that run into each other where they are only joined.
    signer.identityOf({ ...origin, originCalendarId: 'o","uid', originUid: '@example.com' }, 1),
    createMirrorSigner(new Uint8Array(32).fill(8)).identityOf(origin, 1),
  ];
  expect(new Set(identities.map((one) => one.uid)).size).toBe(identities.length);
  expect(new Set(identities.map((one) => one.tag)).size).toBe(identities.length);
  expect(identities[0]?.key).toBe(identities[1]?.key);
});

test('a mirror tag is valid for its own UID only', () => {
  const signer = createMirrorSigner(secret);
  const { uid, tag, key } = signer.identityOf(origin, 1);
  expect(signer.verify(uid, tag)).toBe(true);
  expect(signer.verify('copy@example.com', tag)).toBe(false);
  expect(signer.verify(signer.identityOf(origin, 2).uid, tag)).toBe(false);
  expect(createMirrorSigner(new Uint8Array(32)).verify(uid, tag)).toBe(false);
  for (const forged of [
    '',
    '1:',
    `1:${key}`,
    `2${tag.slice(1)}`,
    tag.toUpperCase(),
    `${tag}0`,
    tag.slice(0, -1),
    '1:😀',
  ]) {
    expect(signer.verify(uid, forged), forged).toBe(false);
  }
});

test('a short mirror secret and a generation below one are refused', () => {
  expect(() => createMirrorSigner(new Uint8Array(31))).toThrow(RangeError);
  for (const generation of [0, -1, 1.5, Number.NaN]) {
    expect(() => createMirrorSigner(secret).identityOf(origin, generation)).toThrow(RangeError);
  }
});
