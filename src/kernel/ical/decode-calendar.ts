import { icalLimits } from '#kernel/ical/content-lines.ts';

/**
 * The text of a calendar file: UTF-8, UTF-16 by its byte order mark or its NUL bytes, else Windows-1252, in which old
 * exporters write. Source: RFC 5545 3.1.4 (UTF-8 is the default), WHATWG Encoding.
 */
export function decodeCalendar(bytes: Uint8Array): string | { ok: false; reason: string } {
  if (bytes.length > icalLimits.chars) return { ok: false, reason: 'larger than 10 MB' };
  const wide = wideEncoding(bytes);
  if (wide !== null) return new TextDecoder(wide).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return new TextDecoder('windows-1252').decode(bytes);
    throw error;
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
