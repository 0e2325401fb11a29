import { describe, expect, test } from 'vitest';
import type { Item } from '#kernel/event.ts';
import { contentHash } from '#kernel/event-hash.ts';
import type { ItemId, MirrorId } from '#kernel/ids.ts';
import { timedBody } from '../../../../test/harness/mirror-subjects.ts';
import { identityKeyOf, type KnownBlock, settleOwn } from './settle-own.ts';

const body = timedBody('2027-03-02T09:00:00', 3600, { title: 'Busy' });
const edited = timedBody('2027-03-02T10:00:00', 3600, { title: 'Busy' });
const hash = contentHash(body);

const known = (more: Partial<KnownBlock> = {}): KnownBlock => ({
  id: 'row' as MirrorId,
  originItemId: 'item' as ItemId,
  state: 'created',
  ref: '/b.ics',
  version: '1',
  appliedHash: hash,
  desiredHash: hash,
  isYounger: false,
  ...more,
});
const seen = (more: Partial<Item> = {}): Item => ({
  ref: '/b.ics',
  version: '2',
  provenance: 'foreign',
  body,
  ...more,
});
const settle = (items: Item[], gone: string[], ...blocks: KnownBlock[]) =>
  settleOwn({ items, gone, absent: [] }, blocks);

describe('mirrors in a page of their target', () => {
  test('an object without a ledger row passes unchanged, tagged or not', () => {
    const items = [seen({ ref: '/x.ics' }), seen({ ref: '/y.ics', provenance: 'own' })];
    expect(settle(items, ['/z.ics'], known())).toEqual({
      items,
      verified: [],
      touched: [],
      doubted: [],
      absent: [],
      gone: ['/z.ics'],
    });
  });

  test('a mirror is recognized by its ledger row, even when its server dropped the tag', () => {
    expect(settle([seen()], [], known()).items[0]?.provenance).toBe('own');
  });

  test('a mirror equal to its written or pending content is verified under its new version', () => {
    const verified = [{ id: 'row', version: '2' }];
    expect(settle([seen()], [], known())).toMatchObject({ verified, touched: [] });
    expect(settle([seen()], [], known({ state: 'pending', appliedHash: 'old' }))).toMatchObject({
      verified,
      touched: [],
    });
    expect(settle([seen()], [], known({ state: 'pending', desiredHash: 'new' }))).toMatchObject({
      verified,
      touched: [],
    });
  });

  test.each([
    ['created', true],
    ['failed', true],
    ['pending', false],
    ['deleting', false],
    ['skipped', false],
  ])('a mirror changed by its user while %s is planned again: %s', (state, asked) => {
    const { touched, verified } = settle([seen({ body: edited })], [], known({ state }));
    expect(verified).toEqual([]);
    expect(touched).toEqual(asked ? [{ id: 'row', ref: '/b.ics', seen: 'changed', version: '2' }] : []);
  });

  test.each([
    ['created', true],
    ['failed', true],
    ['pending', true],
    ['deleting', false],
    ['skipped', false],
  ])('a mirror deleted by its user while %s is planned again: %s', (state, asked) => {
    const { touched } = settle([], ['/b.ics'], known({ state }));
    expect(touched).toEqual(asked ? [{ id: 'row', ref: '/b.ics', seen: 'gone', version: null }] : []);
  });
});

test('a page that is older than a mirror decides nothing about it, and its provider is asked', () => {
  const young = known({ isYounger: true });
  const asked = { items: [], verified: [], touched: [], doubted: ['row'], gone: [], absent: [] };
  expect(settle([seen({ body: edited })], [], young)).toEqual(asked);
  expect(settle([], ['/b.ics'], young)).toEqual(asked);
  expect(settle([seen()], [], young)).toMatchObject({
    verified: [{ id: 'row', ref: '/b.ics', version: '2' }],
    doubted: [],
  });
  expect(settle([], ['/b.ics'], known({ isYounger: true, state: 'deleting' }))).toMatchObject({ gone: ['/b.ics'] });
});

test.each([
  ['created', true],
  ['failed', true],
  ['pending', true],
  ['deleting', false],
  ['skipped', false],
])('a listing without a %s mirror leaves the mirror in doubt: %s', (state, doubted) => {
  const page = { items: [], gone: [], absent: ['/b.ics', '/event.ics'] };
  expect(settleOwn(page, [known({ state })])).toMatchObject({
    touched: [],
    doubted: doubted ? ['row'] : [],
    gone: doubted ? [] : ['/b.ics'],
    absent: ['/event.ics'],
  });
});

test('the identity key of a mirror is read from its UID in any generation, and from no other UID', () => {
  expect(identityKeyOf('0a1v-g12@holdfast.invalid')).toBe('0a1v');
  for (const uid of [undefined, '', 'a@x', '0a1v@holdfast.invalid', '0a1z-g1@x', '-g1@x', 'x 0a1v-g1@x']) {
    expect(identityKeyOf(uid)).toBeNull();
  }
});
