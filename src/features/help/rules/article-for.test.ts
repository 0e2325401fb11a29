import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { articleFor } from './article-for.ts';

const root = join(import.meta.dirname, '../../../..');
const screens = globSync('src/features/*/web/screens.ts', { cwd: root }).flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/path: '(\/[^']+)',[^}]*?guard: 'user'/g)].map(
    ([, path = '']) => path,
  ),
);
const articles = globSync('docs/help/*.md', { cwd: root }).map((file) => file.replace(/^.*\/\d+-|\.md$/g, ''));

test('every screen of a signed-in user has an existing help article', () => {
  expect(screens.length).toBeGreaterThan(15);
  const without = screens.filter((path) => !articles.includes(articleFor(path) ?? ''));
  expect(without).toEqual([]);
});

test('every help article is linked from a screen, except the shared ones', () => {
  const reached = new Set(screens.map(articleFor));
  expect(articles.filter((article) => !reached.has(article)).sort()).toEqual(['troubleshooting', 'your-data']);
});
