import { expect, test } from 'vitest';
import { passwordProblem as problemOf } from './password.ts';

const passwordProblem = (password: string, email: string) => problemOf(password, email, () => false);

const email = 'ada.lovelace@example.org';

test('a password needs 8 or more characters, has an upper limit, and has no required character classes', () => {
  for (const good of [
    'violet anchor seventeen',
    'xkcdhorse',
    ' spaces ',
    '\u5bc6\u7801\u662f\u79d8\u5bc6\u7684\u4e1c\u897f',
    'kqzvwmpd',
    `${'x1'.repeat(3)}yz`,
    'Tr0ub4dor&3',
    `${'q'.repeat(10)}abcz`,
  ]) {
    expect(passwordProblem(good, email), good).toBeNull();
  }
  for (const short of ['', '1234567', 'kqzvwmp', '\ud83d\ude00'.repeat(7)]) {
    expect(passwordProblem(short, email), short).toMatch(/at least 8/);
  }
  expect(passwordProblem('a\u00e4bq'.repeat(1000), email)).toMatch(/too long/);
});

test('common passwords and passwords made from the email address are refused', () => {
  for (const common of [
    'password',
    'Password1!',
    'passw0rd',
    '12345678',
    '87654321',
    '1234567890',
    'abcdefgh',
    'aaaaaaaa',
    'abababab',
    'qwertyuiop',
    'iloveyou',
    'Summer2026!',
    'welcome123',
    'letmein!!',
    '1q2w3e4r',
    'admin123',
    '11111111',
    '--------',
  ]) {
    expect(passwordProblem(common, email), common).toMatch(/too easy to guess/);
  }
  expect(passwordProblem('ada.lovelace', email)).toMatch(/email address/);
  expect(passwordProblem('Ada.Lovelace@example.org', email)).toMatch(/email address/);
});
