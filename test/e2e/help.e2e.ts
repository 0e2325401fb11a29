import { expect, test } from '@playwright/test';
import { killAll } from '../harness/spawn-holdfast.ts';
import { goTo, signUp } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, watchPage } from './watched-page.ts';

/**
 * A newcomer who needs help: the documentation is searched, the first steps are followed, the operator is written to.
 */

let product: Product;

test.beforeAll(async () => {
  const env = { CONTACT_MAIL: 'help@example.org', SIMULATED_PROVIDERS: 'true' };
  product = await startProduct({ allow: [], env });
});
test.afterAll(async () => {
  await product?.stop();
  killAll();
});

test('a user finds help in the documentation and the first steps, and writes to the operator', async ({ page }) => {
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await watched.expectFailedRequests(() => signUp(page, product, 'ada@example.org'));
  await goTo(page, 'Meetings');
  await page.getByRole('link', { name: 'Help for this page' }).click();
  const here = page.getByRole('region', { name: 'About the previous page' });
  await expect(here.getByRole('link', { name: /^Why is it so/ })).toHaveAttribute(
    'href',
    '/docs/meetings#why-is-it-so',
  );
  await watched.look('help-here', { phone: true });
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Help' }).click();
  await expect(page.getByText('Connect a calendar')).toBeVisible();
  await watched.look('help', { phone: true });

  await page.getByLabel('Search the documentation').fill('reconn');
  await expect(page.getByRole('link', { name: /A calendar says “Needs reconnect”/ })).toHaveAttribute(
    'href',
    '/docs/troubleshooting#a-calendar-says-needs-reconnect',
  );
  await page.getByLabel('Search the documentation').fill('zeppelin');
  await expect(page.getByText('No articles found.', { exact: false })).toBeVisible();

  const step = page.getByRole('listitem').filter({ hasText: 'Connect a calendar' });
  await expect(step).not.toContainText('Done');
  const headers = { origin: product.url };
  await page.request.post(`${product.url}/dev/simulate/connect`, { data: { provider: 'google' }, headers });
  await page.reload();
  await expect(step).toContainText('Done');

  await page.getByLabel('How can we help?').fill('Where is my event?');
  await expect(page.getByText('Time zone: Europe/Berlin')).toBeVisible();
  await page.getByRole('switch', { name: 'Include this information' }).click();
  await expect(page.getByText('Time zone: Europe/Berlin')).toBeHidden();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText('Your message is on its way.')).toBeVisible();
  await watched.look('help-sent', { phone: true });
  await expect.poll(() => product.smtp.mailsTo('help@example.org').length).toBe(1);
  watched.expectQuietConsole();
});
