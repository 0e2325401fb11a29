/**
 * Writes src/features/access/proofs/leaked-passwords.bin from the list of `@zxcvbn-ts/language-common`: common and leaked
 * passwords by how often they were found. Run after an update of it: `node scripts/make-password-list.ts`.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const source = JSON.parse(
  readFileSync(require.resolve('@zxcvbn-ts/language-common/src/passwords.json'), 'utf8'),
) as string[];
/** Shorter ones are refused for their length. */
const listed = source.filter((password) => [...password].length >= 8);
if (listed.length < 10_000) throw new Error(`Only ${listed.length} passwords found: has the form of the list changed?`);

const prefixes = Uint32Array.from(listed, (password) =>
  createHash('sha256').update(password.toLowerCase(), 'utf8').digest().readUInt32LE(),
).sort();
const bytes = Buffer.alloc(prefixes.length * 4);
for (const [at, prefix] of prefixes.entries()) bytes.writeUInt32LE(prefix, at * 4);
writeFileSync(new URL('../src/features/access/proofs/leaked-passwords.bin', import.meta.url), bytes);
console.log(`${prefixes.length} passwords, ${bytes.length} bytes`);
