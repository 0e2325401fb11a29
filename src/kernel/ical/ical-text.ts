import { warning } from '#kernel/ical/reading-warning.ts';

/** TEXT values: cleaning, escaping, folding. Source: RFC 5545 3.1, 3.3.11. */

/*
 * Line ends of every kind: some readers (Python's splitlines, JavaScript regular expressions) take U+0085, U+2028, VT
 * and FF for the end of a line, and what follows for a property of its own.
 */
const lineEnds = /\r\n|[\r\v\f\u0085\u2028\u2029]/g;
const controls = /(?![\t\n])\p{Cc}/gu;

/** Whether a text needs cleaning. A loop, because nearly no text does and this runs over every description. */
function isDirty(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code >= 32 && code < 127) continue;
    if (code === 10 || code === 9) continue;
    if (code < 160 || code === 0x2028 || code === 0x2029 || (code >= 0xd800 && code <= 0xdfff)) return true;
  }
  return false;
}

/** UTF-16 units that are looked at of a text of which `limit` are kept: cleaning makes one unit of a line end of two. */
export const roomFor = (limit: number): number => 2 * limit + 100;

/**
 * The text as the model holds it: well-formed Unicode, `\n` the only line end, no other control character but tab, at
 * most `limit` UTF-16 units and never half a character. Units behind `roomFor(limit)` are not looked at. Idempotent.
 */
export function cleanText(text: string, limit: number): string {
  const room = roomFor(limit);
  let clean = text.length > room ? cutText(text, room) : text;
  if (isDirty(clean)) clean = clean.replace(lineEnds, '\n').replace(controls, '').toWellFormed();
  return clean.length > limit ? cutText(clean, limit) : clean;
}

function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}

/**
 * The start of the value of an escaped TEXT, at most `most` units. A backslash before anything that needs none is kept:
 * `C:\temp` is common dirt.
 */
export const unescapeText = (value: string, most: number): string => unescapeWith(value, '\\', textSigns, most);

/** The same of a parameter. *Source*: RFC 6868. */
export const unescapeParameter = (value: string, most: number): string =>
  unescapeWith(value, '^', parameterSigns, most);

export const mostParameterChars = 1_000;

/** Parameters as they are written. `get` unescapes the start of a value: most are never asked for. */
export class Parameters extends Map<string, string> {
  override get(name: string): string | undefined {
    const value = super.get(name);
    return value === undefined ? undefined : unescapeParameter(value, mostParameterChars);
  }
}

/** A TEXT value as the model holds it. */
export const readTextValue = (value: string, limit: number): string =>
  cleanText(unescapeText(value, roomFor(limit)), limit);

const textSigns: Readonly<Record<string, string>> = {
  n: '\n',
  N: '\n',
  ',': ',',
  ';': ';',
  '\\': '\\',
  '"': '"',
  ':': ':',
};
const parameterSigns: Readonly<Record<string, string>> = { n: '\n', "'": '"', '^': '^' };

/** One pass that stops after `most` units: neither a long text nor many escapes cost more than what is kept. */
function unescapeWith(value: string, sign: string, signs: Readonly<Record<string, string>>, most: number): string {
  let text = '';
  let from = 0;
  while (text.length < most) {
    const room = most - text.length;
    const at = value.indexOf(sign, from);
    if (at === -1 || at - from >= room) return text + cutText(value.slice(from, from + room + 1), room);
    const meant = signs[value.charAt(at + 1)];
    text += value.slice(from, at) + (meant ?? sign);
    from = at + (meant === undefined ? 1 : 2);
  }
  return text;
}

/** The first items of a TEXT list, unescaped, each with at most `chars` units. A separator after a backslash is text. */
export function splitText(value: string, separator: ',' | ';', most: number, chars: number): string[] {
  const items: string[] = [];
  const end = separator.charCodeAt(0);
  let from = 0;
  for (let i = 0; i <= value.length && items.length < most; i += 1) {
    const code = value.charCodeAt(i);
    if (code === 92) i += 1;
    else if (code === end || i === value.length) {
      items.push(unescapeText(value.slice(from, i), chars));
      from = i + 1;
    }
  }
  if (from < value.length && items.length < most) items.push(unescapeText(value.slice(from), chars));
  return items;
}

const escapable = /[\\;,\n]/;

