import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainText, readMarkdown, type TextBlock, withAnchorsOf } from '#kernel/markdown.ts';

export interface Doc {
  /** Of its file: the last part of its address. */
  name: string;
  title: string;
  blocks: readonly TextBlock[];
}

const dir = join(import.meta.dirname, '../../../docs/help');
const loaded = new Map<string, readonly Doc[]>();

/** The documentation for people, in the order of reading: its files are numbered. They come with the software. */
export function loadDocs(language = 'en'): readonly Doc[] {
  const docs = loaded.get(language) ?? readDocs(language);
  loaded.set(language, docs);
  return docs;
}

const readDocs = (language: string): Doc[] =>
  readdirSync(dir)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => {
      const english = readMarkdown(readFileSync(join(dir, file), 'utf8'));
      const path = join(dir, language, file);
      const blocks = existsSync(path) ? withAnchorsOf(english, readMarkdown(readFileSync(path, 'utf8'))) : english;
      const [heading] = blocks;
      if (heading?.kind !== 'heading') throw new Error(`docs/help/${file} has no title`);
      return {
        name: file.replace(/^\d+-|\.md$/g, ''),
        title: plainText(heading.text),
        blocks: blocks.slice(1),
      };
    });
