import { createHash } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtPages } from '../../test/harness/built-pages.ts';
import { startTestApp, type TestApp } from '../../test/harness/test-app.ts';
import type { Page } from './page-document.ts';
import type { PageRoute } from './page-route.ts';

/** A notice of the real bundle, as a page that a feature might have. */
const notice = (text: string, more: Partial<Page> = {}): Page => ({
  name: 'notice',
  data: { words: {}, title: 'Hello', text, link: null },
  title: text,
  language: 'en',
  frames: null,
  unlisted: true,
  ...more,
});

/** Visitors of `/together` go on at the same moment, when all are there. */
const together = { wanted: 6, arrived: 0, gate: Promise.withResolvers<void>() };
let turn = 0;
const turnsOfPages = new Set<number>();

let server: TestApp;
const pages: PageRoute[] = [
  {
    method: 'GET',
    path: '/{name}',
    async handle(_app, { params, query }) {
      if (params.name === 'absent') return null;
      if (params.name === 'together') {
        together.arrived += 1;
        if (together.arrived === together.wanted) together.gate.resolve();
        await together.gate.promise;
        const data = {
          words: {},
          title: 'Hello',
          link: null,
          get text() {
            turnsOfPages.add(turn);
            return 'x';
          },
        };
        return { kind: 'page', page: notice('x', { data }) };
      }
      const frames = query.get('frames');
      return {
        kind: 'page',
        cookies: { chosen: 'Asia/Tokyo' },
        page: notice(params.name ?? '', {
          frames: frames === null ? null : [frames],
          ...(query.get('brand') === null ? {} : { brand: ['#111111', '#222222'] }),
        }),
      };
    },
  },
  {
    method: 'POST',
    path: '/{name}/{more}',
    async handle(_app, { form }) {
      return { kind: 'go', to: `/${form.get('to') ?? ''}` };
    },
  },
];

beforeAll(async () => {
  server = await startTestApp({
    role: 'web',
    features: [{ name: 'visits', pages }],
    http: { pageRoot: await builtPages() },
  });
});
afterAll(() => server.close());

const visit = (url: string, headers: Record<string, string> = {}) =>
  server.inject({ url, headers: { accept: 'text/html', ...headers } });

test('a server-rendered page is complete without script, escaped, and compressed when accepted', async () => {
  const answer = await visit('/%3Cb%3E', { 'accept-encoding': 'gzip, br' });
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect([answer.headers['content-encoding'], answer.headers.vary]).toEqual([
    'br',
    'Accept-Encoding, Accept-Language, Cookie',
  ]);
  const html = brotliDecompressSync(answer.rawPayload).toString();
  expect(html).toContain('<title>&lt;b&gt;</title>');
  expect(html).toContain('<p>&lt;b&gt;</p>');
  expect(html).not.toContain('<script');
  expect((await visit('/x', { 'accept-encoding': 'br;q=0' })).headers['content-encoding']).toBeUndefined();
});

test('pages that six visitors ask for at once are rendered in separate turns of the event loop', async () => {
  let isOver = false;
  const count = () => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const answers = await Promise.all(Array.from({ length: together.wanted }, () => visit('/together')));
  isOver = true;
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: together.wanted }, () => 200));
  expect(turnsOfPages.size).toBe(together.wanted);
});

test('the CSP of a page allows exactly the styles on it', async () => {
  const { body, headers } = await visit('/x?brand=1');
  const styles = [...body.matchAll(/<style>(.*?)<\/style>/gs)].map(([, css = '']) => css);
  expect(styles).toHaveLength(2);
  expect(styles[1]).toBe(':root{--hf-brand-0:#111111;--hf-brand-1:#222222}');
  const policy = String(headers['content-security-policy']);
  const hashes = styles.map((css) => `'sha256-${createHash('sha256').update(css).digest('base64')}'`);
  expect(policy).toContain(`style-src ${hashes.join(' ')};`);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|script-src/);
});

test('a page is framed by nobody, or only by the sites that its host allows', async () => {
  const closed = (await visit('/x')).headers;
  expect(closed['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(closed['x-frame-options']).toBe('DENY');
  const open = (await visit('/x?frames=https://shop.example')).headers;
  expect(open['content-security-policy']).toMatch(/frame-ancestors 'self' https:\/\/shop\.example$/);
  // which could only forbid it
  expect(open['x-frame-options']).toBeUndefined();
});

test('a visitor’s choice is kept in a SameSite cookie', async () => {
  expect(String((await visit('/x')).headers['set-cookie'])).toMatch(/^chosen=Asia\/Tokyo; .*Path=\/; SameSite=Lax/);
});

test('an address without a page answers 404, also to other methods', async () => {
  const absent = await visit('/absent', { accept: 'application/json' });
  expect([absent.statusCode, absent.json().detail.code]).toEqual([404, 'NOT_FOUND']);
  // and says nothing of methods: other addresses look the same
  const method = await server.inject({ method: 'DELETE', url: '/absent' });
  expect(method.statusCode).toBe(404);
});

test('a form redirects, and a cross-site form is refused', async () => {
  const send = (headers: Record<string, string>) =>
    server.inject({
      method: 'POST',
      url: '/a/b',
      payload: 'to=done',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
  const sent = await send({ 'sec-fetch-site': 'same-origin' });
  expect([sent.statusCode, sent.headers.location]).toEqual([303, '/done']);
  expect((await send({ 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403);
  expect((await send({ 'content-type': 'text/plain' })).statusCode).toBe(415);
});

test('the embed script loads from other sites, compressed and cached for an hour', async () => {
  const { headers, statusCode } = await server.inject({ url: '/embed.js', headers: { 'accept-encoding': 'br' } });
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'content-encoding': 'br',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, max-age=3600',
    'x-content-type-options': 'nosniff',
  });
});
