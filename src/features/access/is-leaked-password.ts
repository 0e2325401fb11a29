import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Made by `scripts/make-password-list.ts`: the first 32 bits of each SHA-256, ascending, little-endian. */
const path = join(import.meta.dirname, 'leaked-passwords.bin');
let prefixes: Uint32Array | undefined;

/**
 * Whether a password (in lower case) stands in the list of common and leaked ones. Of a million that do not, about four
 * are taken for one that does. The list (72 kB) is read when it is first asked.
 * *Source*: decision 0015.
 */
export function isLeakedPassword(plain: string): boolean {
  prefixes ??= readList();
  const wanted = createHash('sha256').update(plain, 'utf8').digest().readUInt32LE();
  let [from, to] = [0, prefixes.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((prefixes[middle] ?? 0) < wanted) from = middle + 1;
    else to = middle;
  }
  return prefixes[from] === wanted;
}

function readList(): Uint32Array {
  const bytes = readFileSync(path);
  return Uint32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readUInt32LE(at * 4));
}
