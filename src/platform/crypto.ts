import {
  argon2,
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { promisify } from 'node:util';
import { AppError } from '#kernel/errors.ts';
import { trimEndOf } from '#kernel/text/trim-text.ts';

/** Something sealed could not be opened: another key, another place, or it was tampered with. */
export class SealError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'SealError';
  }
}

/** Where a sealed value lives. Part of what is authenticated, so that swapping two rows' secrets is noticed. */
export interface SealPlace {
  /** With its schema: `connections.connections`. */
  table: string;
  row: string;
  column: string;
}

/** Seals secrets at rest: AES-256-GCM, `v1.<key name>.<base64url of iv, tag, ciphertext>`. */
export interface Keyring {
  seal(secret: string, place: SealPlace): string;
  /** *Errors*: SealError. */
  open(sealed: string, place: SealPlace): string;
  /** False when an older key sealed it: `scripts/rotate-keys.ts` then seals it again. */
  isCurrent(sealed: string): boolean;
  /**
   * A secret of this install for one purpose (32 bytes), the same in every process; another one once the key is, unless
   * a key is named. *Errors*: SealError for one that is not there.
   */
  derive(purpose: string, keyName?: string): Buffer;
  readonly currentKeyName: string;
}

const ivBytes = 12;
const tagBytes = 16;

/**
 * A keyring from `name:base64,...`; the first key seals, all of them open.
 * *Errors*: SealError for a list without keys or a key that is not 32 bytes.
 */
export function createKeyring(keys: string): Keyring {
  const ring = new Map<string, Buffer>();
  for (const entry of keys.split(',').map((one) => one.trim())) {
    if (entry === '') continue;
    const colon = entry.indexOf(':');
    const name = entry.slice(0, colon);
    const key = Buffer.from(entry.slice(colon + 1), 'base64');
    if (colon < 1 || !/^[A-Za-z0-9_-]+$/.test(name)) throw new SealError('a key has no usable name');
    if (key.length !== 32) throw new SealError(`key ${name} is not 32 bytes long`);
    if (ring.has(name)) throw new SealError(`key ${name} is there twice`);
    ring.set(name, key);
  }
  const [current] = ring;
  if (current === undefined) throw new SealError('there is no key');
  const [currentKeyName, currentKey] = current;
  return {
    currentKeyName,
    seal(secret, place) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', currentKey, iv, { authTagLength: tagBytes });
      cipher.setAAD(authenticated(place));
      const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return `v1.${currentKeyName}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    open(sealed, place) {
      const [version, name = '', encoded = '', ...rest] = sealed.split('.');
      if (version !== 'v1' || rest.length > 0) throw new SealError('not a sealed value');
      const key = ring.get(name);
      if (!key) throw new SealError(`sealed with the key ${name}, which is not in the keyring`);
      const bytes = Buffer.from(encoded, 'base64url');
      if (bytes.length < ivBytes + tagBytes) throw new SealError('a sealed value is cut off');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
      decipher.setAAD(authenticated(place));
      decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      try {
        const body = decipher.update(bytes.subarray(ivBytes + tagBytes));
        return Buffer.concat([body, decipher.final()]).toString('utf8');
      } catch (cause) {
        throw new SealError(`a sealed value in ${place.table}.${place.column} does not belong there`, { cause });
      }
    },
    derive(purpose, keyName = currentKeyName) {
      const key = ring.get(keyName);
      if (!key) throw new SealError(`the key ${keyName} is not in the keyring`);
      return createHmac('sha256', key).update(`holdfast ${purpose}`).digest();
    },
    isCurrent: (sealed) => sealed.startsWith(`v1.${currentKeyName}.`),
  };
}

function authenticated({ table, row, column }: SealPlace): Buffer {
  return Buffer.from(`${table}:${row}:${column}`, 'utf8');
}

/** Passwords longer than this are refused before any hashing. */
export const passwordMaxBytes = 4096;

/** OWASP's first choice for argon2id (2024): 19 MiB, two passes, one lane; 20-40 ms here. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const saltBytes = 16;
const hashBytes = 32;

// Hashing runs on libuv's four threads, which file and name look-ups also need; and each run takes 19 MiB.
const atOnce = 2;
const waitingMost = 64;

/**
 * The owner of the hashed password. `known`: a person with a session, a mailed code, or a browser or network that
 * signed in before. Known callers go first, so that no number of strangers keeps them out.
 */
type HashCaller = 'known' | 'stranger';

const derive = promisify(argon2);
let running = 0;
const waiting: Record<HashCaller, (() => void)[]> = { known: [], stranger: [] };

async function hashWith(password: string, salt: Buffer, caller: HashCaller): Promise<Buffer> {
  const message = Buffer.from(password, 'utf8');
  if (message.length > passwordMaxBytes)
    throw new AppError('invalid', 'INVALID_INPUT', 'The password is too long. Choose a shorter one.');
  if (running >= atOnce) {
    if (waiting[caller].length >= waitingMost) {
      throw new AppError('unavailable', 'UNAVAILABLE', 'Too many people are signing in. Try again in a moment.', {
        retryAfterMs: 2000,
      });
    }
    // The one that ends hands its place over, so `running` stays as it is.
    await new Promise<void>((resolve) => waiting[caller].push(resolve));
  } else {
    running += 1;
  }
  try {
    return await derive('argon2id', { message, nonce: salt, tagLength: hashBytes, ...cost });
  } finally {
    const next = waiting.known.shift() ?? waiting.stranger.shift();
    if (next) next();
    else running -= 1;
  }
}

/**
 * argon2id in the usual text form (`$argon2id$v=19$m=...`). The password counts byte for byte, as it was typed.
 * *Errors*: AppError invalid (over 4,096 bytes), unavailable (more than 64 of these callers waiting).
 */
export async function hashPassword(password: string, caller: HashCaller = 'stranger'): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await hashWith(password, salt, caller);
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(salt)}$${base64(hash)}`;
}

const dummySalt = randomBytes(saltBytes);

/**
 * Whether this is the password. For an account that does not exist pass null: the same work is done, the answer is no.
 * *Errors*: as `hashPassword`.
 */
export async function verifyPassword(
  password: string,
  stored: string | null,
  caller: HashCaller = 'stranger',
): Promise<boolean> {
  const [, algorithm, version, parameters, salt, hash] = stored?.split('$') ?? [];
  const known = `m=${cost.memory},t=${cost.passes},p=${cost.parallelism}`;
  if (stored !== null && (algorithm !== 'argon2id' || version !== 'v=19' || parameters !== known)) {
    throw new Error('a stored password hash has parameters that this version does not know');
  }
  const made = await hashWith(password, salt === undefined ? dummySalt : Buffer.from(salt, 'base64'), caller);
  return timingSafeEqual(made, hash === undefined ? randomBytes(hashBytes) : Buffer.from(hash, 'base64'));
}

function base64(bytes: Buffer): string {
  return trimEndOf(bytes.toString('base64'), '=');
}

/** An unguessable token (256 bits, base64url). Store only `hashToken` of it. */
export function mintToken(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256: enough for a token that is random itself. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}

/** Compares two secrets in a time that tells nothing about either, lengths included. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(hashToken(one), hashToken(other));
}
