import { expect, type Locator, type Page, test } from '@playwright/test';
import { killAll } from '../harness/spawn-holdfast.ts';
import { createEvent } from './create-event.ts';
import { signUp } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, watchPage } from './watched-page.ts';

/** A person says when they can be met, and nothing of it is lost when two windows say different things. */

test.use({ actionTimeout: 10_000 });

let product: Product;
test.beforeAll(async () => {
  product = await startProduct({ allow: [] });
});
test.afterAll(async () => {
  await product?.stop();
  killAll();
});

// The chips tell of today and six days more; this is one of them even where the journey runs over midnight. From Tuesday to
// Thursday, as the journey needs the other days for itself.
const today = Temporal.Now.plainDateISO('Europe/Berlin');
const busyDay =
  [2, 3, 4, 5, 6].map((days) => today.add({ days })).find((day) => day.dayOfWeek >= 2 && day.dayOfWeek <= 4) ?? today;
const busyName = busyDay.toLocaleString('en', { weekday: 'long' });

const chipOf = (page: Page, day: string): Locator =>
  page.getByRole('listitem').filter({ has: page.getByLabel(day, { exact: true }) });
const panel = (page: Page, title: string) => page.locator('section').filter({ hasText: title });

test('a host sets hours, saves them as versions, and resolves edits from two windows', async ({ page, context }) => {
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await watched.expectFailedRequests(() => signUp(page, product, 'hours@example.org'));
  await page.goto(`${product.url}/integrations`);
  await page.getByRole('button', { name: 'Connect Calendar Account' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Holdfast calendar' }).click();
  await expect(page.getByText('Kept by Holdfast').first()).toBeVisible();
  await page.goto(`${product.url}/availability`);

  await test.step('the usual hours stand there, each day with its status', async () => {
    await expect(page.getByRole('combobox', { name: 'Timezone' })).toHaveValue('Europe/Berlin');
    await expect(chipOf(page, 'Friday')).toContainText('Free');
    await expect(chipOf(page, 'Sunday')).toContainText('Unavailable');
    await expect(page.getByText('No date overrides set')).toBeVisible();
    await createEvent(page, product, { title: 'Dentist', day: busyDay });
    await expect(chipOf(page, busyName)).toContainText('Conflict');
  });

  await test.step('changed by keys alone and saved, they are a policy and the default', async () => {
    await page.getByLabel('Saturday', { exact: true }).focus();
    await page.keyboard.press('Space');
    await page.getByLabel('Saturday from', { exact: true }).fill('10:00');
    await page.getByLabel('Saturday to', { exact: true }).fill('10:00');
    await expect(page.getByText('Start and end are the same time.', { exact: false })).toBeVisible();
    await page.getByLabel('Saturday to', { exact: true }).fill('13:00');
    await page.getByRole('button', { name: '+ Add Override' }).click();
    await page
      .getByRole('dialog')
      .getByLabel(/^Date/)
      .fill(busyDay.add({ days: 1 }).toString());
    await page.getByLabel('Not available on this day').check();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByText('Hours saved')).toBeVisible();
    const card = page.getByRole('listitem').filter({ hasText: 'Working hours' });
    await expect(card).toContainText('Active');
    await expect(card).toContainText('Version 1');
  });

  await test.step('a rule makes the conflict a hold that may be booked over', async () => {
    await panel(page, 'Hold Rules').getByRole('button', { name: 'Add rule' }).click();
    await page.getByRole('textbox', { name: 'Title prefix' }).fill('dent');
    await page.getByRole('button', { name: 'Save rule' }).click();
    await expect(chipOf(page, busyName)).toContainText('Lower Priority Hold');
  });

  await test.step('days off, and the holidays of a country', async () => {
    await panel(page, 'Out of Office').getByRole('button', { name: 'Add time off' }).click();
    await page.getByLabel('Reason (optional)').fill('Skiing');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Skiing')).toBeVisible();
    await page.getByRole('combobox', { name: 'Country' }).fill('Germ');
    await page.getByRole('option', { name: 'Germany' }).click();
    await expect(page.getByRole('checkbox', { name: 'Good Friday' })).toBeChecked();
  });

  await test.step('who saves later sees both, and chooses', async () => {
    const other = await context.newPage();
    await other.goto(`${product.url}/availability`);
    await page.getByLabel('Monday from', { exact: true }).fill('07:00');
    await other.getByLabel('Monday from', { exact: true }).fill('08:00');
    await other.getByRole('button', { name: 'Save Changes' }).click();
    await expect(other.getByText('Hours saved')).toBeVisible();
    await other.close();
    const dialog = page.getByRole('dialog', { name: 'These hours were changed elsewhere' });
    await watched.expectFailedRequests(async () => {
      await page.getByRole('button', { name: 'Save Changes' }).click();
      await expect(dialog).toContainText('7:00 AM – 5:00 PM');
      await expect(dialog).toContainText('8:00 AM – 5:00 PM');
    });
    await dialog.getByRole('button', { name: 'Save mine' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText('Version 3', { exact: true })).toBeVisible();
    await expect(page.getByLabel('Monday from', { exact: true })).toHaveValue('7:00 AM');
  });

  await page.evaluate('scrollTo(0, 0)');
  await watched.look('availability', { phone: true });
  watched.expectQuietConsole();
});
