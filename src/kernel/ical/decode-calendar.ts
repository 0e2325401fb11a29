import { icalLimits } from '#kernel/ical/content-lines.ts';

/**
 * The text of a calendar file: UTF-8, UTF-16 by its byte order mark or its NUL bytes. Folds inside a character are
 * undone. A line that is no UTF-8 is Windows-1252, in which old exporters write; the other lines stay as they are.
 * *Source*: RFC 5545 3.1 (folding counts octets), 3.1.4 (UTF-8 is the default), WHATWG Encoding.
 */
export function decodeCalendar(bytes: Uint8Array): string | { ok: false; reason: string } {
  if (bytes.length > icalLimits.chars) return { ok: false, reason: 'larger than 10 MB' };
  const wide = wideEncoding(bytes);
  if (wide !== null) return new TextDecoder(wide).decode(bytes);
  const mended = decodeStrictly(bytes) ?? decodeStrictly(unfoldCharacters(bytes));
  if (mended !== null) return mended;
  return [...linesOf(unfoldCharacters(bytes))]
    .map((line) => decodeStrictly(line) ?? new TextDecoder('windows-1252').decode(line))
    .join('');
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

/** Lines with their ends. */
function* linesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(lineFeed, from);
    const to = end === -1 ? bytes.length : end + 1;
    yield bytes.subarray(from, to);
    from = to;
  }
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
