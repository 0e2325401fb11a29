/**
 * SHA-256 in plain JavaScript, for the kernel has no `node:crypto` and WebCrypto answers only later. About 2 us for
 * 500 bytes. For identifying content; secrets are platform/crypto's.
 * Source: FIPS 180-4.
 */

const constants = new Int32Array(64);
const initial = new Int32Array(8);
fillConstants();

const schedule = new Int32Array(64);
const state = new Int32Array(8);
const encoder = new TextEncoder();
let buffer = new Uint8Array(16 * 1024);

/** The SHA-256 of a text in UTF-8, as 64 hex digits. */
export function sha256(text: string): string {
  const needed = text.length * 3 + 72;
  if (buffer.length < needed) buffer = new Uint8Array(needed);
  const bytes = buffer;
  const length = encoder.encodeInto(text, bytes).written;
  const padded = (((length + 8) >> 6) + 1) << 6;
  bytes.fill(0, length, padded);
  bytes[length] = 0x80;
  const bits = length * 8;
  for (let i = 0; i < 4; i += 1) {
    bytes[padded - 1 - i] = bits >>> (8 * i);
    bytes[padded - 5 - i] = Math.floor(bits / 0x1_0000_0000) >>> (8 * i);
  }
  state.set(initial);
  for (let at = 0; at < padded; at += 64) compress(bytes, at);
  // What a runaway text needed is not kept.
  if (buffer.length > 1024 * 1024) buffer = new Uint8Array(16 * 1024);
  let hex = '';
  for (let i = 0; i < 8; i += 1) hex += ((state[i] as number) >>> 0).toString(16).padStart(8, '0');
  return hex;
}

function compress(bytes: Uint8Array, at: number): void {
  const w = schedule;
  for (let i = 0, j = at; i < 16; i += 1, j += 4) {
    w[i] =
      ((bytes[j] as number) << 24) |
      ((bytes[j + 1] as number) << 16) |
      ((bytes[j + 2] as number) << 8) |
      (bytes[j + 3] as number);
  }
  for (let i = 16; i < 64; i += 1) {
    const x = w[i - 15] as number;
    const y = w[i - 2] as number;
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[i] = (w[i - 16] as number) + s0 + (w[i - 7] as number) + s1;
  }
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  let e = state[4] as number;
  let f = state[5] as number;
  let g = state[6] as number;
  let h = state[7] as number;
  for (let i = 0; i < 64; i += 1) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (constants[i] as number) + (w[i] as number)) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] = (state[0] as number) + a;
  state[1] = (state[1] as number) + b;
  state[2] = (state[2] as number) + c;
  state[3] = (state[3] as number) + d;
  state[4] = (state[4] as number) + e;
  state[5] = (state[5] as number) + f;
  state[6] = (state[6] as number) + g;
  state[7] = (state[7] as number) + h;
}

/** Fractional parts of the roots of the first primes: cube roots for the rounds, square roots to begin with. */
function fillConstants(): void {
  let count = 0;
  for (let n = 2; count < 64; n += 1) {
    let prime = true;
    for (let d = 2; d * d <= n; d += 1) if (n % d === 0) prime = false;
    if (!prime) continue;
    constants[count] = (Math.cbrt(n) % 1) * 0x1_0000_0000;
    if (count < 8) initial[count] = (Math.sqrt(n) % 1) * 0x1_0000_0000;
    count += 1;
  }
}
