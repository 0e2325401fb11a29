import * as z from 'zod/mini';
import type { Id } from '#kernel/ids.ts';

/**
 * Types that cross the wire besides plain JSON. Each is a codec between wire form and value. Instants outside 1970-2100
 * are refused here for every call.
 */

const EARLIEST_MS = 0;
const LATEST_MS = 4_133_980_800_000; // 2101-01-01T00:00:00Z

// Temporal is looked up at call time: a browser without it loads the polyfill after this module was evaluated.
const isInstant = { error: 'Expected a time such as 2027-03-08T09:00:00Z' };
const isoInstant = z.iso
  .datetime({ offset: true, ...isInstant })
  // Temporal reads nine digits of a second
  .check(z.refine((text) => !/\.\d{10}/.test(text), isInstant));
const isoDate = z.iso.date({ error: 'Expected a date such as 2027-03-08' });
const inRange = z.refine<number>((ms) => ms >= EARLIEST_MS && ms < LATEST_MS, {
  error: 'Only times from 1970 to 2100 are accepted',
});

/** ISO 8601 with offset <-> Temporal.Instant (written in UTC, all its digits kept). */
export const instant = z.codec(
  isoInstant,
  z
    .custom<Temporal.Instant>((value) => value instanceof Temporal.Instant)
    .check(
      z.refine(
        (value: Temporal.Instant) => value.epochMilliseconds >= EARLIEST_MS && value.epochMilliseconds < LATEST_MS,
        {
          error: 'Only times from 1970 to 2100 are accepted',
        },
      ),
    ),
  { decode: (text) => Temporal.Instant.from(text), encode: (value) => value.toString() },
);

/** ISO 8601 with offset <-> epoch milliseconds, for lists where an object per time would cost too much. */
export const instantMs = z.codec(isoInstant, z.number().check(inRange), {
  decode: (text) => Temporal.Instant.from(text).epochMilliseconds,
  encode: (ms) => Temporal.Instant.fromEpochMilliseconds(ms).toString(),
});

/** Epoch milliseconds as they are: the wire form where bytes matter. */
export const epochMs = z.int().check(inRange);

const lastMinute = 68_899_680; // 2100-12-31

/** Minutes since 1970 in UTC: how public calls say when. */
export const epochMinutes = z.int().check(z.gte(0), z.lte(lastMinute));

/** `YYYY-MM-DD` <-> Temporal.PlainDate. */
export const plainDate = z.codec(
  isoDate,
  z.custom<Temporal.PlainDate>((value) => value instanceof Temporal.PlainDate),
  { decode: (text) => Temporal.PlainDate.from(text), encode: (value) => value.toString() },
);

/** An IANA zone name that this machine knows; fixed offsets (`+02:00`) are not zones of a person. */
export const zone = z
  .string()
  .check(z.maxLength(64), z.refine(isZone, { error: 'Expected a time zone such as Europe/Berlin' }));

/** Asking Intl takes 36 us. Bounded: a name can be spelt in capitals and without in very many ways. */
const zonesSeen = new Set<string>();
const mostZones = 1_000;

function isZone(name: string): boolean {
  if (zonesSeen.has(name)) return true;
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]*$/.test(name)) return false;
  try {
    if (new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone === '') return false;
    if (zonesSeen.size < mostZones) zonesSeen.add(name);
    return true;
  } catch {
    return false; // RangeError is how Intl says "unknown"
  }
}

/** Every id of ours is a UUID. In lower case once read: ids are compared as texts. */
export const uuid = z.uuid({ error: 'Expected an id' }).check(z.toLowerCase());

/** A branded id. */
export function id<Name extends string>() {
  return uuid as unknown as z.ZodMiniType<Id<Name>, string>;
}

/** A count, version or revision: a whole number from `min` on that fits PostgreSQL's `integer`. */
export const counter = (min = 0) => z.int().check(z.gte(min), z.lte(2_147_483_647));

const wellFormed = z.refine<string>((text) => text.isWellFormed(), { error: 'Contains half of a character' });

/**
 * One line of text as people type it, or a part of a path: no control characters (CR, LF and NUL included), at most
 * `max` UTF-16 units. *Shape*: as given; a use-case that stores it normalises it.
 */
export function line(max: number) {
  return z.string().check(...lineChecks(max));
}

/** Without line breaks and control characters. */
export function isOneLine(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  return !/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text);
}

/** Like `line`, without the spaces around it. */
export function trimmedLine(max: number) {
  return z.string().check(z.trim(), ...lineChecks(max));
}

const lineChecks = (max: number) =>
  [
    z.maxLength(max, { error: `At most ${max} characters` }),
    wellFormed,
    z.refine<string>(isOneLine, { error: 'Line breaks and control characters are not accepted' }),
  ] as const;

/** Text of several lines: like `line`, but with tab, CR and LF. PostgreSQL cannot store NUL, nor do people type it. */
export function text(max: number) {
  return z.string().check(
    z.maxLength(max, { error: `At most ${max} characters` }),
    wellFormed,
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
    z.refine<string>((value) => !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(value), {
      error: 'Control characters are not accepted',
    }),
  );
}

/** In a query: a whole number between two bounds <-> its digits. */
export function queryInt(min: number, max: number) {
  return z.codec(
    z.string().check(z.regex(/^-?\d{1,15}$/, { error: 'Expected a whole number' })),
    z.int().check(z.gte(min), z.lte(max)),
    { decode: (digits) => Number(digits), encode: (value) => String(value) },
  );
}

/** In a query: minutes since 1970 in UTC. */
export const queryMinutes = queryInt(0, lastMinute);

/** In a query: `a,b,c` <-> list of at most `max` values; the empty text is the empty list. */
export function queryList<Item extends z.ZodMiniType<unknown, string>>(item: Item, max: number) {
  return z.codec(z.string().check(z.maxLength(max * 64)), z.array(item).check(z.maxLength(max)), {
    decode: (joined) => (joined === '' ? [] : joined.split(',')) as z.input<Item>[],
    encode: (values) => (values as string[]).join(','),
  });
}

/** The body of an endpoint that `takesFile`. */
export const fileBytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

/** The answer of an endpoint that `sendsFile`: streamed from its store, never held as a whole. */
export interface FileAnswer {
  /** As it is called where it is kept. */
  name: string;
  /** Null where it is known only when it has been sent. */
  sizeBytes: number | null;
  chunks: AsyncIterable<Uint8Array>;
}

export const fileAnswer = z.custom<FileAnswer>();
