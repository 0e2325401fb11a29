/** Crockford's base32: no I, L, O or U, which people misread. */
const signs = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Five bits each: 80 in all, so that a leaked hash cannot be turned back by trying. */
export const backupCodeSigns = 16;

/** `7QK2-M0RD-...` from random bytes, one for each sign. */
export function writeBackupCode(random: Uint8Array): string {
  return [...random.subarray(0, backupCodeSigns)]
    .map((byte) => signs.charAt(byte % 32))
    .join('')
    .replace(/.{4}(?=.)/g, '$&-');
}

/** The code in typed text: any case, with or without dashes and spaces, O for 0, I and L for 1. */
export function readBackupCode(typed: string): string | null {
  if (!/^[0-9a-z -]*$/i.test(typed)) return null; // `ß` would become two signs
  const plain = typed.toUpperCase().replace(/[- ]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  const isCode = plain.length === backupCodeSigns && [...plain].every((sign) => signs.includes(sign));
  return isCode ? plain : null;
}
