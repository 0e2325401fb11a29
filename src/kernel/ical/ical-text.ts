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

/**
 * The text as the model holds it: well-formed Unicode, `\n` the only line end, no other control character but tab, at
 * most `limit` UTF-16 units and never half a character. Idempotent.
 */
export function cleanText(text: string, limit: number): string {
  let clean = text;
  if (isDirty(clean)) clean = clean.replace(lineEnds, '\n').replace(controls, '').toWellFormed();
  return clean.length > limit ? cutText(clean, limit) : clean;
}

function cutText(text: string, limit: number): string {
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}

/** The value of an escaped TEXT. A backslash before anything that needs none is kept: `C:\temp` is common dirt. */
export function unescapeText(value: string): string {
  if (!value.includes('\\')) return value;
  return value.replace(/\\([nN,;\\":])/g, (_, code: string) => (code === 'n' || code === 'N' ? '\n' : code));
}

/** The first items of a TEXT list, unescaped. A separator after a backslash is text. */
export function splitText(value: string, separator: ',' | ';', most: number): string[] {
  const items: string[] = [];
  const end = separator.charCodeAt(0);
  let from = 0;
  for (let i = 0; i <= value.length && items.length < most; i += 1) {
    const code = value.charCodeAt(i);
    if (code === 92) i += 1;
    else if (code === end || i === value.length) {
      items.push(unescapeText(value.slice(from, i)));
      from = i + 1;
    }
  }
  if (from < value.length && items.length < most) items.push(unescapeText(value.slice(from)));
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
