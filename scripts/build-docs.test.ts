import { expect, test } from 'vitest';
import { addressOf, anchorOf, renderPage, renderPages } from './build-docs.ts';

test('every page of the documentation has a title of its own, and every link between them leads somewhere', () => {
  const pages = renderPages();
  expect(pages.length).toBeGreaterThan(40);
  expect(new Set(pages.map(({ title }) => title)).size).toBe(pages.length);
  for (const { file, html } of pages) expect([file, /<(img|script|iframe|link)\b/i.test(html)]).toEqual([file, false]);
});

test('links lead to pages by their address, and to files of the repository nowhere', () => {
  const known = new Set(['README.md', 'docs/a.md', 'docs/decisions/0001-x.md']);
  const page = renderPage(
    'docs/decisions/0001-x.md',
    '# X\n[a](../a.md#b) [home](../../README.md) [code](../../src/x.ts) <b>',
    known,
  );
  expect(page.html).toContain('<a href="../a.html#b">a</a> <a href="../index.html">home</a> <code>code</code>');
  expect(page.html).toContain('&lt;b&gt;');
  expect(page.links).toEqual(['a.html#b', 'index.html']);
  expect([addressOf('CHANGELOG.md'), anchorOf('A `newer` PostgreSQL, now')]).toEqual([
    'CHANGELOG.html',
    'a-newer-postgresql-now',
  ]);
});
