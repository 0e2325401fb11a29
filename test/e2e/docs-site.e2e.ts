import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { expect, test } from '@playwright/test';
import fastify, { type FastifyInstance } from 'fastify';
import { buildSite } from '../../scripts/build-docs.ts';
import { desktop, phone, watchPage } from './watched-page.ts';

/** The documentation as a site, as it is deployed on a server. */

let dir: string;
let server: FastifyInstance;
let url: string;

test.beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hf-docs-site-'));
  buildSite(dir);
  server = fastify();
  await server.register(fastifyStatic, { root: dir });
  url = await server.listen({ host: '127.0.0.1', port: 0 });
});
test.afterAll(async () => {
  await server?.close();
  await rm(dir, { recursive: true, force: true });
});

test('the documentation site can be read and searched in both color schemes, on desktop and phone', async ({
  page,
}) => {
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await page.goto(`${url}/index.html`);
  await expect(page.getByRole('heading', { level: 1, name: 'Holdfast' })).toBeVisible();
  await watched.look('docs-start', { phone: true });

  await test.step('a word is found, and leads to its page', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('before-upgrade');
    const found = page.getByRole('banner').getByRole('link', { name: /^Operating Holdfast/ });
    await expect(found).toBeVisible();
    await watched.look('docs-search');
    await found.click();
    await expect(page.getByRole('heading', { level: 1, name: 'Operating Holdfast' })).toBeVisible();
  });

  await test.step('a call of the API is found, and leads to it', async () => {
    await page.getByRole('searchbox').fill('mirror-groups preview');
    await page
      .getByRole('banner')
      .getByRole('link', { name: /^POST \/api\/mirror-groups\/preview/ })
      .click();
    await expect(page).toHaveURL(/api\.html#sync\.previewGroup$/);
    await expect(page.getByRole('heading', { name: '/api/mirror-groups/preview' })).toBeInViewport();
  });

  await test.step('a scheme that was chosen stays', async () => {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByRole('button', { name: 'Dark' }).click();
    await page.getByRole('link', { name: 'Compared with others' }).click();
    await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark');
    await page.getByRole('button', { name: 'Light' }).click();
    await page.evaluate('localStorage.clear()');
    await page.reload();
    await watched.look('docs-comparison', { phone: true });
  });

  await test.step('on a phone the list of pages opens above the page', async () => {
    await page.setViewportSize(phone);
    await page.goto(`${url}/faq.html`);
    const menu = page.getByRole('navigation', { name: 'Pages' });
    await expect(menu.getByRole('link', { name: 'Scaling' })).toBeHidden();
    await menu.getByText('Pages', { exact: true }).click();
    await menu.getByRole('link', { name: 'Scaling' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Scaling' })).toBeVisible();
  });
  watched.expectQuietConsole();
});
