import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readMarkdown } from '#kernel/markdown.ts';
import type { App } from '#platform/app.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import { readOperatorText } from './read-operator-text.ts';
import { readSiteVisitor } from './read-site-visitor.ts';
import type { TextPageData } from './rules/site-data.ts';

const shipped = join(import.meta.dirname, '../../../docs/legal');

/** A legal text: the operator's where they have one, else what the software itself does, and that they have none. */
export function showLegal(name: 'privacy' | 'terms' | 'security') {
  return async (app: App, call: PageCall): Promise<PageAnswer> => {
    const { language, product, say, frame } = readSiteVisitor(app, call);
    const own = await readOperatorText(app.config, name);
    const blocks = readMarkdown(own ?? (await readFile(join(shipped, `${name}.md`), 'utf8')));
    const title = say(`legal.${name}`);
    const data: TextPageData = {
      ...frame,
      title,
      notice: own === null ? say('legal.none') : null,
      // the page has its heading already
      blocks: blocks.filter((block) => block.kind !== 'heading' || block.level !== 1),
      pages: [],
    };
    const site = { address: `${app.config.publicUrl}/${name}`, analytics: app.config.operator.analyticsScript };
    return {
      kind: 'page',
      page: { name: 'text', data, title: `${title} · ${product}`, language, frames: null, unlisted: false, site },
    };
  };
}
