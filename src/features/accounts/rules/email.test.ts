import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalEmail, mailtoOf } from './email.ts';

test('an email address has one canonical form in every spelling', () => {
  for (const [typed, canonical] of [
    ['Ada@Example.ORG', 'ada@example.org'],
    ['  ada@example.org ', 'ada@example.org'],
    ['ada\uff20example.org', 'ada@example.org'],
    ['\uff21da@example.org', 'ada@example.org'],
    ['ada+cal@example.org', 'ada+cal@example.org'],
    ['a.b@b\u00fccher.example', 'a.b@xn--bcher-kva.example'],
    ['ada@example.org\u200b'.slice(0, -1), 'ada@example.org'],
    ['o\u2019neil@example.org', "o'neil@example.org"],
    ['o\u02bcneil@example.org', "o'neil@example.org"],
    ["o'neil@sub.example.co.uk", "o'neil@sub.example.co.uk"],
    ['root@localhost', 'root@localhost'],
  ]) {
    expect(canonicalEmail(typed ?? ''), typed).toBe(canonical);
  }
});

test('an invalid email address is rejected', () => {
  for (const wrong of [
    '',
    '@',
    'a@',
    '@b',
    'a@b@c',
    'a\uff20b@c',
    '"a b"@x',
    'a b@x.org',
    'a@x.org.',
    'a@.x',
    'a@x..y',
    '.a@x',
    'a.@x',
    'a..b@x',
    'a@b.c\r\nBcc: all@x.org',
    'a@b,c',
    'Ada <a@b.c>',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    'a@2130706433',
    'a@0x7f',
    'a@b:80',
    'a@b/c',
    'a@b?c',
    'a@-b.c',
    'a@b_c.d',
    `${'a'.repeat(65)}@x.org`,
    `a@${'b.'.repeat(130)}org`,
    'a\u0000@b.c',
    'a\u202e@b.c',
    'a\u200b@b.c',
  ]) {
    expect(canonicalEmail(wrong), JSON.stringify(wrong)).toBeNull();
  }
});

test('the canonical form of an email address is stable', () => {
  fc.assert(
    fc.property(fc.oneof(fc.emailAddress(), fc.string({ unit: 'binary', maxLength: 80 })), (typed) => {
      const canonical = canonicalEmail(typed);
      if (canonical !== null) {
        expect(canonicalEmail(canonical)).toBe(canonical);
        expect(canonical.split('@')).toHaveLength(2);
      }
    }),
    { numRuns: 1000 },
  );
});

// RFC 6068 section 6.1
test.each([
  ['gorby%kremvax@example.com', 'mailto:gorby%25kremvax@example.com'],
  ['unlikely?address@example.com', 'mailto:unlikely%3Faddress@example.com'],
  ['Mike&family@example.org', 'mailto:Mike%26family@example.org'],
  ['ada.lovelace@example.org', 'mailto:ada.lovelace@example.org'],
])('a link that writes to %s has one recipient and no parameter', (address, link) => {
  expect(mailtoOf(address)).toBe(link);
  expect(new URL(link).search).toBe('');
});
