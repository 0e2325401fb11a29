import { expect, test } from '@playwright/test';
import { killAll } from '../harness/spawn-holdfast.ts';
import { fillSignIn, password } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { phone, watchPage } from './watched-page.ts';

/** A person who has just started Holdfast on their own machine: no address of its own, no mail server. */

const email = 'newcomer@example.org';
let product: Product;

test.beforeAll(async () => {
  product = await startProduct({ embedded: true, allow: [], env: { PUBLIC_URL: undefined, SMTP_URL: undefined } });
});

test.afterAll(async () => {
  await product?.stop();
  killAll();
});

test('a new user signs up, reads the mail on the mail page, and signs in', async ({ page }) => {
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
    await expect(page.getByLabel('Email')).toHaveValue(email);
    await fillSignIn(page, email);
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
  const startedMs = performance.now();
  await step('Connect a calendar').getByRole('link').click();
  await page.getByRole('button', { name: 'Connect Calendar Account' }).click();
  await page.getByRole('button', { name: 'Simulate Google' }).click();
  await expect(page.getByText('Google account simulated successfully!')).toBeVisible();
  await page.goto(`${product.url}/dashboard`);
  await expect(step('Connect a calendar')).toContainText('Done');
  // a person with one account may want this later
  await expect(step('Block time everywhere').getByRole('link', { name: 'Set up mirroring' })).toBeVisible();
  await step('Check your hours').getByRole('link').click();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Hours saved')).toBeVisible();
  await page.goto(`${product.url}/dashboard`);
  await expect(step('Check your hours')).toContainText('Done');
  await step('Create an event type').getByRole('button').click();
  await page.getByRole('dialog').getByLabel('Title').fill('Intro call');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Intro call' })).toBeVisible();
  await page.goto(`${product.url}/dashboard`);
  await expect(step('Create an event type')).toContainText('Done');
  // an address of one's own is part of it
  await step('Copy your link').getByRole('button', { name: /^Use / }).click();
  await step('Copy your link').getByRole('button', { name: 'Copy link' }).click();
  await expect(steps).toBeHidden();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  process.stdout.write(`The first steps took ${Math.round(performance.now() - startedMs)} ms\n`);
  // nothing of the app runs any more that would lead to its sign-in meanwhile
  await page.goto('about:blank');
  await page.context().clearCookies();
  expect(copied).toBe(`http://localhost:${new URL(product.url).port}/newcomer`);
  await page.goto(`${product.url}/newcomer`);
  await page.getByRole('link', { name: /Intro call/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Intro call' })).toBeVisible();
});
