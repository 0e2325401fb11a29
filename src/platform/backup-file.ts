import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, scryptSync } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import * as z from 'zod/mini';
import { type Keyring, SealError } from './crypto.ts';

/**
 * A backup is one file: a line of JSON that says what it is, then frames of AES-256-GCM of a zstd stream of parts. Nobody reads
 * it without the key of the install (or the passphrase it was made with), and it cannot be shortened, reordered or changed
 * without being noticed. A part is a line of JSON, its bytes in chunks behind their length, and what they add up to.
 */

/** An unusable file. The message is for the operator, and says what to do. */
export class BackupError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'BackupError';
  }
}

/** A full disk, in words that name it; any other error as it is. */
export function explainFullDisk(error: unknown, place: string, outcome: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error;
  return new BackupError(`The disk of ${place} is full. ${outcome}`, { cause: error });
}

/** The seal of the file: the install's own key, or a passphrase that also protects the keys in the file. */
export type BackupSeal = { keyring: Keyring } | { passphrase: string };

const headerSchema = z.strictObject({
  format: z.literal('holdfast-backup'),
  version: z.literal(1),
  takenAt: z.iso.datetime(),
  /** Migrations that had run, in order. */
  migrations: z.array(z.string().check(z.maxLength(100))).check(z.maxLength(10_000)),
  /** Absent: a passphrase. */
  key: z.optional(z.string().check(z.maxLength(40))),
  salt: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
});
export type BackupHeader = z.output<typeof headerSchema>;

const partSchema = z.union([
  z.strictObject({ table: z.string(), columns: z.array(z.string()) }),
  z.strictObject({ file: z.string() }),
  z.strictObject({ sequence: z.string(), next: z.string() }),
  z.strictObject({ end: z.int() }),
]);
export type PartHead = z.output<typeof partSchema>;

const sumSchema = z.strictObject({ bytes: z.int(), rows: z.int(), sha256: z.string() });
type Sum = z.output<typeof sumSchema>;

export interface Part {
  head: PartHead;
  body: AsyncIterable<Uint8Array>;
}

export interface BackupSummary {
  header: BackupHeader;
  tables: number;
  rows: number;
  files: string[];
  /** Size of the file. */
  bytes: number;
}

const frameBytes = 65_536;
const tagBytes = 16;
const longestLine = 1_048_576;

function keyOf(header: BackupHeader, seal: BackupSeal): Buffer {
  const salt = Buffer.from(header.salt, 'hex');
  if ('passphrase' in seal) {
    if (header.key !== undefined)
      throw new BackupError(`This backup was encrypted with the key ${header.key}, not with a passphrase.`);
    return scryptSync(seal.passphrase, salt, 32, { N: 131_072, r: 8, p: 1, maxmem: 256 * 1_048_576 });
  }
  if (header.key === undefined) throw new BackupError('This backup has a passphrase: set BACKUP_PASSPHRASE.');
  try {
    return Buffer.from(hkdfSync('sha256', seal.keyring.derive('backup', header.key), salt, 'holdfast backup', 32));
  } catch (cause) {
    if (!(cause instanceof SealError)) throw cause;
    throw new BackupError(
      `This backup was encrypted with the key ${header.key}, which is missing here. Add it to ENCRYPTION_KEYS or DATA_DIR/encryption-keys.`,
      { cause },
    );
  }
}

/**
 * The nonce is a counter, because a key seals only one file. The authenticated data binds each frame to its file and
 * marks the last one.
 */
function frame(line: string, at: number, isLast: boolean): { nonce: Buffer; aad: Buffer } {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(at), 4);
  const aad = Buffer.concat([createHash('sha256').update(line).digest(), Buffer.from([isLast ? 1 : 0])]);
  return { nonce, aad };
}

/**
 * Writes a backup beside its name and gives it the name once it is whole and has been read back.
 * *Errors*: whatever `parts` throws, or the disk; nothing is left behind then.
 */
