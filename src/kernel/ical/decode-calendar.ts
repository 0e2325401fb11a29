import { icalLimits, pauseChars } from '#kernel/ical/content-lines.ts';
import { type Sliced, withoutPause } from '#kernel/work-budget.ts';

/**
 * The text of a calendar file: UTF-8, UTF-16 by its byte order mark or its NUL bytes. Folds inside a character are
 * undone. A line that is no UTF-8 is Windows-1252, in which old exporters write; the other lines stay as they are.
 * *Source*: RFC 5545 3.1 (folding counts octets), 3.1.4 (UTF-8 is the default), WHATWG Encoding.
 */
export function decodeCalendar(bytes: Uint8Array): string | { ok: false; reason: string } {
  return withoutPause(decodeInSlices(bytes));
}

/** The same, with pauses. */
export function* decodeInSlices(bytes: Uint8Array): Sliced<string | { ok: false; reason: string }> {
  if (bytes.length > icalLimits.chars) return { ok: false, reason: 'larger than 10 MB' };
  const wide = wideEncoding(bytes);
  if (wide !== null) return new TextDecoder(wide).decode(bytes);
  const plain = decodeStrictly(bytes);
  if (plain !== null) return plain;
  yield;
  const unfolded = unfoldCharacters(bytes);
  const mended = decodeStrictly(unfolded);
  if (mended !== null) return mended;
  yield;
  return new TextDecoder().decode(yield* mendLines(unfolded));
}

/** The bytes with each line that is no UTF-8 read as Windows-1252. A decoder for each line would cost microseconds a line. */
function* mendLines(bytes: Uint8Array): Sliced<Uint8Array> {
  const signs = signsOfWindows();
  const mended = new Uint8Array(3 * bytes.length);
  let length = 0;
  let pauseAt = pauseChars;
  for (let from = 0; from < bytes.length; ) {
    if (from >= pauseAt) {
      yield;
      pauseAt = from + pauseChars;
    }
    const end = bytes.indexOf(lineFeed, from);
    const to = end === -1 ? bytes.length : end + 1;
    const isPlain = isUtf8(bytes, from, to);
    for (let at = from; at < to; at += 1) {
      const byte = bytes[at] as number;
      if (isPlain || byte < 0x80) {
        mended[length] = byte;
        length += 1;
      } else {
        for (const one of signs[byte - 0x80] as Uint8Array) {
          mended[length] = one;
          length += 1;
        }
      }
    }
    from = to;
  }
  return mended.subarray(0, length);
}

/** The signs of Windows-1252 from 0x80 on, in UTF-8. */
function signsOfWindows(): Uint8Array[] {
  const upper = Uint8Array.from({ length: 128 }, (_, n) => 0x80 + n);
  return [...new TextDecoder('windows-1252').decode(upper)].map((sign) => new TextEncoder().encode(sign));
}

/** Whether these bytes are well-formed. *Source*: Unicode 16, table 3-7. */
function isUtf8(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; ) {
    const lead = bytes[at] as number;
    if (lead < 0x80) {
      at += 1;
      continue;
    }
    const more = lead < 0xc2 || lead > 0xf4 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    if (more === 0 || at + more >= to) return false;
    const second = bytes[at + 1] as number;
    if (second < (lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80)) return false;
    if (second > (lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf)) return false;
    for (let n = 2; n <= more; n += 1) if (((bytes[at + n] as number) & 0xc0) !== 0x80) return false;
    at += more + 1;
  }
  return true;
}

/** UTF-8 alone: the text, or null where a byte is no UTF-8 even after folds inside characters are undone. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  return decodeStrictly(bytes) ?? decodeStrictly(unfoldCharacters(bytes));
}

function decodeStrictly(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

const [tab, lineFeed, carriageReturn, space] = [9, 10, 13, 32];

/** Leaves out the folds that stand between the bytes of one character. */
function unfoldCharacters(bytes: Uint8Array): Uint8Array {
  const kept = new Uint8Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const start = bytes[at] === carriageReturn && bytes[at + 1] === lineFeed ? at + 1 : at;
    const lead = bytes[start + 1];
    const isFold = bytes[start] === lineFeed && (lead === space || lead === tab);
    if (isFold && (bytes[at - 1] ?? 0) >= 0x80 && ((bytes[start + 2] ?? 0) & 0xc0) === 0x80) at = start + 1;
    else {
      kept[length] = bytes[at] as number;
      length += 1;
    }
  }
  return kept.subarray(0, length);
}

/** A calendar begins with ASCII, so in UTF-16 every second byte of its beginning is NUL. */
function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return 'utf-16le';
  if (first === 0 && second !== 0 && third === 0 && fourth !== 0) return 'utf-16be';
  return null;
}