/** A cleaned text as a TEXT value. */
export function escapeText(text: string): string {
  if (!escapable.test(text)) return text;
  return text.replace(/[\\;,\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`));
}

/** One content line with its CRLF, folded at 75 octets between characters. */
export function foldLine(line: string): string {
  if (line.length <= 25) return `${line}\r\n`;
  let octets = 0;
  let from = 0;
  let folded = '';
  for (let i = 0; i < line.length; i += 1) {
    const code = line.charCodeAt(i);
    const isPair = code >= 0xd800 && code <= 0xdbff;
    const size = code < 0x80 ? 1 : code < 0x800 ? 2 : isPair ? 4 : 3;
    if (octets + size > 75) {
      folded += `${line.slice(from, i)}\r\n `;
      from = i;
      octets = 1;
    }
    octets += size;
    if (isPair) i += 1;
  }
  return from === 0 ? `${line}\r\n` : `${folded}${line.slice(from)}\r\n`;
}

/** A calendar file without marks of its encoding, and with line feeds. */
export function mendText(input: string, warnings: string[]): string {
  let text = input;
  if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
  if (text.includes('\0')) {
    // UTF-16 read as UTF-8, or a padded buffer; the rest reads well without them.
    text = text.replaceAll('\0', '');
    warnings.push(warning('characters-skipped', {}));
  }
  // several files in one
  if (text.includes('\ufeff')) text = text.replaceAll(/([\r\n])\ufeff/g, '$1');
  // Classic Mac line ends. A CR inside an LF file is a stray control character instead, and never ends a line.
  if (hasMacLines(text)) text = text.replaceAll(/\r\n?/g, '\n');
  return text;
}

/** Whether the first line ends in a CR alone. */
function hasMacLines(text: string): boolean {
  const at = text.indexOf('\r');
  const lineFeed = text.indexOf('\n');
  const next = text.charCodeAt(at + 1);
  return at !== -1 && (lineFeed === -1 || (at < lineFeed && next !== 10 && next !== 13));
}

const quotedPrintable = /^[^:]*;(?:ENCODING=)?QUOTED-PRINTABLE[;:]/i;

/** Whether the next line continues a quoted-printable value of vCalendar 1.0. */
export const isContinued = (line: string) => line.endsWith('=') && quotedPrintable.test(line.slice(0, 200));

/**
 * A quoted-printable value, as vCalendar 1.0 has it: in UTF-8 where it is any, else in its charset, else in Windows-1252.
 * *Source*: RFC 2045 6.7.
 */
export function decodeQuotedPrintable(value: string, charset: string | undefined): string {
  const source = new TextEncoder().encode(value);
  const bytes = new Uint8Array(source.length);
  let length = 0;
  for (let at = 0; at < source.length; at += 1) {
    const high = source[at] === equalsSign ? hexOf(source[at + 1]) : -1;
    const low = high === -1 ? -1 : hexOf(source[at + 2]);
    bytes[length] = low === -1 ? (source[at] as number) : high * 16 + low;
    length += 1;
    if (low !== -1) at += 2;
  }
  const text = bytes.subarray(0, length);
  return decodeAs('utf-8', text) ?? decodeAs(charset ?? 'utf-8', text) ?? new TextDecoder('windows-1252').decode(text);
}

const equalsSign = 61;

/** The value of a hexadecimal digit, or -1. */
function hexOf(code = 0): number {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code & ~32;
  return letter >= 65 && letter <= 70 ? letter - 55 : -1;
}

/** Bytes of a quoted-printable value that are decoded where `limit` units are kept: a unit has three bytes, each written as three. */
export const quotedRoomFor = (limit: number): number => 9 * roomFor(limit);

/** Null where the bytes are not in that charset, or there is none of that name. */
function decodeAs(charset: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return null;
    throw error;
  }
}

/** Where the text of a line ends: before its line end, doubled (CR CR LF) or not. */
export function endOfLine(text: string, lineFeed: number): number {
  let end = lineFeed;
  while (text.charCodeAt(end - 1) === 13) end -= 1;
  return end;
}

/** The index of the `;` or `:` that ends a property name, or -1 if what stands before is no name. */
export function endOfName(line: string): number {
  for (let i = 0; i < line.length; i += 1) {
    const code = line.charCodeAt(i);
    if (code === 58 || code === 59) return i;
    const isNameChar =
      (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 45;
    if (!isNameChar) return -1;
  }
  return -1;
}

/** Longer addresses are of no mailbox, and of no account of a server. */
const mostAddressChars = 2_000;

/**
 * A calendar user address in the one form we compare: lower case, without `mailto:` and its escapes. Empty for one that is
 * too long. Source: RFC 6068 2.
 */
export function normalizeAddress(address: string): string {
  if (address.length > mostAddressChars) return '';
  return decodeMail(address.trim().replace(/^mailto:/i, ''))
    .trim()
    .toLowerCase();
}

function decodeMail(address: string): string {
  try {
    const decoded = decodeURIComponent(address);
    return /\p{Cc}/u.test(decoded) ? address : decoded;
  } catch {
    // A bare % in a local part is legal in mail and no escape.
    return address;
  }
}

/** An e-mail address as a URI. Only what would read as an escape is escaped. */
export const mailtoOf = (email: string): string => `mailto:${email.replaceAll('%', '%25')}`;

export const emailPattern = /^[^\s@<>",;:]{1,64}@[^\s@<>",;:]{1,255}$/;

/** The address if it is an e-mail address; Apple and Exchange write a path or a URN, and the e-mail address beside it. */
export function emailOf(address: string, parameters: Map<string, string> | null): string | undefined {
  if (emailPattern.test(address)) return address;
  const email = normalizeAddress(parameters?.get('EMAIL') ?? '');
  return emailPattern.test(email) ? email : undefined;
}
