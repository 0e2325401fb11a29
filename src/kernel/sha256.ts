import { sha256 as digest } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** Node's built-in hash, which browsers lack; a tenth of the time for an event of a kilobyte. */
interface NodeCrypto {
  hash(algorithm: 'sha256', text: string, encoding: 'hex'): string;
}
const host = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
const native = host.process?.getBuiltinModule?.('node:crypto') as NodeCrypto | undefined;

/**
 * The SHA-256 of a text in UTF-8, as 64 hex digits. For naming content, in server and browser alike and without waiting
 * (WebCrypto answers only later); secrets are platform/crypto's.
 */
export const sha256: (text: string) => string =
  native === undefined ? portableSha256 : (text) => native.hash('sha256', text, 'hex');

/** The same where there is no Node. */
export function portableSha256(text: string): string {
  return bytesToHex(digest(utf8ToBytes(text)));
}