export async function writeBackup(
  path: string,
  about: { takenAt: string; migrations: string[] },
  seal: BackupSeal,
  parts: AsyncIterable<Part>,
  openTarget: (draft: string) => Writable = (draft) => createWriteStream(draft, { flags: 'wx', mode: 0o600 }),
): Promise<BackupSummary> {
  const header: BackupHeader = {
    format: 'holdfast-backup',
    version: 1,
    ...about,
    ...('keyring' in seal ? { key: seal.keyring.currentKeyName } : {}),
    salt: randomBytes(32).toString('hex'),
  };
  const draft = `${path}.part`;
  try {
    const line = JSON.stringify(header);
    const key = keyOf(header, seal);
    await pipeline(
      Readable.from(encode(parts), { objectMode: false }),
      createZstdCompress(),
      (plain: AsyncIterable<Buffer>) => sealFrames(plain, line, key),
      openTarget(draft),
    );
    const file = await open(draft, 'r');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    const summary = await verifyBackup(draft, seal);
    await rename(draft, path);
    return summary;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new BackupError(`${draft} already exists. Wait for the other backup, or delete the file.`);
    await rm(draft, { force: true });
    throw error;
  }
}

/** Reads all of a file and adds it up; nothing of it is kept. *Errors*: BackupError. */
export async function verifyBackup(path: string, seal: BackupSeal): Promise<BackupSummary> {
  return readBackup(path, seal, async (_head, body) => {
    for await (const _ of body);
  });
}

/**
 * Hands over each part, whose body has to be read. Only once this returns it is known that the file was whole.
 * *Errors*: BackupError, and whatever `take` throws.
 */
export async function readBackup(
  path: string,
  seal: BackupSeal,
  take: (head: PartHead, body: AsyncIterable<Buffer>) => Promise<void>,
): Promise<BackupSummary> {
  const stream = createReadStream(path, { highWaterMark: 262_144 });
  const raw = new Bytes(stream);
  try {
    const line = await raw.line();
    const header = readHeader(line);
    const key = keyOf(header, seal);
    const plain = Readable.from(openFrames(raw, line, key), { objectMode: false });
    const zstd = createZstdDecompress();
    const summary = { header, tables: 0, rows: 0, files: [] as string[], bytes: 0 };
    let parts = 0;
    let isWhole = false;
    await pipeline(plain, zstd, async (source: AsyncIterable<Buffer>) => {
      const bytes = new Bytes(source);
      for (;;) {
        const head = partSchema.parse(JSON.parse(await bytes.line()));
        if ('end' in head) {
          isWhole = head.end === parts && (await bytes.isAtEnd());
          return;
        }
        const measured = measure(chunks(bytes));
        await take(head, measured.body);
        const sum = sumSchema.parse(JSON.parse(await bytes.line()));
        const found = measured.sum();
        if (found.bytes !== sum.bytes || found.sha256 !== sum.sha256) throw damaged();
        if ('table' in head) {
          if (found.rows !== sum.rows) throw damaged();
          summary.tables += 1;
          summary.rows += sum.rows;
        }
        if ('file' in head) summary.files.push(head.file);
        parts += 1;
      }
    });
    if (!isWhole) throw damaged();
    return { ...summary, bytes: raw.read };
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new BackupError(`${path} is not there.`);
    if (code === 'EACCES' || code === 'EISDIR') throw new BackupError(`${path} cannot be read (${code}).`);
    // errors of the parsers for bytes in another format
    if (name === 'SyntaxError' || name === '$ZodError' || code?.startsWith('ZSTD_') === true) throw damaged(error);
    throw error;
  } finally {
    stream.destroy();
  }
}

/** Reads the first line, which needs no key. *Errors*: BackupError. */
export async function readBackupHeader(path: string): Promise<BackupHeader> {
  const stream = createReadStream(path);
  try {
    return readHeader(await new Bytes(stream).line());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new BackupError(`${path} is not there.`);
    throw error;
  } finally {
    stream.destroy();
  }
}

function readHeader(line: string): BackupHeader {
  try {
    return headerSchema.parse(JSON.parse(line));
  } catch (cause) {
    throw new BackupError('This is no backup of Holdfast, or of a version that this one does not know.', { cause });
  }
}

const damaged = (cause?: unknown) =>
  new BackupError(
    'This backup is damaged or incomplete, or it has another key with the same name. Nothing was changed.',
    { cause },
  );

// --- parts --------------------------------------------------------------------------------------------------------

