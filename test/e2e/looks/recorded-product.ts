import { appendFileSync } from 'node:fs';
import type { PageRoute } from '#platform/page-route.ts';
import { features } from '../../../src/features.ts';
import { run } from '../../../src/main.ts';

/** The product, which also writes down what each public page is drawn from: a line of the file that PAGES_FILE names. */

const file = process.env.PAGES_FILE;
if (file === undefined) throw new Error('PAGES_FILE names no file');

const recorded = (route: PageRoute): PageRoute => ({
  ...route,
  async handle(app, call) {
    const answer = await route.handle(app, call);
    if (answer?.kind === 'page' && call.method === 'GET') {
      const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => call.params[name] ?? '');
      const query = call.query.size === 0 ? '' : `?${call.query.toString()}`;
      appendFileSync(file, `${JSON.stringify({ path: `${path}${query}`, page: answer.page })}\n`);
    }
    return answer;
  },
});

await run(features.map(({ pages = [], ...feature }) => ({ ...feature, pages: pages.map(recorded) })));
