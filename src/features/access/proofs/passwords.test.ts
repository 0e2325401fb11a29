import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLeakedPassword, requireGoodPassword } from './passwords.ts';

const list = (
  createRequire(import.meta.url)('@zxcvbn-ts/language-common/src/passwords.json') as readonly string[]
).filter((password) => [...password].length >= 8);

const refuses = (password: string) => {
  try {
    requireGoodPassword(password, 'ada@example.org', 'password');
    return false;
  } catch (error) {
    expect(error).toMatchObject({ kind: 'invalid', code: 'WEAK_PASSWORD', fields: { password: expect.any(String) } });
    return true;
  }
};

test('every leaked password of the source list is in the shipped list', () => {
  expect(list.length).toBeGreaterThan(17_000);
  expect(list.filter((password) => !isLeakedPassword(password))).toEqual([]);
  expect(statSync(join(import.meta.dirname, 'leaked-passwords.bin')).size).toBe(list.length * 4);
});

test('the 3,000 most common leaked passwords are refused in any letter case', () => {
  expect(list.slice(0, 3_000).filter((password) => !refuses(password))).toEqual([]);
  for (const password of [
    'trustno1',
    'redskins',
    'bigdaddy',
    'cocacola',
    'midnight',
    'asdfasdf',
    'qwerty123',
    'liverpool',
    'blink182',
    'scorpion',
    'Scorpion',
    'COCACOLA',
  ]) {
    expect(refuses(password), password).toBe(true);
  }
});

test('passwords that never leaked are accepted', () => {
  const unheardOf = Array.from({ length: 20_000 }, () => randomBytes(9).toString('base64url'));
  // The filter takes four in a million for a listed one.
  expect(unheardOf.filter(isLeakedPassword).length).toBeLessThanOrEqual(2);
  for (const password of ['violet anchor seventeen', 'Tr0ub4dor&3', '        seven spaces', 'пароль-для-теста']) {
    expect(refuses(password), password).toBe(false);
  }
});
