import { expect, test } from '@playwright/test';
import { bookingContract } from '#features/booking/contract.ts';
import { defaultSettings } from '#features/booking/rules/type-settings.ts';
import { createClient } from '#kernel/contract-client.ts';
import { waitFor } from '../harness/wait-for.ts';
import { password, signUp } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, phone, watchPage } from './watched-page.ts';

/** A host hides their address, and a guest without script writes to them from the page of the booking. */

let product: Product;
test.beforeAll(async () => {
  product = await startProduct({ allow: [] });
});
test.afterAll(() => product.stop());

const host = 'anna.with.a.rather.long.address@subdomain.example.org';

test('a guest without script writes to a host who hides their address, and the host answers by mail', async ({
  page,
  browser,
}) => {
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await watched.expectFailedRequests(() => signUp(page, product, host));
  const headers = { origin: product.url };
  const login = await page.request.post(`${product.url}/auth/login`, {
    data: { email: host, password, app: 'user' },
    headers,
  });
  const { session_token: token } = (await login.json()) as { session_token: string };
  const authorization = `Bearer ${token}`;
  const api = createClient(bookingContract, { baseUrl: product.url, headers: () => ({ authorization }) });
  await api.changeHandle({ body: { handle: 'anna-lee' } });
  const title = 'Kennenlerngespräch über Donaudampfschifffahrt und alles andere';
  const { event_type: type } = await api.createEventType({ body: { title, kind: 'one-on-one' } });
  await api.changeEventType({
    params: { id: type.id },
    body: {
      version: 1,
      title,
      slug: 'intro',
      description: '',
      hidden: false,
      secret: false,
      settings: {
        ...defaultSettings('one-on-one'),
        notice_minutes: 0,
        location: { kind: 'in-person', address: 'Main Street 1' },
        // past from the beginning: nobody can change it any more
        cancellation: { until_minutes: 525_600, text: '' },
      },
    },
  });

  await page.goto(`${product.url}/profile`);
  await page.getByLabel('Hide my email address from guests').check();
  await watched.look('preferences', { phone: true });
  await page.setViewportSize(desktop);
  await page.getByRole('button', { name: 'Save preferences' }).click();
  await expect(page.getByText('Preferences updated successfully')).toBeVisible();

  const context = await browser.newContext({ javaScriptEnabled: false, viewport: phone });
  const guest = await context.newPage();
  await guest.goto(`${product.url}/anna-lee/intro?zone=Europe/Berlin`);
  await guest.locator('.slot').first().click();
  await guest.getByLabel('Your name').fill('Kei Tanaka');
  await guest.getByLabel('Your email').fill('kei@example.net');
  await guest.getByRole('button', { name: 'Confirm booking' }).click();
  await expect(guest.getByText('This can no longer be changed online.')).toBeVisible();
  expect(await guest.content()).not.toContain(host);
  await guest.getByRole('link', { name: /^Write to / }).click();
  const at = guest.url();
  await expect(guest.getByLabel('Message')).toHaveAccessibleDescription(/At most 1,500 characters\.$/);
  await guest.getByLabel('Message').fill('I am ten minutes late.\n\nKei');
  await guest.getByRole('button', { name: 'Send' }).click();
  await expect(guest.getByRole('status')).toContainText('Your message was sent to');
  await waitFor('the message to the host', () =>
    product.smtp.mailsTo(host).some(({ parsed }) => parsed.text?.includes('ten minutes late')),
  );
  const mail = product.smtp.mailsTo(host).at(-1);
  expect(mail?.parsed.replyTo).toEqual([{ name: 'Kei Tanaka', address: 'kei@example.net' }]);
  expect(mail?.parsed.from?.name).toBe('Kei Tanaka via Holdfast');

  await page.goto(at);
  const look = watchPage(page);
  // with script each character counts, and a screen reader hears it near the limit only
  const text = page.getByLabel('Message');
  await text.fill('I am late');
  await expect(text).toHaveAccessibleDescription(/1,491 characters left$/);
  await expect(page.getByText('1,491 characters left')).toHaveAttribute('aria-live', 'off');
  await text.fill('a'.repeat(1_499));
  await expect(page.getByText('1 character left')).toHaveAttribute('aria-live', 'polite');
  await look.look('message', { phone: true });
  await page.goto(`${at.replace('/message', '')}?message=sent`);
  await look.look('message-sent', { phone: true });
  for (const language of ['de', 'fr', 'es', 'ja']) {
    await page.goto(`${at}?lang=${language}`);
    await look.look(`message-${language}`);
  }
  look.expectQuietConsole();
  await context.close();
});
