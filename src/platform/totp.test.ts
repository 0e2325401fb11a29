import { expect, test } from 'vitest';
import { findTotpStep, mintTotpKey, totpAddress } from './totp.ts';

// RFC 6238 appendix B, SHA-1; of its eight digits an app shows the last six. The key is "12345678901234567890".
const key = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const vectors = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const;

test('TOTP codes match the vectors of RFC 6238', () => {
  for (const [seconds, code] of vectors) {
    expect(findTotpStep(key, code, seconds * 1000), code).toBe(Math.floor(seconds / 30));
  }
});

test('a TOTP clock may be one step off and no more', () => {
  const step = Math.floor(1_234_567_890 / 30);
  const accepted = [-3, -2, -1, 0, 1, 2, 3].filter(
    (off) => findTotpStep(key, '005924', (step + off) * 30_000 + 29_999) !== null,
  );
  expect(accepted).toEqual([-1, 0, 1]);
  expect(findTotpStep(key, '005924', (step + 1) * 30_000)).toBe(step);
  expect(findTotpStep(key, '005924', (step - 1) * 30_000)).toBe(step);
});

test('a TOTP code that is not six ASCII digits is refused', () => {
  for (const code of [
    '',
    '05924',
    '0005924',
    '005 924',
    ' 005924',
    '005924\n',
    '００５９２４',
    '٠٠٥٩٢٤',
    '00592a',
    '+05924',
  ]) {
    expect(findTotpStep(key, code, 1_234_567_890_000), JSON.stringify(code)).toBeNull();
  }
});

test('TOTP keys are 160 random bits, and their URI names the account and the issuer', () => {
  const keys = Array.from({ length: 100 }, mintTotpKey);
  expect(new Set(keys).size).toBe(100);
  for (const one of keys) expect(one).toMatch(/^[A-Z2-7]{32}$/);
  const address = totpAddress(key, { issuer: 'Holdfast', account: 'ada+x@example.org' });
  expect(address).toBe(`otpauth://totp/Holdfast:ada%2Bx%40example.org?secret=${key}&issuer=Holdfast`);
});
