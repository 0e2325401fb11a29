import { describe, expect, test } from 'vitest';
import { handlePattern, isReserved, lookOf, nameForAddress, reserved } from './handle.ts';

describe('handles', () => {
  test('a handle has only lowercase ASCII letters, digits and single inner hyphens', () => {
    for (const good of ['anna', 'anna-lee', 'a1', 'zoe-2']) expect(handlePattern.test(good), good).toBe(true);
    for (const bad of [
      'Anna',
      'аnna',
      'anna_',
      '-anna',
      'anna-',
      'an--na',
      'anna.lee',
      'an na',
      '',
      'ａnna',
      'ann\u200Ba',
    ])
      expect(handlePattern.test(bad), bad).toBe(false);
  });

  test('handles that look alike count as the same handle', () => {
    for (const [one, other] of [
      ['paul', 'pau1'],
      ['bernard', 'bemard'],
      ['anna-lee', 'annalee'],
      ['ian', 'lan'],
      ['oslo', '0sl0'],
      ['wim', 'vvim'],
    ] as const)
      expect(lookOf(one), one).toBe(lookOf(other));
    expect(lookOf('anna')).not.toBe(lookOf('hanna'));
  });

  test('a reserved name is recognized in any similar spelling', () => {
    for (const name of ['admin', 'adm1n', 'ad-min', 'api', 'l0gin', 'support', 'supp0rt', 'holdfast', 'h0ldfast'])
      expect(isReserved(name), name).toBe(true);
    expect(isReserved('xn-anna')).toBe(true);
    for (const name of ['anna', 'apia', 'logan', 'adminton']) expect(isReserved(name), name).toBe(false);
  });

  test('a reserved name is a valid handle otherwise, and is listed once', () => {
    for (const name of reserved) expect(handlePattern.test(name), name).toBe(true);
    expect(new Set(reserved).size).toBe(reserved.length);
  });
});

test('a slug keeps the readable part of a name', () => {
  expect(nameForAddress('Zoë Łukasz-Straße', 40)).toBe('zoe-lukasz-strasse');
  expect(nameForAddress('30 Minute Meeting!', 64)).toBe('30-minute-meeting');
  expect(nameForAddress('東京', 40)).toBe('');
  expect(nameForAddress('a-b-c', 2)).toBe('a');
});
