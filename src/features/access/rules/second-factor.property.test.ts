import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backupCodeSigns, readBackupCode, writeBackupCode } from './second-factor.ts';

const random = fc.uint8Array({ minLength: backupCodeSigns, maxLength: backupCodeSigns });

test('a backup code is recognized in any case, with or without dashes and spaces', () => {
  fc.assert(
    fc.property(random, (bytes) => {
      const code = writeBackupCode(bytes);
      expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/);
      const plain = code.replaceAll('-', '');
      for (const typed of [code, plain, code.toLowerCase(), ` ${code.replaceAll('-', ' ')} `]) {
        expect(readBackupCode(typed)).toBe(plain);
      }
      expect(readBackupCode(plain.replaceAll('0', 'o').replaceAll('1', 'l'))).toBe(plain);
    }),
  );
});

test('different bytes always give different backup codes', () => {
  fc.assert(
    fc.property(random, fc.nat(backupCodeSigns - 1), fc.integer({ min: 1, max: 31 }), (bytes, at, change) => {
      const other = Uint8Array.from(bytes);
      other[at] = (other[at] ?? 0) ^ change;
      expect(writeBackupCode(other)).not.toBe(writeBackupCode(bytes));
    }),
  );
});

test('a malformed backup code is rejected', () => {
  for (const typed of [
    '',
    '123456',
    'ABCD-EFGH-JKMN',
    'ABCD-EFGH-JKMN-PQRSX',
    'ABCD-EFGH-JKMN-PQRU',
    '０000-0000-0000-0000',
    'ß'.repeat(8),
  ]) {
    expect(readBackupCode(typed), typed).toBeNull();
  }
});
