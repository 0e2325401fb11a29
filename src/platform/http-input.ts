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
const missing = part('A value is needed here');
const ofAnotherKind = part('Expected another kind of value');

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

const notKnown = part('Not known here');
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * JSON of a request body. `__proto__` is refused: as an own key it would become a prototype where somebody spreads it. So
 * is a key that is there twice, of which another reader on the way may have seen the other value (RFC 7493, 2.3).
 * *Errors*: AppError invalid.
 */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    const text = utf8.decode(bytes);
    let kept = -1; // the value as a whole is visited too
    const value: unknown = JSON.parse(text, function visit(this: unknown, key: string, one: unknown) {
      if (key === '__proto__') throw new SyntaxError('a key named __proto__');
      if (!Array.isArray(this)) kept += 1;
      return one;
    });
    if (countKeys(text) !== kept) throw new SyntaxError('a key that is there twice');
    return value;
  } catch (cause) {
    throw new AppError('invalid', 'INVALID_INPUT', 'The body is not JSON in UTF-8.', { cause });
  }
}

/** Of valid JSON: a text with a colon behind it is a key. */
function countKeys(json: string): number {
  let keys = 0;
  for (const [, colon] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g)) if (colon !== undefined) keys += 1;
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
