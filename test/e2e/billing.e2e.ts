import { expect, test } from '@playwright/test';
import { sql } from 'kysely';
import { type ControlClient, connectControl } from '#emulators/kit/control-client.ts';
import type { StripeDialect } from '#emulators/stripe/stripe.ts';
import { type DatabaseHandle, openDatabase } from '#platform/db.ts';
import { createLog } from '#platform/log.ts';
import { killAll } from '../harness/spawn-holdfast.ts';
import { signUp } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, watchPage } from './watched-page.ts';

/** A subscription from the trial to its end, at an emulated Stripe whose clock the test controls. */

let database: DatabaseHandle;
let product: Product;
test.beforeAll(async () => {
  const log = await createLog({ level: 'silent', format: 'json' });
  product = await startProduct({
    allow: [],
    env: { SIMULATED_PROVIDERS: 'true', STRIPE_SECRET_KEY: 'simulated' },
  });
  // a second factor has a journey of its own
  database = openDatabase({ url: product.databaseUrl, log });
  await sql`update accounts.settings set require_admin_mfa = false`.execute(database.db);
});
test.afterAll(async () => {
  await database?.close();
  await product?.stop();
  killAll();
});

test('a user goes through trial, payment, plan change, failed payment, and cancellation without losing anything', async ({
  page,
}) => {
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await signUp(page, product, 'anna@example.org');
  let stripe: ControlClient<StripeDialect>;
  const pass = (days: number) => stripe.clock({ advanceMs: days * 86_400_000 });
  const toBilling = () => page.goto(`${product.url}/billing`);

  await test.step('a plan without teams says so, and leads to where that changes', async () => {
    await page.goto(`${product.url}/team`);
    await expect(page.getByText("Your plan doesn't include teams")).toBeVisible();
    await watched.look('team-locked', { phone: true });
    await page.getByRole('link', { name: 'Upgrade to Enable Teams' }).click();
    await expect(page.getByRole('heading', { name: 'Billing & Subscription' })).toBeVisible();
    await expect(page.getByText('Your trial ends on')).toBeVisible();
    await expect(page.getByText('0 of 4 used')).toBeVisible();
    await expect(page.getByText('No invoices found')).toBeVisible();
    await watched.look('billing-trial', { phone: true });
  });

  await test.step('whoever administers the install, as she does, gives something away; it comes off what is paid next', async () => {
    await sql`update accounts.users set role = 'admin'`.execute(database.db);
    await page.goto(`${product.url}/admin/billing`);
    await page.getByRole('button', { name: 'Create code' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create code' });
    await dialog.getByRole('textbox', { name: 'Code' }).fill('half');
    await dialog.getByRole('textbox', { name: 'Percent' }).fill('50');
    await dialog.getByRole('textbox', { name: 'Extra trial days' }).fill('');
    await dialog.getByRole('textbox', { name: 'Maximum uses' }).fill('1');
    await dialog.getByRole('textbox', { name: /^Reason/ }).fill('The journey asks for it');
    await watched.look('admin-code', { phone: true });
    await dialog.getByRole('button', { name: 'Create code' }).click();
    await expect(page.getByText('HALF is ready to use.')).toBeVisible();
    await toBilling();
    await page.getByRole('textbox', { name: 'Code' }).fill('half');
    await page.getByRole('button', { name: 'Apply code' }).click();
    await expect(page.getByText('HALF: 50 % off your next plan, for one month.')).toBeVisible();
    await watched.look('billing-code', { phone: true });
  });

  await test.step('who leaves the page for paying has paid nothing; who pays has the plan', async () => {
    await watched.expectFailedRequests(async () => {
      // a page of Stripe's, which has no icon
      await page.getByRole('button', { name: 'Choose Pro' }).click();
      await expect(page.getByRole('button', { name: 'Start trial' })).toBeVisible();
    });
    stripe = connectControl<StripeDialect>(new URL(page.url()).origin, fetch);
    await page.getByRole('link', { name: 'Back' }).click();
    await expect(page.getByText('Checkout canceled. Nothing was charged.')).toBeVisible();
    await page.getByRole('button', { name: 'Choose Pro' }).click();
    await page.getByLabel('Card number').fill('4242 4242 4242 4242');
    await page.getByRole('button', { name: 'Start trial' }).click();
    await expect(page.getByText("Thank you! You're now on Pro")).toBeVisible();
    await expect(page).toHaveURL(`${product.url}/billing`);
    await expect(page.getByText(/Next invoice: \$6 on/)).toBeVisible();
  });

  await test.step('time passes at Stripe: the screen hears that the first month is paid', async () => {
    await pass(31);
    await expect(page.getByText('Active', { exact: true })).toBeVisible();
    await expect(page.getByText('Paid', { exact: true }).first()).toBeVisible();
    await watched.look('billing-active', { phone: true });
    await page.goto(`${product.url}/admin/billing`);
    const invoices = page.getByRole('table', { name: 'Invoices' });
    await expect(invoices.getByText('Paid', { exact: true }).first()).toBeVisible();
    await expect(invoices.getByText('$6.00')).toBeVisible();
    await expect(page.getByRole('row', { name: /^HALF/ }).getByText('1 of 1')).toBeVisible();
    await watched.look('admin-billing', { phone: true });
    await page.goto(`${product.url}/team`);
    await page.getByRole('button', { name: 'New team' }).click();
    const dialog = page.getByRole('dialog', { name: 'New team' });
    await dialog.getByLabel('Name').fill('Blue Sales');
    await expect(dialog.getByText('This name is available')).toBeVisible();
    await dialog.getByRole('button', { name: 'Create team' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Blue Sales' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'New team' })).toBeHidden();
  });

  await test.step('more is paid at once, and less takes nothing away', async () => {
    await toBilling();
    await page.getByRole('button', { name: 'Choose Business' }).click();
    const dialog = page.getByRole('dialog', { name: 'Switch to Business?' });
    await expect(dialog.getByText("You'll pay the difference")).toBeVisible();
    await watched.look('billing-change');
    await dialog.getByRole('button', { name: 'Change plan' }).click();
    await expect(page.getByText("You're now on Business")).toBeVisible();
    await expect(page.getByText('1 used, no limit')).toBeVisible();
    await page.getByRole('button', { name: 'Choose Pro' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Change plan' }).click();
    await expect(page.getByText("You're now on Pro")).toBeVisible();
    await expect(page.getByText('1 of 1 used')).toBeVisible();
  });

  await test.step('a card that fails: what to do is at the top, and everything goes on', async () => {
    const { subscriptions } = await stripe.snapshot();
    const [portal] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Cards and receipts' }).click(),
    ]);
    await expect(portal.getByText('Payment method')).toBeVisible();
    await portal.getByLabel('Card number').fill('4000 0000 0000 0341');
    // a window that closes before the request was sent changes nothing
    await Promise.all([
      portal.waitForResponse((answer) => answer.request().method() === 'POST'),
      portal.getByRole('button', { name: 'Update' }).click(),
    ]);
    await portal.close();
    expect(subscriptions).toHaveLength(1);
    // the credit from Business covers a month
    await pass(63);
    await expect(page.getByText('Your last payment failed')).toBeVisible();
    await expect(page.getByText('Payment failed', { exact: true })).toBeVisible();
    await watched.look('billing-past-due', { phone: true });
  });

  await test.step('it is ended: until then it can be taken back, and the team stays', async () => {
    await page.getByRole('button', { name: 'Cancel subscription' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel your subscription?' });
    await watched.look('billing-cancel');
    await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
    await expect(page.getByRole('button', { name: 'Keep subscription' })).toBeVisible();
    await page.getByRole('button', { name: 'Keep subscription' }).click();
    await expect(page.getByText('Your subscription continues')).toBeVisible();
    await page.getByRole('button', { name: 'Cancel subscription' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel subscription' }).click();
    await expect(page.getByText('Your subscription ends after this period')).toBeVisible();
    await pass(32);
    await expect(page.getByText('Canceled', { exact: true })).toBeVisible();
    await watched.look('billing-canceled');
    await page.goto(`${product.url}/team`);
    await expect(page.getByRole('heading', { level: 1, name: 'Blue Sales' })).toBeVisible();
  });
  watched.expectQuietConsole();
});
