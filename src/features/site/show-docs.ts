import { plainText } from '#kernel/markdown.ts';
import type { App } from '#platform/app.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { loadDocs } from './load-docs.ts';
import { readSiteVisitor } from './read-site-visitor.ts';
import type { TextPageData } from './rules/site-data.ts';

/** A page of the documentation; its address without a name is that of the first. */
export async function showDocs(app: App, call: PageCall): Promise<PageAnswer | null> {
  const { config } = app;
  const { language, product, say, frame } = readSiteVisitor(app, call);
  const docs = loadDocs(language);
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
