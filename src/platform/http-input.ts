import * as z from 'zod/mini';
import type { Endpoint } from '#kernel/contract.ts';
import { AppError, part } from '#kernel/errors.ts';
import type { Language } from '#kernel/languages.ts';

const { en, de, fr, es, ja } = z.locales;
const kinds: Readonly<Record<string, string>> = {
  string: part('Expected a text'),
  number: part('Expected a number'),
  int: part('Expected a whole number'),
  boolean: part('Expected true or false'),
  array: part('Expected a list'),
  object: part('Expected an object'),
  record: part('Expected an object'),
};
const missing = part('A value is required');
const ofAnotherKind = part('Expected a different type of value');

/** A missing value and one of a wrong type in our words, which are translated at the edge; the rest in those of zod. */
const inWords =
  (rest: z.core.$ZodErrorMap): z.core.$ZodErrorMap =>
  (issue) => {
    if (issue.code !== 'invalid_type' && issue.code !== 'invalid_union') return rest(issue);
    if (issue.input === undefined) return missing;
    return (issue.code === 'invalid_type' ? kinds[issue.expected] : undefined) ?? ofAnotherKind;
  };

/** zod/mini says only "Invalid input" until it is given words. */
const sayings: Record<Language, z.core.$ZodErrorMap> = {
  en: inWords(en().localeError),
  de: inWords(de().localeError),
  fr: inWords(fr().localeError),
  es: inWords(es().localeError),
  ja: inWords(ja().localeError),
};
z.config(en());

const notKnown = part('Unknown field');
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * A body has one value for so many bytes of its limit: 20,000 in 256 KiB. Each value costs a check, and many wrong ones a
 * message each. The largest valid input, a year of overrides with twelve intervals each, has 14,500.
 */
const bytesPerValue = 13;

export const mostValuesIn = (bodyLimit: number): number => Math.floor(bodyLimit / bytesPerValue);

const mostLevels = 64;

/**
 * JSON of a request body, at about the cost of `JSON.parse`. Refused before any parsing: a body with too many values or
 * levels. Refused after it: `__proto__`, which would become a prototype where somebody spreads its object, and a
 * repeated key, of which another reader on the way may have seen the other value (RFC 7493, 2.3).
 * *Errors*: AppError invalid, too-large.
 */
export function parseJson(bytes: Uint8Array, most: number): unknown {
  try {
    const text = utf8.decode(bytes);
    const keys = surveyJson(text, most);
    const value: unknown = JSON.parse(text);
    if (countKeys(value) !== keys) throw new SyntaxError('a repeated key');
    return value;
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('invalid', 'INVALID_INPUT', 'The body is not JSON in UTF-8.', { cause });
  }
}

/** The number of keys in valid JSON: of the colons outside of strings. *Errors*: AppError too-large, SyntaxError. */
function surveyJson(json: string, most: number): number {
  let keys = 0;
  let elements = 1;
  let level = 0;
  for (let at = 0; at < json.length; at += 1) {
    switch (json.charCodeAt(at)) {
      case 0x22: // "
        at = endOfString(json, at);
        break;
      case 0x3a: // :
        keys += 1;
        break;
      case 0x2c: // ,
        elements += 1;
        break;
      case 0x5b: // [
      case 0x7b: // {
        elements += 1;
        level += 1;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        level -= 1;
        break;
    }
    if (elements > most) throw new AppError('too-large', 'TOO_LARGE', 'The request is too large.');
    if (level > mostLevels) throw new SyntaxError('too many levels');
  }
  return keys;
}

/** Position of the closing quote; `indexOf` skips a long string faster than a loop. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}

/** Keys of all objects in a value. The survey has bounded its depth. */
function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let keys = 0;
  if (Array.isArray(value)) {
    for (const one of value) keys += countKeys(one);
    return keys;
  }
  for (const [key, one] of Object.entries(value)) {
    if (key === '__proto__') throw new SyntaxError('a key named __proto__');
    keys += 1 + countKeys(one);
  }
  return keys;
}

/** Only `application/json`, with no charset or UTF-8: `text/plain` is how other sites' forms send JSON. */
export function isJsonType(contentType: string): boolean {
  return /^application\/json(\s*;\s*charset="?utf-8"?)?\s*$/i.test(contentType);
}

export interface RawInput {
  params: unknown;
  query: unknown;
  body: unknown;
}

/**
 * The parts of a request as the endpoint declares them; parts it does not have must be empty.
 * *Errors*: AppError invalid, with a message per field.
 */
export function decodeInput(endpoint: Endpoint, raw: RawInput, language = 'en') {
  const error = sayings[language as Language] ?? sayings.en;
  // Without a prototype: a key may be called `constructor`.
  const fields: Record<string, string> = Object.create(null);
  const input = {
    params: decodePart(endpoint.params, raw.params, { fields, error }),
    query: decodePart(endpoint.query, raw.query, { fields, error }),
    body: decodePart(endpoint.body, raw.body, { fields, error }),
  };
  const wrong = Object.entries(fields);
  if (wrong.length === 0) return input;
  const [name, message] = wrong[0] ?? ['', ''];
  throw new AppError('invalid', 'INVALID_INPUT', name === '' ? message : `${name}: ${message}`, { fields });
}

interface Decoding {
  fields: Record<string, string>;
  error: z.core.$ZodErrorMap;
}

function decodePart(schema: z.ZodMiniType | undefined, value: unknown, { fields, error }: Decoding): unknown {
  if (!schema) {
    for (const key of isRecord(value) ? Object.keys(value) : []) fields[key] = notKnown;
    if (!isRecord(value) && value !== undefined && value !== null) fields[''] = part('A body is not accepted here');
    return undefined;
  }
  const decoded = z.safeDecode(schema, (value ?? undefined) as never, { error });
  if (decoded.success) return decoded.data;
  for (const issue of decoded.error.issues.slice(0, 50)) {
    const path = issue.path.map(String);
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys.slice(0, 50)) fields[[...path, key].join('.')] ??= notKnown;
    } else {
      fields[path.join('.')] ??= issue.message;
    }
  }
  return undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
