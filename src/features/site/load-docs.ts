import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainText, readMarkdown, type TextBlock } from '#kernel/markdown.ts';

export interface Doc {
  /** Of its file: the last part of its address. */
  name: string;
  title: string;
  blocks: readonly TextBlock[];
}

const dir = join(import.meta.dirname, '../../../docs/help');
let loaded: readonly Doc[] | undefined;

/** The documentation for people, in the order of reading: its files are numbered. They come with the software. */
export function loadDocs(): readonly Doc[] {
  loaded ??= readdirSync(dir)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => {
      const blocks = readMarkdown(readFileSync(join(dir, file), 'utf8'));
      const [heading] = blocks;
      if (heading?.kind !== 'heading') throw new Error(`docs/help/${file} has no title`);
      return {
        name: file.replace(/^\d+-|\.md$/g, ''),
        title: plainText(heading.text),
        blocks: blocks.slice(1),
      };
    });
  return loaded;
}
