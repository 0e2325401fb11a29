import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { brandScale } from '#kernel/brand-scale.ts';
import { builtPages } from '../../test/harness/built-pages.ts';
import { startTestApp, type TestApp } from '../../test/harness/test-app.ts';
import { findBrandPicture, keepBrandPicture, saveBrand, untouched, watchBrand } from './brand.ts';
import { brandManifest } from './brand-document.ts';
import { inTransaction } from './db.ts';
import { findWaitingMail, listWaitingMails } from './mail-outbox.ts';
import { wordsOf } from './mail-words.ts';
import type { PageRoute } from './page-route.ts';

const shell =
  '<!doctype html><html><head><title>Holdfast</title><link rel="icon" href="/icon.svg" type="image/svg+xml">' +
  '<link rel="apple-touch-icon" href="/icons/touch.png"></head><body><noscript>Holdfast needs</noscript></body></html>';
const own = { name: 'Holdfast', short_name: 'Holdfast', theme_color: '#5e53dd', icons: [{ src: '/icon.svg' }] };

/** As it is built. */
const builtManifest = () => readFile(join(import.meta.dirname, '../../public/manifest.webmanifest'), 'utf8');

const pages: PageRoute[] = [
  {
    method: 'GET',
    path: '/at/{host}',
    handle: async (_app, { params }) => ({
      kind: 'page',
      page: {
        name: 'notice',
        data: { words: { own: 'My Holdfast' }, title: 'Hello', text: 'Holdfast, a guest wrote', link: null },
        title: 'Hello',
        language: 'en',
        frames: null,
        unlisted: true,
        ...(params.host === 'own' ? { brand: brandScale('#b00020') } : {}),
      },
    }),
  },
];

let server: TestApp;
let webRoot: string;
beforeAll(async () => {
  webRoot = await mkdtemp(join(tmpdir(), 'holdfast-brand-'));
  await mkdir(join(webRoot, 'assets'));
  await writeFile(join(webRoot, 'index.html'), shell);
  await writeFile(join(webRoot, 'screens.json'), '["/"]');
  await writeFile(join(webRoot, 'manifest.webmanifest'), JSON.stringify(own));
  server = await startTestApp({
    role: 'web',
    features: [{ name: 'visits', pages }],
    http: { webRoot, pageRoot: await builtPages() },
  });
});
afterAll(async () => {
  await server.close();
  await rm(webRoot, { recursive: true });
});

const file = 'a'.repeat(32);
const chosen = { name: 'Smith & "Sons"', color: '#00695c', logo: file, darkLogo: null };
const visit = (url: string, headers = {}) => server.inject({ url, headers: { accept: 'text/html', ...headers } });
const keep = () =>
  keepBrandPicture(server.app.db, {
    file,
    width: 400,
    height: 80,
    logo: Buffer.from('logo'),
    icon: Buffer.from('icon'),
  });

async function choose(brand: typeof untouched): Promise<void> {
  expect(await inTransaction(server.app.db, (tx) => saveBrand(tx, brand))).toBe(true);
  await server.app.brand.look();
}

test('an install without branding serves the app as it was built', async () => {
  expect((await visit('/calendar')).body).toBe(shell);
  expect((await visit('/manifest.webmanifest')).json()).toMatchObject(own);
  expect((await visit('/at/somebody')).body).toContain('href="/icon.svg"');
});

test('the web app manifest is in the language of the request', async () => {
  const brand = server.app.brand.current();
  const built = JSON.parse(await builtManifest());
  expect(JSON.parse(brandManifest(await builtManifest(), brand, 'en'))).toEqual({ ...built, lang: 'en', dir: 'ltr' });
  const german = JSON.parse(brandManifest(await builtManifest(), brand, 'de'));
  expect(german.shortcuts.map(({ name }: { name: string }) => name)).toEqual([
    'Neuer Termin',
    'Termine',
    'Buchungslinks',
  ]);
  const asked = await visit('/manifest.webmanifest', { 'accept-language': 'ja,en;q=0.5' });
  expect(asked.json()).toMatchObject({ lang: 'ja', name: 'Holdfast', description: '予約は1回。すべてに同期。' });
  expect(asked.headers.vary).toContain('accept-language');
});

test('the chosen name, color, and logo appear escaped in the document, manifest, and host pages', async () => {
  await keep();
  await choose(chosen);
  const { body, headers } = await visit('/calendar');
  expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' });
  expect(body).toContain('<title>Smith &amp; &quot;Sons&quot;</title>');
  const told = /<meta name="brand" content="([^"]+)"/
    .exec(body)?.[1]
    ?.replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
  expect(JSON.parse(told ?? '')).toEqual({
    name: chosen.name,
    color: chosen.color,
    logo: { src: `/brand/${file}.png`, width: 400, height: 80 },
  });
  expect(body.match(new RegExp(`href="/brand/${file}-icon.png"`, 'g'))).toHaveLength(2);
  expect(body).not.toContain('Holdfast');
  const packed = await visit('/calendar', { 'accept-encoding': 'br' });
  expect(brotliDecompressSync(packed.rawPayload).toString()).toBe(body);

  const manifest = (await visit('/manifest.webmanifest')).json();
  expect(manifest).toMatchObject({ name: chosen.name, short_name: chosen.name, theme_color: brandScale('#00695c')[6] });
  expect(manifest.icons).toMatchObject([{ src: `/brand/${file}-icon.png`, sizes: '512x512', purpose: 'any' }, {}]);

  const usual = (await visit('/at/somebody')).body;
  expect(usual).toContain(`--hf-brand-6:${brandScale('#00695c')[6]}`);
  expect(usual).toContain('Holdfast, a guest wrote');
  const hosts = (await visit('/at/own')).body;
  expect(hosts).toContain(`--hf-brand-6:${brandScale('#b00020')[6]}`);
  expect(hosts).not.toContain(brandScale('#00695c')[6]);
  await choose(untouched);
  expect((await visit('/calendar')).body).toBe(shell);
});

test('another process sees a branding change on its next check, and a removed logo stays available', async () => {
  const other = await watchBrand(server.app.db);
  await keep();
  await choose(chosen);
  expect(other.current().name).toBe('Holdfast');
  await other.look();
  expect(other.current()).toMatchObject({ name: chosen.name, logo: { file }, logoBytes: Buffer.from('logo') });
  await choose(untouched);
  await choose(untouched);
  expect(await findBrandPicture(server.app.db, file, 'icon')).toEqual(Buffer.from('icon'));
  other.close();
});

test('a mail names the install by its brand and leaves user input unchanged', async () => {
  await choose({ ...chosen, logo: null });
  const say = wordsOf({ en: { subject: 'Your Holdfast account', text: 'By {{who}}' } })('en');
  const { app } = server;
  await inTransaction(app.db, (tx) =>
    app.mail.send(tx, {
      key: 'visits.test',
      kind: 'visits.test',
      to: 'a@example.org',
      userId: null,
      locale: 'en',
      content: { subject: say('subject'), heading: 'H', blocks: [{ text: say('text', { who: 'Holdfast fans' }) }] },
    }),
  );
  const [mail] = await listWaitingMails(app.db, app.keyring, { limit: 1 });
  const kept = await findWaitingMail(app.db, app.keyring, mail?.id ?? '');
  expect(kept?.body.content).toMatchObject({
    subject: 'Your Smith & "Sons" account',
    blocks: [{ text: 'By Holdfast fans' }],
  });
  await choose(untouched);
});
