import { expect, type Locator, type Page, test } from '@playwright/test';
import { killAll } from '../harness/spawn-holdfast.ts';
import { goTo, signUp } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, watchPage } from './watched-page.ts';

/**
 * The grid by pointer and by keys, in New York with the browser in Tokyo, in the week whose Sunday has no 2:30: what is
 * drawn, moved and resized stands at the provider at that time of New York's clock, and is there when the page comes
 * again.
 */

test.use({ timezoneId: 'Asia/Tokyo' });

/** The clocks skip from 2 to 3 on its first day. */
const sunday = '2027-03-14';

let product: Product;

test.beforeAll(async () => {
  product = await startProduct({ allow: [], env: { SIMULATED_PROVIDERS: 'true' } });
});

test.afterAll(async () => {
  await product?.stop();
  killAll();
});

const slot = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const spoken = (page: Page) => page.locator('[data-spoken]');

/** A point of a day's column: so many hours down its first slot. */
async function pointAt(page: Page, day: string, hour: number) {
  const [noon, midnight] = await Promise.all(
    [`${day}, 12 PM`, `${day}, 12 AM`].map((name) => slot(page, name).boundingBox()),
  );
  if (noon == null || midnight == null) throw new Error(`${day} is not on the grid`);
  const hourPx = (noon.y - midnight.y) / 12;
  return { x: midnight.x + midnight.width / 2, y: midnight.y + hour * hourPx };
}

async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 8 });
}

async function middleOf(card: Locator) {
  const box = await card.boundingBox();
  if (box === null) throw new Error('The event is not on the grid');
  return { x: box.x + box.width / 2, y: box.y + 10, bottom: box.y + box.height };
}

test('an event is drawn, moved over the change of the clocks, resized and moved by keys', async ({ page }) => {
  const watched = watchPage(page);
  await page.setViewportSize({ ...desktop, height: 1200 });
  await watched.expectFailedRequests(() => signUp(page, product, 'dana@example.org'));
  await goTo(page, 'Integrations');
  await page.getByRole('button', { name: 'Connect Calendar Account' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Simulate Google' }).click();
  await expect(page.getByText('Google account simulated successfully!')).toBeVisible();

  const address = `${product.url}/calendar?view=week&day=${sunday}&zone=America/New_York`;
  await page.goto(address);
  await slot(page, 'Monday, March 15, 1 AM').scrollIntoViewIfNeeded();

  // Drawn: half past one to three.
  await drag(page, await pointAt(page, 'Monday, March 15', 1.5), await pointAt(page, 'Monday, March 15', 2.95));
  await expect(page.locator('[data-ghosts="hours"]')).toContainText('1:30 – 3:00 AM');
  await page.mouse.up();
  const quick = page.getByRole('dialog', { name: 'Create Event' });
  await quick.getByRole('textbox', { name: 'Title' }).fill('Review');
  await page.keyboard.press('Enter');
  await expect(quick).toBeHidden();
  const card = page.getByRole('button', { name: /^Review / });
  await expect(card).toHaveAccessibleName(/^Review 1:30 – 3:00\sAM/);

  // Moved to a time that Sunday does not have: an hour later, and as long as before.
  const from = await middleOf(card);
  const start = await pointAt(page, 'Monday, March 15', 1.5);
  const gap = await pointAt(page, 'Sunday, March 14', 2.5);
  await drag(page, from, { x: gap.x, y: gap.y + from.y - start.y });
  await page.mouse.up();
  await expect(spoken(page)).toHaveText(/^Moved to Sunday, March 14, 3:30 – 5:00\sAM/);
  await expect(card).toHaveAccessibleName(/^Review 3:30 – 5:00\sAM/);

  // Its end dragged down by half an hour; Escape would have kept it.
  const end = await middleOf(card);
  const half = (await pointAt(page, 'Sunday, March 14', 1)).y - (await pointAt(page, 'Sunday, March 14', 0.5)).y;
  await drag(page, { x: end.x, y: end.bottom - 4 }, { x: end.x, y: end.bottom - 4 + 4 * half });
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await expect(spoken(page)).toHaveText('Left as it was');
  await drag(page, { x: end.x, y: end.bottom - 4 }, { x: end.x, y: end.bottom - 4 + half });
  await page.mouse.up();
  await expect(card).toHaveAccessibleName(/^Review 3:30 – 5:30\sAM/);

  // By keys: three quarters earlier leads out of the hour that is not there, on its other side.
  await card.focus();
  await page.keyboard.down('Shift');
  for (const at of ['3:15 – 5:15', '3:00 – 5:00', '1:45 – 4:45']) {
    await page.keyboard.press('ArrowUp');
    await expect(spoken(page)).toHaveText(new RegExp(`^Moved to Sunday, March 14, ${at}\\sAM`));
  }
  await page.keyboard.up('Shift');
  await expect(card).toHaveAccessibleName(/^Review 1:45 – 4:45\sAM/);
  await expect(card).toBeFocused();

  // An empty hour by keys alone: from the event's own hour a day on, Enter.
  await page.keyboard.press('Shift+Tab');
  await expect(slot(page, 'Sunday, March 14, 1 AM')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await quick.getByRole('textbox', { name: 'Title' }).fill('Early call');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^Early call 1:00 – 2:00\sAM/ })).toBeVisible();
  await watched.look('grid-edited');

  // All of it stands at the provider, and comes from there.
  await expect
    .poll(async () => {
      const answer = await page.request.get(
        `${product.url}/api/edits?from=2027-03-14T00:00:00Z&to=2027-03-21T00:00:00Z`,
      );
      const { edits } = (await answer.json()) as { edits: { state: string }[] };
      return edits.filter(({ state }) => state !== 'done' && state !== 'undone').length;
    })
    .toBe(0);
  await page.reload();
  await expect(card).toHaveAccessibleName(/^Review 1:45 – 4:45\sAM/);
  watched.expectQuietConsole();
});