async function* encode(parts: AsyncIterable<Part>): AsyncGenerator<Buffer> {
  let count = 0;
  for await (const { head, body } of parts) {
    yield textLine(head);
    const measured = measure(body);
    for await (const chunk of measured.body) {
      yield lengthOf(chunk.byteLength);
      yield chunk;
    }
    yield lengthOf(0);
    yield textLine(measured.sum());
    count += 1;
  }
  yield textLine({ end: count } satisfies PartHead);
}

const textLine = (value: unknown) => Buffer.from(`${JSON.stringify(value)}\n`, 'utf8');

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes);
  return length;
}

async function* chunks(bytes: Bytes): AsyncGenerator<Buffer> {
  for (;;) {
    const length = (await bytes.exactly(4)).readUInt32BE();
    if (length === 0) return;
    if (length > 64 * longestLine) throw damaged();
    yield await bytes.exactly(length);
  }
}

/** COPY writes a row to a line, and no line break otherwise. */
function measure(source: AsyncIterable<Uint8Array>): { body: AsyncGenerator<Buffer>; sum(): Sum } {
  const hash = createHash('sha256');
  let [bytes, rows] = [0, 0];
  async function* body() {
    for await (const given of source) {
      const chunk = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
      if (chunk.length === 0) continue;
      bytes += chunk.length;
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) rows += 1;
      hash.update(chunk);
      yield chunk;
    }
  }
  return { body: body(), sum: () => ({ bytes, rows, sha256: hash.digest('hex') }) };
}

// --- frames -------------------------------------------------------------------------------------------------------

async function* sealFrames(plain: AsyncIterable<Buffer>, line: string, key: Buffer): AsyncGenerator<Buffer> {
  yield Buffer.from(`${line}\n`, 'utf8');
  let at = 0;
  const seal = (text: Buffer, isLast: boolean) => {
    const { nonce, aad } = frame(line, at, isLast);
    at += 1;
    const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAAD(aad);
    const body = Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
    return Buffer.concat([lengthOf(body.length), Buffer.from([isLast ? 1 : 0]), body]);
  };
  let waiting = Buffer.alloc(0);
  for await (const chunk of plain) {
    waiting = Buffer.concat([waiting, chunk]);
    for (; waiting.length > frameBytes; waiting = waiting.subarray(frameBytes))
      yield seal(waiting.subarray(0, frameBytes), false);
  }
  yield seal(waiting, true);
}

async function* openFrames(bytes: Bytes, line: string, key: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; ; at += 1) {
    const length = (await bytes.exactly(4)).readUInt32BE();
    const isLast = (await bytes.exactly(1))[0] === 1;
    if (length < tagBytes || length > frameBytes + tagBytes) throw damaged();
    const body = await bytes.exactly(length);
    const { nonce, aad } = frame(line, at, isLast);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAAD(aad);
    decipher.setAuthTag(body.subarray(length - tagBytes));
    const text = decipher.update(body.subarray(0, length - tagBytes));
    try {
      decipher.final();
    } catch (cause) {
      throw damaged(cause);
    }
    yield text;
    if (isLast) {
      if (!(await bytes.isAtEnd())) throw damaged();
      return;
    }
  }
}

/** A stream of bytes, read by length or by line. *Errors*: BackupError where it ends too soon. */
class Bytes {
  readonly #source: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);
  read = 0;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async #more(): Promise<boolean> {
    const { value, done } = await this.#source.next();
    if (done === true) return false;
    this.read += value.length;
    this.#held = this.#held.length === 0 ? value : Buffer.concat([this.#held, value]);
    return true;
  }

  #take(count: number): Buffer {
    const taken = this.#held.subarray(0, count);
    this.#held = this.#held.subarray(count);
    return taken;
  }

  async exactly(count: number): Promise<Buffer> {
    while (this.#held.length < count) if (!(await this.#more())) throw damaged();
    return this.#take(count);
  }

  async line(): Promise<string> {
    for (;;) {
      const end = this.#held.indexOf(10);
      if (end !== -1) return this.#take(end + 1).toString('utf8', 0, end);
      if (this.#held.length > longestLine || !(await this.#more())) throw damaged();
    }
  }

  async isAtEnd(): Promise<boolean> {
    while (this.#held.length === 0) if (!(await this.#more())) return true;
    return false;
  }
}
