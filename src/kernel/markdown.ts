import { trimEndOf } from '#kernel/text/trim-text.ts';

/**
 * The Markdown that our own texts are written in, as plain data: headings, paragraphs, lists, code, links, bold. Markup
 * of other kinds stays the text it is, HTML above all.
 */
export type TextBlock =
  | { kind: 'heading'; level: 1 | 2 | 3; id: string; text: readonly TextPart[] }
  | { kind: 'paragraph'; text: readonly TextPart[] }
  | { kind: 'list'; ordered: boolean; items: readonly (readonly TextPart[])[] }
  | { kind: 'code'; code: string };

export interface TextPart {
  text: string;
  look?: 'bold' | 'code' | 'link';
  /** Target of a link: another site, a page of this one, or a mail address. */
  to?: string;
}

export function readMarkdown(source: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  const lines = source.replaceAll('\r\n', '\n').split('\n');
  let at = 0;
  const takeWhile = (test: (line: string) => boolean): string[] => {
    const taken: string[] = [];
    for (let line = lines[at]; line !== undefined && test(line); line = lines[++at]) taken.push(line);
    return taken;
  };
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const heading = /^(#{1,3}) +(\S.*)$/s.exec(line);
    const marker = itemPattern.exec(line)?.[1];
    if (line.trim() === '') at += 1;
    else if (line.startsWith('```')) {
      at += 1;
      const code = takeWhile((next) => !next.startsWith('```'));
      at += 1;
      blocks.push({ kind: 'code', code: code.join('\n') });
    } else if (heading !== null) {
      const text = readParts(trimEndOf((heading[2] ?? '').trimEnd(), '#').trimEnd());
      const level = (heading[1] ?? '').length as 1 | 2 | 3;
      blocks.push({ kind: 'heading', level, id: anchorOf(plainText(text)), text });
      at += 1;
    } else if (marker !== undefined) {
      const items: string[] = [];
      for (const next of takeWhile((one) => one.trim() !== '' && (itemPattern.test(one) || /^ {2,}/.test(one)))) {
        const begun = itemPattern.exec(next);
        if (begun === null) items[items.length - 1] += ` ${next.trim()}`;
        else items.push((begun[2] ?? '').trimStart());
      }
      blocks.push({ kind: 'list', ordered: /\d/.test(marker), items: items.map(readParts) });
    } else {
      const text = takeWhile((next) => next.trim() !== '' && !beginsOther.test(next));
      // a line that looks like the beginning of something it is not, e.g. four #
      if (text.length === 0) text.push(lines[at++] ?? '');
      blocks.push({ kind: 'paragraph', text: readParts(text.map((next) => next.trim()).join(' ')) });
    }
  }
  return blocks;
}

const itemPattern = /^([-*]|\d{1,3}\.) (.*)$/s;
const beginsOther = /^(?:#{1,3} +\S|```|(?:[-*]|\d{1,3}\.) +)/;
const partPattern = /\*\*([^*]+)\*\*|`([^`]+)`|\[([^[\]]+)\]\(([^()\s]+)\)/g;

function readParts(source: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of source.matchAll(partPattern)) {
    const [whole, bold, code, label, to] = match;
    if (match.index > from) parts.push({ text: source.slice(from, match.index) });
    from = match.index + whole.length;
    if (bold !== undefined) parts.push({ text: bold, look: 'bold' });
    else if (code !== undefined) parts.push({ text: code, look: 'code' });
    else if (label !== undefined && to !== undefined && isSafe(to)) parts.push({ text: label, look: 'link', to });
    else parts.push({ text: whole });
  }
  if (from < source.length) parts.push({ text: source.slice(from) });
  return parts;
}

/** Nothing that runs: an address of the web, of mail, or of this site. */
const isSafe = (to: string) => /^(?:https?:\/\/|mailto:|\/(?![/\\])|#)/.test(to);

/** A translation whose headings have the addresses of the original: a link to one finds it in every language. */
export function withAnchorsOf(original: readonly TextBlock[], translation: readonly TextBlock[]): TextBlock[] {
  const anchors = original.flatMap((block) => (block.kind === 'heading' ? [block.id] : []));
  let next = 0;
  return translation.map((block) => (block.kind === 'heading' ? { ...block, id: anchors[next++] ?? block.id } : block));
}

export const plainText = (parts: readonly TextPart[]) => parts.map(({ text }) => text).join('');

const anchorOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
