import { plainText, readMarkdown, type TextBlock, withAnchorsOf } from '#kernel/markdown.ts';

/** A section of the documentation with its heading. */
export interface DocSection {
  /** Address of the public page. */
  to: string;
  page: string;
  heading: string;
  text: string;
}

/** Sections of the files, which are keyed by name (`01-getting-started.md`). Untranslated files are in English. */
export function sectionsOf(
  files: Readonly<Record<string, string>>,
  translated: Readonly<Record<string, string>> = {},
): DocSection[] {
  return Object.entries(files)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([file, source]) => {
      const name = file.replace(/^\d+-|\.md$/g, '');
      const sections: DocSection[] = [];
      let page = name;
      const translation = translated[file];
      const english = readMarkdown(source);
      const blocks = translation === undefined ? english : withAnchorsOf(english, readMarkdown(translation));
      for (const block of blocks) {
        const last = sections.at(-1);
        if (block.kind === 'heading' && block.level === 1) {
          page = plainText(block.text);
          sections.push({ to: `/docs/${name}`, page, heading: page, text: '' });
        } else if (block.kind === 'heading') {
          sections.push({ to: `/docs/${name}#${block.id}`, page, heading: plainText(block.text), text: '' });
        } else if (last !== undefined) {
          last.text += ` ${textOf(block)}`;
        }
      }
      return sections.map((section) => ({ ...section, text: section.text.trim() }));
    });
}

function textOf(block: TextBlock): string {
  if (block.kind === 'code') return block.code;
  return block.kind === 'list' ? block.items.map(plainText).join(' ') : plainText(block.text);
}

const most = 6;

/** Sections in which every typed word begins a word. Matches in headings come first. */
export function searchDocs(sections: readonly DocSection[], typed: string): DocSection[] {
  const wanted = wordsIn(typed);
  if (wanted.length === 0) return [];
  return sections
    .flatMap((section) => {
      const [heading, text] = [wordsIn(`${section.heading} ${section.page}`), wordsIn(section.text)];
      let score = 0;
      for (const word of wanted) {
        const begins = (one: string) => one.startsWith(word);
        if (heading.some(begins)) score += 10;
        else if (text.some(begins)) score += 1;
        else return [];
      }
      return [{ section, score }];
    })
    .sort((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ section }) => section);
}

/** Japanese has no spaces between words. */
const unspaced = /[\u3040-\u30ff\u4e00-\u9fff]/;

function wordsIn(text: string): string[] {
  const plain = text.toLowerCase();
  if (!unspaced.test(plain)) return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  const segments = new Intl.Segmenter('ja', { granularity: 'word' }).segment(plain);
  return [...segments].flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []));
}
