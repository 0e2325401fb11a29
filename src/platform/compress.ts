import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Sliced } from '#kernel/work-budget.ts';
import { isA } from './compile-schema.ts';

export type Encoding = 'zstd' | 'br' | 'gzip';

const [asZstd, asBrotli, asGzip] = [promisify(zstdCompress), promisify(brotliCompress), promisify(gzip)];

/** Pages are kept small for slow lines: a millisecond or two of Brotli at 5; 11 takes fifty and saves a tenth. */
const ofPages = { br: 5, gzip: 6 };
/** A month of a full calendar is megabytes, and waited for: its 4 MB take 4, 12 and 10 ms so, off the main thread. */
const ofAnswers = { zstd: 1, br: 3, gzip: 3 };
/**
 * A shorter answer goes as it is: what holds a secret (a key that is shown once, a code) is short, and the length of something
 * compressed would tell of it beside what somebody else had written (BREACH).
 */
const answerChars = 16_384;

/** Sends a page, compressed if the browser accepts that. */
export async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): Promise<FastifyReply> {
  void reply.header('vary', 'Accept-Encoding, Accept-Language, Cookie');
  const encoding = acceptedEncoding(request, ['br', 'gzip']);
  return reply.send(encoding === undefined ? text : await compressed(reply, encoding, text, ofPages[encoding]));
}

/** Sends the JSON answer of a call; a long one is compressed if the client accepts that. */
export async function sendAnswer(request: FastifyRequest, reply: FastifyReply, text: string): Promise<FastifyReply> {
  void reply.type('application/json; charset=utf-8');
  if (text.length < answerChars) return reply.send(text);
  const varies = reply.getHeader('vary');
  void reply.header('vary', varies === undefined ? 'Accept-Encoding' : `${String(varies)}, Accept-Encoding`);
  const encoding = acceptedEncoding(request, ['zstd', 'br', 'gzip']);
  return reply.send(encoding === undefined ? text : await compressed(reply, encoding, text, ofAnswers[encoding]));
}

/** A public text that stays as it is for as long as the process runs. */
export interface KeptText {
  etag: string;
  bytes: Buffer;
  encoded: Partial<Record<'br' | 'gzip', Promise<Buffer>>>;
}

export function keepText(text: string): KeptText {
  const bytes = Buffer.from(text);
  // weak: one tag for all encodings
  return { etag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`, bytes, encoded: {} };
}

/** Sends such a text, compressed once for all requests, or 304 to a client that has it. Source: RFC 9110 13.1.2. */
export async function sendKept(request: FastifyRequest, reply: FastifyReply, kept: KeptText): Promise<FastifyReply> {
  void reply.headers({ 'cache-control': 'no-cache', etag: kept.etag, vary: 'Accept-Encoding' });
  const known = String(request.headers['if-none-match'] ?? '').split(',', 20);
  if (known.some((tag) => tag.trim() === kept.etag)) return reply.code(304).send();
  const encoding = acceptedEncoding(request, ['br', 'gzip']);
  if (encoding === undefined) return reply.send(kept.bytes);
  kept.encoded[encoding] ??= encode(encoding, kept.bytes, ofPages[encoding]);
  return reply.header('content-encoding', encoding).send(await kept.encoded[encoding]);
}

/** The first of these encodings that a request takes. Source: RFC 9110 12.5.3. */
export function acceptedEncoding<One extends Encoding>(request: FastifyRequest, ours: readonly One[]): One | undefined {
  const accepted = new Set(
    String(request.headers['accept-encoding'] ?? '')
      .split(',')
      .filter((entry) => !/;\s*q=0(?:\.0*)?\s*$/.test(entry))
      .map((entry) => entry.split(';', 1)[0]?.trim().toLowerCase()),
  );
  return ours.find((one) => accepted.has(one));
}

function compressed(reply: FastifyReply, encoding: Encoding, text: string, level: number): Promise<Buffer> {
  void reply.header('content-encoding', encoding);
  return encode(encoding, Buffer.from(text), level);
}

async function encode(encoding: Encoding, bytes: Buffer, level: number): Promise<Buffer> {
  switch (encoding) {
    case 'zstd':
      return asZstd(bytes, { params: { [constants.ZSTD_c_compressionLevel]: level } });
    case 'br':
      return asBrotli(bytes, {
        params: { [constants.BROTLI_PARAM_QUALITY]: level, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
      });
    case 'gzip':
      return asGzip(bytes, { level });
  }
}

/** Objects of a list, with the members of lists in them, that are written between two pauses: some 2 ms for events. */
const pieceObjects = 200;

/** Whether an answer is written in pieces: one of its lists is longer than that. */
export function hasLongList(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((one) => Array.isArray(one) && isLong(one));
}

/** Lists of numbers and texts are written at once, however long they are. */
const isLong = (list: readonly unknown[]) =>
  typeof list[0] === 'object' && countMembers(list, pieceObjects) > pieceObjects;

/** Members of all lists in a value; the count ends once it is over `most`. */
function countMembers(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = Array.isArray(value) ? value.length : 0;
  for (const one of Array.isArray(value) ? value : Object.values(value)) {
    if (count > most) break;
    count += countMembers(one, most - count);
  }
  return count;
}

/**
 * The text of `JSON.stringify(say(z.encode(schema, value)))` with pauses: each of the three takes 30 ms for 10,000 events.
 */
export function* answerText(
  schema: z.core.$ZodType,
  value: unknown,
  say: (answer: unknown) => unknown,
): Sliced<string> {
  if (isA(schema, 'array') && Array.isArray(value)) return yield* listText(schema, value, say);
  if (!isA(schema, 'object') || !hasLongList(value)) return JSON.stringify(say(z.encode(schema, value)));
  const { shape } = schema._zod.def;
  const all = value as Record<string, unknown>;
  // a list that must have members is written with the rest, which is checked without the other lists
  const lists = Object.entries(shape)
    .filter(([key, member]) => Array.isArray(all[key]) && isLong(all[key]) && z.safeEncode(member, []).success)
    .map(([key]) => key);
  const empty = Object.fromEntries(lists.map((key) => [key, []]));
  const rest = say(z.encode(schema, { ...all, ...empty })) as Record<string, unknown>;
  const texts: string[] = [];
  for (const [key, one] of Object.entries(rest)) {
    const member = shape[key];
    const isWritten = lists.includes(key) && member !== undefined;
    const text = isWritten ? yield* answerText(member, all[key], say) : JSON.stringify(one);
    if (text !== undefined) texts.push(`${JSON.stringify(key)}:${text}`);
  }
  return `{${texts.join(',')}}`;
}

function* listText(
  schema: z.core.$ZodArray,
  list: readonly unknown[],
  say: (answer: unknown) => unknown,
): Sliced<string> {
  const { element } = schema._zod.def;
  const texts: string[] = [];
  let piece: unknown[] = [];
  let objects = 0;
  const write = () => {
    if (piece.length > 0) texts.push(JSON.stringify(say(z.encode(schema, piece))).slice(1, -1));
    piece = [];
    objects = 0;
  };
  for (const one of list) {
    if (hasLongList(one)) {
      write();
      texts.push(yield* answerText(element, one, say));
      continue;
    }
    piece.push(one);
    objects += 1 + countMembers(one, pieceObjects);
    if (objects >= pieceObjects) {
      write();
      yield;
    }
  }
  write();
  return `[${texts.join(',')}]`;
}
