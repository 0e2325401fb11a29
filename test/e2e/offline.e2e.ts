import { expect, test } from '@playwright/test';
import { killAll } from '../harness/spawn-holdfast.ts';
import { createPerson, goTo, password, signOut, signUp } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, watchPage } from './watched-page.ts';

/** An installed Holdfast without a connection: the last seen weeks can be read, and are deleted with the session. */

test.use({ serviceWorkers: 'allow' });

let product: Product;

test.beforeAll(async () => {
  product = await startProduct({ allow: [] });
});

test.afterAll(async () => {
  await product?.stop();
  killAll();
});

test('visited weeks are readable offline until the user signs out', async ({ page, context }) => {
  const watched = watchPage(page);
  const event = page.getByRole('button', { name: /^Review / });
  const kept = () =>
    page.evaluate<number>(`caches.open('seen').then((cache) => cache.keys()).then((keys) => keys.length)`);
  await page.setViewportSize(desktop);
  await watched.expectFailedRequests(() => signUp(page, product, 'rider@example.org'));

  await test.step('the browser is offered to install it', async () => {
    const manifest = (await (await page.request.get(`${product.url}/manifest.webmanifest`)).json()) as {
      icons: { src: string; sizes: string }[];
    };
    for (const { src } of manifest.icons)
      expect((await page.request.get(`${product.url}${src}`)).status(), src).toBe(200);
    await expect.poll(() => page.evaluate('navigator.serviceWorker.controller?.state')).toBe('activated');
  });

  await test.step('another app shares a link, which becomes a meeting', async () => {
    await goTo(page, 'Integrations');
    await page.getByRole('button', { name: 'Connect Calendar Account' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Holdfast calendar' }).click();
    await expect(page.getByText('Kept by Holdfast').first()).toBeVisible();
    const shared = new URLSearchParams({
      title: 'Review',
      notes: 'Join https://meet.example.org/x',
      day: '2027-03-10',
    });
    await page.goto(`${product.url}/calendar?${shared.toString()}`);
    const form = page.getByRole('dialog');
    await expect(form.getByLabel('Title')).toHaveValue('Review');
    await expect(form.getByLabel('Meeting link')).toHaveValue('https://meet.example.org/x');
    await form.getByRole('button', { name: 'Create Event', exact: true }).click();
    await expect(event).toBeVisible();
  });

  await test.step('without a connection the week is there, and says how old it is', async () => {
    await expect.poll(kept).toBeGreaterThan(3);
    await page.reload();
    await expect(event).toBeVisible();
    await watched.expectFailedRequests(async () => {
      // going offline also fails the page's open requests
      await context.setOffline(true);
      await page.reload();
      await expect(event).toBeVisible();
      await expect(page.getByText(/^You're offline\. Last updated/)).toBeVisible();
      await watched.look('offline', { phone: true });
      await context.setOffline(false);
      await expect(page.getByText(/^You're offline\. Last updated/)).toBeHidden();
    });
  });

  await test.step('another person who signs in on the same browser keeps a copy of their own answers only', async () => {
    const texts = () =>
      page.evaluate<string>(`caches.open('seen').then(async (cache) => {
        const answers = await Promise.all((await cache.keys()).map((key) => cache.match(key)));
        return (await Promise.all(answers.map((answer) => answer.text()))).join();
      })`);
    const [title, rider, other] = ['"Review"', 'rider@example.org', 'other@example.org'];
    const before = await texts();
    expect(before).toContain(title);
    expect(before).toContain(rider);
    await createPerson(product, other);
    const headers = { origin: product.url };
    await page.request.post(`${product.url}/auth/login`, { headers, data: { email: other, password, app: 'user' } });
    await page.goto(`${product.url}/dashboard`);
    await expect(page.getByText('Get set up in five steps')).toBeVisible();
    await expect.poll(texts).toContain(other);
    // The copy is cleared with the answer about the session, which may not be the first one.
    for (const foreign of [title, rider]) await expect.poll(texts).not.toContain(foreign);
  });
  watched.expectQuietConsole();

  await test.step('whoever signs out leaves nothing behind', async () => {
    await signOut(page);
    await expect.poll(kept).toBe(0);
    await context.setOffline(true);
    await watched.expectFailedRequests(async () => {
      await page.goto(`${product.url}/calendar?day=2027-03-10`);
      await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
    });
    await expect(event).toHaveCount(0);
    await context.setOffline(false);
  });
});
