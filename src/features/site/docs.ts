import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainText, readMarkdown, type TextBlock, withAnchorsOf } from '#kernel/markdown.ts';
import type { App } from '#platform/app.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import type { TextPageData } from './rules.ts';
import { getSiteVisitor } from './site.ts';

/** A page of the documentation; its address without a name is that of the first. */
export async function showDocs(app: App, call: PageCall): Promise<PageAnswer | null> {
  const { config } = app;
  const { language, product, say, frame } = getSiteVisitor(app, call);
  const docs = listDocs(language);
  const doc = call.params.name === undefined ? docs[0] : docs.find(({ name }) => name === call.params.name);
  if (doc === undefined) return null;
  const [first] = doc.blocks;
  const data: TextPageData = {
    ...frame,
    title: doc.title,
    notice: null,
    blocks: doc.blocks,
    pages: docs.map(({ name, title }) => ({ path: `/docs/${name}`, title, current: name === doc.name })),
  };
  return {
    kind: 'page',
    page: {
      name: 'text',
      data,
      title: `${doc.title} · ${say('docs.title')} · ${product}`,
      ...(first?.kind === 'paragraph' ? { description: plainText(first.text).slice(0, 160) } : {}),
      language,
      frames: null,
      unlisted: false,
      site: { address: `${config.publicUrl}/docs/${doc.name}`, analytics: config.operator.analyticsScript },
    },
  };
}

interface Doc {
  /** The file name without number and ending. It is the last part of the address. */
  name: string;
  title: string;
  blocks: readonly TextBlock[];
}

const dir = join(import.meta.dirname, '../../../docs/help');
const loaded = new Map<string, readonly Doc[]>();

/** The help articles in reading order, which the numbers of the files give. */
export function listDocs(language = 'en'): readonly Doc[] {
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
