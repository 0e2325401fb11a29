import { expect, type Page, test } from '@playwright/test';
import { bookingContract } from '#features/booking/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import page from '../../src/features/booking/page/words/fr.json' with { type: 'json' };
import site from '../../src/features/site/page/words/de.json' with { type: 'json' };
import access from '../../src/web/locales/de/access.json' with { type: 'json' };
import accounts from '../../src/web/locales/de/accounts.json' with { type: 'json' };
import japanese from '../../src/web/locales/ja/accounts.json' with { type: 'json' };
import { mailedLink, password } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { phone, watchPage } from './watched-page.ts';

/** A person in Vienna signs up in German, switches to Japanese, and has a guest who reads French. */

const email = 'resi@example.org';
let product: Product;
test.beforeAll(async () => {
  product = await startProduct({ allow: [] });
});
test.afterAll(() => product.stop());

test('the app follows a user from German to Japanese, and a guest reads French', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'de-AT', timezoneId: 'Europe/Vienna' });
  const tab = await context.newPage();
  const watched = watchPage(tab);

  await test.step('the landing page and what comes after it are German', async () => {
    await tab.goto(product.url);
    await expect(tab.locator('html')).toHaveAttribute('lang', 'de');
    await expect(tab.getByRole('heading', { level: 1 })).toHaveText(site['hero.title']);
    await tab.getByRole('banner').getByRole('link', { name: site.signup }).click();
    await expect(tab.getByRole('heading', { name: access.signUp.title })).toBeVisible();
    await tab.getByLabel(access.email, { exact: true }).fill(email);
    await tab.getByLabel(access.password, { exact: true }).fill(password);
    await tab.getByLabel(access.confirmPassword, { exact: true }).fill(password);
    await tab.getByRole('button', { name: access.signUp.action, exact: true }).click();
    await tab.goto(await mailedLink(product, email, '/verify-email'));
    await tab.getByRole('button', { name: access.verify.action }).click();
    await expect(tab).toHaveURL(/\/dashboard$/);
  });

  await test.step('the week begins on Monday and the day has 24 hours', async () => {
    const made = await tab.request.post(`${product.url}/api/connections/holdfast`, {
      headers: { origin: product.url },
      data: {},
    });
    expect(made.ok(), await made.text()).toBe(true);
    await tab.goto(`${product.url}/calendar`);
    await expect(tab.locator('[data-day]').first()).toContainText(/Mo/);
    // The label nearest to now is hidden, so the hour depends on the time of day.
    await expect(tab.getByText(/^\d\d:00$/).first()).toBeVisible();
  });

  await test.step('another language takes hold at once, and what was typed stays', async () => {
    await tab.goto(`${product.url}/profile`);
    await tab.getByLabel(accounts.profile.name).fill('Resi');
    await tab.getByLabel(accounts.preferences.locale).selectOption('ja-JP');
    await tab.getByRole('button', { name: accounts.preferences.save }).click();
    await expect(tab.getByRole('heading', { name: japanese.preferences.title })).toBeVisible();
    await expect(tab.getByLabel(japanese.profile.name)).toHaveValue('Resi');
    await expect(tab.locator('html')).toHaveAttribute('lang', 'ja');
    await watched.look('languages-profile-ja');
  });

  await test.step('a guest reads French on the page of somebody whose own is Japanese', async () => {
    await openIntro(tab);
    const guest = await browser.newContext({ locale: 'fr-FR' });
    const theirs = await guest.newPage();
    await theirs.goto(`${product.url}/resi/intro`);
    await expect(theirs.locator('html')).toHaveAttribute('lang', 'fr');
    await expect(theirs.getByText(page['zone.change'])).toBeVisible();
    await watchPage(theirs).look('languages-booking-fr', { phone: true });
    await theirs.getByRole('link', { name: 'Deutsch' }).click();
    await expect(theirs.locator('html')).toHaveAttribute('lang', 'de');
    await guest.close();
  });

  await test.step('nothing is wider than a phone, in German and with two fifths more text', async () => {
    await tab.setViewportSize(phone);
    for (const language of ['de', 'en-XA']) {
      for (const path of [
        'dashboard',
        'calendar',
        'meetings',
        'availability',
        'booking-links',
        'integrations',
        'profile',
      ]) {
        await tab.goto(`${product.url}/${path}?lang=${language}`);
        await expect(tab.getByRole('main').getByRole('heading').first()).toBeVisible();
        const width = await tab.evaluate<number>('document.documentElement.scrollWidth');
        expect.soft(width, `${path} in ${language}`).toBeLessThanOrEqual(phone.width);
      }
    }
  });
  await context.close();
});

/** Creates an event type of the signed-in person. */
async function openIntro({ request }: Page): Promise<void> {
  const login = await request.post(`${product.url}/auth/login`, {
    data: { email, password, app: 'user' },
    headers: { origin: product.url },
  });
  const { session_token: token } = (await login.json()) as { session_token: string };
  const api = createClient(bookingContract, {
    baseUrl: product.url,
    headers: () => ({ authorization: `Bearer ${token}` }),
  });
  await api.changeHandle({ body: { handle: 'resi' } });
  await api.createEventType({ body: { title: 'Intro', kind: 'one-on-one' } });
}
