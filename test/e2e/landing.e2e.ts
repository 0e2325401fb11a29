import { expect, test } from '@playwright/test';
import { killAll } from '../harness/spawn-holdfast.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, inMotion, watchPage } from './watched-page.ts';

/** The front door, for somebody who has no account: read, watched, subscribed to by mail. */

test.use(inMotion);

let product: Product;

test.beforeAll(async () => {
  product = await startProduct({ allow: [], env: { CONTACT_MAIL: 'help@example.org', OPERATOR_NAME: 'Example Ltd' } });
});
test.afterAll(async () => {
  await product?.stop();
  killAll();
});

test('the landing page shows its film, legal texts, and documentation', async ({ page }) => {
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  // the global variable that an operator's visit counter would set
  await page.addInitScript('window.dataLayer = []');
  await page.goto(product.url);
  await expect(page.getByRole('heading', { level: 1, name: 'One Booking. Synced Everywhere.' })).toBeVisible();
  for (const name of ['Login', 'Sign Up']) await expect(page.getByRole('link', { name, exact: true })).toBeVisible();
  await watched.look('landing', { phone: true });

  await test.step('the bar is clear at the top and opaque after 50 pixels', async () => {
    const bar = page.getByRole('banner');
    await expect(bar).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
    await page.mouse.wheel(0, 60);
    await expect(bar).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
    await page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'Pricing' }).click();
    await expect(page.getByRole('heading', { name: 'Pricing' })).toBeInViewport();
    await watched.look('landing-pricing', { phone: true });
    await page.getByRole('link', { name: 'Contact' }).first().click();
    await expect(page.getByLabel('Email address')).toBeInViewport();
    await watched.look('landing-footer', { phone: true });
  });

  await test.step('the film closes by Escape, backdrop and button, pauses then, and holds the page still', async () => {
    await page.evaluate('scrollTo(0, 0)');
    const opener = page.getByRole('button', { name: 'See How It Works' });
    const dialog = page.getByRole('dialog', { name: 'How it works' });
    const video = page.locator('#tour video');
    const isPaused = () => video.evaluate((one) => (one as unknown as { paused: boolean }).paused);
    const open = async () => {
      await opener.click();
      await expect(dialog).toBeVisible();
      await expect.poll(isPaused, { message: 'whether the film is paused' }).toBe(false);
      await expect(page.locator('html')).toHaveCSS('overflow', 'hidden');
    };
    const expectClosed = async () => {
      await expect(dialog).toBeHidden();
      await expect.poll(isPaused, { message: 'whether the film is paused' }).toBe(true);
      await expect(opener).toBeFocused();
    };
    await open();
    expect(await video.evaluate((one) => (one as unknown as { muted: boolean }).muted)).toBe(true);
    await expect
      .poll(() =>
        video.evaluate(
          (one) =>
            (one as unknown as { textTracks: { cues: { length: number } | null }[] }).textTracks[0]?.cues?.length ?? 0,
        ),
      )
      .toBeGreaterThan(4);
    await watched.look('landing-film', { phone: true });
    await page.keyboard.press('Escape');
    await expectClosed();
    await open();
    await page.mouse.click(20, 20);
    await expectClosed();
    await open();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expectClosed();
    await open();
    await dialog.getByRole('link', { name: 'Get started' }).evaluate((link) =>
      (
        link as unknown as {
          addEventListener: (kind: string, act: (event: { preventDefault(): void }) => void) => void;
        }
      ).addEventListener('click', (event) => event.preventDefault()),
    );
    await dialog.getByRole('link', { name: 'Get started' }).click();
    const told = await page.evaluate<{ event: string }[]>('window.dataLayer');
    expect(told.map(({ event }) => event)).toEqual([
      ...Array.from({ length: 4 }, () => 'how_it_works_modal_opened'),
      'how_it_works_cta_clicked',
    ]);
  });

  await page.goto(`${product.url}/privacy`);
  await expect(page.getByText('published their own text yet')).toBeVisible();
  await watched.look('privacy', { phone: true });
  await page.goto(`${product.url}/home`);
  await page.getByRole('link', { name: 'Documentation' }).first().click();
  await page.getByRole('navigation', { name: 'All pages' }).getByRole('link', { name: 'Booking links' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Booking links' })).toBeVisible();
  await watched.look('docs', { phone: true });
  watched.expectQuietConsole();
});

test('the landing page works without motion and without JavaScript', async ({ browser }) => {
  const context = await browser.newContext({ reducedMotion: 'reduce', javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(product.url);
  await expect(page.locator('[data-event="booking"]')).toHaveCSS('animation-name', 'none');
  await page.getByLabel('Email address').fill('Reader@Example.org');
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  const sent = () =>
    product.smtp
      .mailsTo('reader@example.org')
      .flatMap(({ links }) => links.filter((link) => link.includes('/subscribe/')));
  await expect.poll(() => sent().length).toBe(1);
  await page.goto(sent()[0] ?? '');
  await page.getByRole('button', { name: 'Yes, subscribe' }).click();
  await expect(page.getByText('We’ll send news to reader@example.org.')).toBeVisible();
  await context.close();
});
