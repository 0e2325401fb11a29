import { sha256 as digest } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * The SHA-256 of a text in UTF-8, as 64 hex digits. For naming content, in server and browser alike and without waiting
 * (WebCrypto answers only later); secrets are platform/crypto's.
 */
export function sha256(text: string): string {
  return bytesToHex(digest(utf8ToBytes(text)));
}
