import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readMarkdown } from '#kernel/markdown.ts';
import type { App } from '#platform/app.ts';
import type { PageAnswer, PageCall } from '#platform/page-route.ts';
import type { TextPageData } from './rules.ts';
import { getSiteVisitor } from './site.ts';

const shipped = join(import.meta.dirname, '../../../docs/legal');

/** A legal text: the operator's where they have one, else what the software itself does, and that they have none. */
export function showLegal(name: 'privacy' | 'terms' | 'security') {
  return async (app: App, call: PageCall): Promise<PageAnswer> => {
    const { language, product, say, frame } = getSiteVisitor(app, call);
    const own = await findOperatorText(app.config, name);
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

type OperatorText = 'privacy' | 'terms' | 'security' | 'claim';

/** Longer texts are cut. */
const mostChars = 200_000;

/** The operator's text in `DATA_DIR/site/<name>.md`, or null. It is small and not cached. */
export async function findOperatorText({ dataDir }: Pick<App['config'], 'dataDir'>, name: OperatorText) {
  try {
    const text = await readFile(join(dataDir, 'site', `${name}.md`), 'utf8');
    return text.trim() === '' ? null : text.slice(0, mostChars);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
