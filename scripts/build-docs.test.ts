import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settings } from '#platform/config.ts';
import { addressOf, anchorOf, buildSite, readApi, renderPage, renderPages, sections } from './build-docs.ts';

const root = join(import.meta.dirname, '..');
let out: string;
beforeAll(() => {
  out = mkdtempSync(join(tmpdir(), 'hf-docs-'));
  buildSite(out);
});
afterAll(() => rmSync(out, { recursive: true, force: true }));

const builtPages = () =>
  readdirSync(out, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.html'));
const read = (name: string) => readFileSync(join(out, name), 'utf8');
const plain = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&#39;', "'");

test('every page of the documentation has a unique title and loads nothing from another host', () => {
  const pages = renderPages();
  expect(pages.length).toBeGreaterThan(60);
  expect(new Set(pages.map(({ title }) => title)).size).toBe(pages.length);
  for (const { file, html } of pages)
    expect([file, /<(script|iframe|link)\b|\ssrc="[a-z]*:?\/\//i.test(html)]).toEqual([file, false]);
});

test('every link of the documentation site has a target', () => {
  const ids = new Map(
    builtPages().map((name) => [
      name,
      new Set([...read(name).matchAll(/\sid="([^"]*)"/g)].map(([, id]) => plain(id ?? ''))),
    ]),
  );
  let followed = 0;
  for (const name of builtPages()) {
    for (const [, href = ''] of read(name).matchAll(/<(?:a [^>]*href|img src|script src)="([^"]*)"/g)) {
      if (/^[a-z]+:/.test(href)) continue;
      followed += 1;
      const [path = '', anchor] = plain(href).split('#');
      const target = path === '' ? name : join(dirname(name), path);
      expect([name, href, existsSync(join(out, target))]).toEqual([name, href, true]);
      if (anchor !== undefined) expect([name, href, ids.get(target)?.has(anchor)]).toEqual([name, href, true]);
    }
  }
  expect(followed).toBeGreaterThan(3_000);
});

test('every document in docs/ is in the menu, and every menu entry is built', () => {
  const inMenu = sections.flatMap(({ files }) => files);
  const written = readdirSync(join(root, 'docs'), { recursive: true })
    .map((name) => `docs/${String(name)}`)
    // texts that an operator replaces, and the help in other languages, which the product serves
    .filter((name) => name.endsWith('.md') && !/^docs\/(legal|help\/[a-z]{2})\//.test(name));
  expect(written.filter((name) => !inMenu.includes(name))).toEqual([]);
  expect(builtPages().sort()).toEqual(inMenu.map(addressOf).sort());
});

test('every API call is in the reference and in the search index', () => {
  const calls = Object.values(readApi().paths).flatMap((methods) => Object.values(methods));
  expect(calls.length).toBeGreaterThan(200);
  const page = read('api.html');
  const search = read('search.js');
  for (const { operationId } of calls) {
    expect([operationId, page.includes(`<section id="${operationId}">`)]).toEqual([operationId, true]);
    expect([operationId, search.includes(`api.html#${operationId}`)]).toEqual([operationId, true]);
  }
  expect(Object.keys((JSON.parse(read('openapi.json')) as { paths: object }).paths).length).toBeGreaterThan(150);
});

test('every setting is in the list of settings with its form and purpose', () => {
  const page = read('settings.html');
  for (const [name, { expected }] of Object.entries(settings)) {
    const [, said = ''] = new RegExp(`<li><code>${name}=[^<]*</code>: (.*?)</li>`).exec(page) ?? [];
    expect([name, said.length >= expected.length]).toEqual([name, true]);
  }
  const before = [...page.matchAll(/<\/(\w+)>\s*<ul>\s*<li><code>[A-Z]/g)].map(([, tag]) => tag);
  expect(before.length).toBeGreaterThan(15);
  expect(new Set(before)).toEqual(new Set(['p']));
});

test('links between documents become page addresses, and links to files and screens become plain text', () => {
  const known = new Set(['README.md', 'docs/a.md', 'docs/decisions/0001-x.md']);
  const page = renderPage(
    'docs/decisions/0001-x.md',
    '# X\n[a](../a.md#b) [home](../../README.md) [code](../../src/x.ts) [Help](/help) <b>',
    known,
  );
  expect(page.html).toContain(
    '<a href="../a.html#b">a</a> <a href="../index.html">home</a> <code>code</code> <strong>Help</strong>',
  );
  expect(page.html).toContain('&lt;b&gt;');
  expect(page.links).toEqual(['a.html#b', 'index.html']);
  expect(page.names).toEqual(['src/x.ts']);
  expect([addressOf('CHANGELOG.md'), anchorOf('A `newer` PostgreSQL, now')]).toEqual([
    'CHANGELOG.html',
    'a-newer-postgresql-now',
  ]);
});
