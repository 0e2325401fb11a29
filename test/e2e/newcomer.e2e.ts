import { expect, type Locator, test } from '@playwright/test';
import { killAll } from '../harness/spawn-holdfast.ts';
import { fillSignIn, password } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, phone, watchPage } from './watched-page.ts';

/** A person who has just started Holdfast on their own machine: no address of its own, no mail server. */

const email = 'newcomer@example.org';
let product: Product;

// later tests sign in with the account of the first, so a retry begins there
test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  product = await startProduct({ embedded: true, allow: [], env: { PUBLIC_URL: undefined, SMTP_URL: undefined } });
});

test.afterAll(async () => {
  await product?.stop();
  killAll();
});

test('a new user signs up, reads the mail on the mail page, and is signed in by its link', async ({ page }) => {
  const watched = watchPage(page);
  await page.setViewportSize(phone);
  await watched.expectFailedRequests(async () => {
    const [, address = ''] = /^Open (\S+) in a browser/m.exec(product.output()) ?? [];
    await page.goto(address);
    await page.getByRole('link', { name: 'Sign up' }).click();
    await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByLabel('Confirm password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign up', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Check Your Email' })).toBeFocused();
    await watched.look('newcomer-mail');
    // From here on the browser notes that the test itself may not run in the frame with the mail.
    watched.expectQuietConsole();
    await page.getByRole('link', { name: 'Open the email' }).click();
    await page.getByRole('link', { name: 'Confirm your email address' }).click();
    await page.frameLocator('iframe').getByRole('link', { name: 'Confirm address' }).click();
    await page.getByRole('button', { name: 'Verify email' }).click();
    // This browser chose the password a minute ago: nobody asks for it again.
    await expect(page).toHaveURL(/\/dashboard$/);
  });
});

test('the first steps lead from an empty account to a working booking link', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.setViewportSize(phone);
  await page.goto(`${product.url}/login`);
  await fillSignIn(page, email);
  const steps = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Get set up in five steps' }) });
  const step = (name: string) => steps.getByRole('listitem').filter({ hasText: name });
  const showSteps = () => steps.getByRole('button', { name: 'Show all steps' }).click();
  const startedMs = performance.now();
  await showSteps();
  await step('Connect a calendar').getByRole('link').click();
  await page.getByRole('button', { name: 'Simulate Google' }).click();
  await expect(page.getByText('Google account simulated successfully!')).toBeVisible();
  await page.goto(`${product.url}/dashboard`);
  await showSteps();
  await expect(step('Connect a calendar')).toContainText('Done');
  // a person with one account may want this later
  await expect(step('Block time everywhere').getByRole('link', { name: 'Set up mirroring' })).toBeVisible();
  await step('Check your hours').getByRole('link').click();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Hours saved')).toBeVisible();
  await page.goto(`${product.url}/dashboard`);
  await showSteps();
  await expect(step('Check your hours')).toContainText('Done');
  await step('Create an event type').getByRole('button').click();
  await page.getByRole('dialog').getByLabel('Title').fill('Intro call');
  // an address of one's own is part of it
  await expect(page.getByRole('dialog').getByLabel('Your address')).toHaveValue('newcomer');
  await page.keyboard.press('Enter');
  const live = page.getByRole('dialog', { name: '“Intro call” is live' });
  await expect(live.getByText('Copied to your clipboard.')).toBeVisible();
  await live.getByRole('button', { name: 'Done' }).click();
  await expect(steps).toBeHidden();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  process.stdout.write(`The first steps took ${Math.round(performance.now() - startedMs)} ms\n`);
  // nothing of the app runs any more that would lead to its sign-in meanwhile
  await page.goto('about:blank');
  await page.context().clearCookies();
  expect(copied).toBe(`http://localhost:${new URL(product.url).port}/newcomer/intro-call`);
  await page.goto(`${product.url}/newcomer`);
  await page.getByRole('link', { name: /Intro call/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Intro call' })).toBeVisible();
});

test('from sign-up to the first block are 10 clicks at most, and to a link that can be shared 14', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.setViewportSize(desktop);
  const [, address = ''] = /^Open (\S+) in a browser/m.exec(product.output()) ?? [];
  await page.goto(address);
  await page.getByRole('link', { name: 'Sign up' }).first().click();
  let clicks = 0;
  const click = async (target: Locator) => {
    await target.click();
    clicks += 1;
  };
  const dialog = page.getByRole('dialog');

  await page.getByLabel('Email').fill('counted@example.org');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm password', { exact: true }).fill(password);
  await click(page.getByRole('button', { name: 'Sign up', exact: true }));
  await click(page.getByRole('link', { name: 'Open the email' }));
  await click(page.getByRole('link', { name: 'Confirm address' }).first());
  await click(page.getByRole('button', { name: 'Verify email' }));
  await click(page.getByRole('link', { name: 'Connect Calendar' }).first());
  await click(dialog.getByRole('button', { name: 'Simulate Google' }));
  await click(page.getByRole('button', { name: 'Connect Account' }));
  await click(dialog.getByRole('button', { name: 'Simulate Microsoft' }));
  await click(page.getByRole('link', { name: 'Set up mirroring' }));
  await click(dialog.getByRole('button', { name: /^Add \d+ blocks$/ }));
  await expect(page.getByText(/^(\d+)\/\1 synced$/)).toBeVisible({ timeout: 60_000 });
  expect(clicks, 'clicks to the first block').toBeLessThanOrEqual(10);

  await click(page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Dashboard' }));
  await click(page.getByRole('button', { name: 'Show all steps' }));
  await click(page.getByRole('listitem').getByRole('button', { name: 'Create Event Type' }));
  await dialog.getByLabel('Title').fill('Intro call');
  await click(dialog.getByRole('button', { name: 'Create and get link' }));
  await expect(dialog.getByText('Copied to your clipboard.')).toBeVisible();
  expect(clicks, 'clicks to a link').toBeLessThanOrEqual(14);
  const link = await page.evaluate<string>('navigator.clipboard.readText()');
  await page.goto('about:blank');
  await page.context().clearCookies();
  await page.goto(link);
  await expect(page.getByRole('heading', { level: 1, name: 'Intro call' })).toBeVisible();
});
