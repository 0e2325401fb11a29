import { expect, type Locator, type Page, test } from '@playwright/test';
import { killAll } from '../harness/spawn-holdfast.ts';
import { goTo, signUp } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, inMotion, watchPage } from './watched-page.ts';

/**
 * The grid by pointer and by keys, in New York with the browser in Tokyo, in the week whose Sunday has no 2:30 and in the
 * one whose Sunday has 1:30 twice: what is drawn, moved and resized stands at the provider at that time of New York's
 * clock, and is there when the page comes again.
 */

test.use({ ...inMotion, timezoneId: 'Asia/Tokyo' });

/** The clocks skip from 2 to 3 on its first day. */
const sunday = '2027-03-14';
/** From 2 they go back to 1. */
const longSunday = '2027-11-07';

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

/** Waits for the pointer code, which loads after the grid, and for events, which may make the all-day row higher. */
async function expectReady(page: Page) {
  await expect(page.locator('[data-gestures]')).toBeAttached();
  await expect(page.locator('[data-event]').first()).toBeAttached();
}

async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 8 });
}

async function middleOf(card: Locator) {
  let box: Awaited<ReturnType<Locator['boundingBox']>> = null;
  // a new card is redrawn when the server has named it, maybe right now
  await expect(async () => {
    box = await card.boundingBox();
    expect(box).not.toBeNull();
  }).toPass();
  const { x, y, width, height } = box ?? { x: 0, y: 0, width: 0, height: 0 };
  return { x: x + width / 2, y: y + 10, bottom: y + height };
}

/** Nothing of that week waits to be written. */
async function expectWritten(page: Page, sunday: string) {
  const end = Temporal.PlainDate.from(sunday).add({ days: 7 }).toString();
  await expect(async () => {
    const answer = await page.request.get(`${product.url}/api/edits?from=${sunday}T00:00:00Z&to=${end}T00:00:00Z`);
    const { edits } = (await answer.json()) as { edits: { state: string }[] };
    expect(edits.filter(({ state }) => state !== 'done' && state !== 'undone')).toEqual([]);
  }).toPass({ intervals: [50] });
}

/** Written, as its calendar says: at these instants. */
async function expectStands(page: Page, title: string, start: string, end: string) {
  await expectWritten(page, longSunday);
  await expect(async () => {
    const answer = await page.request.get(
      `${product.url}/api/calendars/events?from=2027-11-05T00:00:00Z&to=2027-11-10T00:00:00Z`,
    );
    const { events } = (await answer.json()) as { events: object[] };
    expect(events).toContainEqual(expect.objectContaining({ title, start_time: start, end_time: end }));
  }).toPass({ intervals: [50] });
}

test('an event is drawn, dragged across a DST change, resized, and moved by keyboard', async ({ page }) => {
  const watched = watchPage(page);
  await page.setViewportSize({ ...desktop, height: 1200 });
  await watched.expectFailedRequests(() => signUp(page, product, 'dana@example.org'));
  await goTo(page, 'Integrations');
  await page.getByRole('button', { name: 'Connect Calendar Account' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Simulate Google' }).click();
  await expect(page.getByText('Google account simulated successfully!')).toBeVisible();

  const address = `${product.url}/calendar?view=week&day=${sunday}&zone=America/New_York`;
  await page.goto(address);
  await expectReady(page);
  await slot(page, 'Monday, March 15, 1 AM').scrollIntoViewIfNeeded();

  // Drawn over more than a day: it says from when to when, and Escape makes nothing of it.
  await drag(page, await pointAt(page, 'Monday, March 15', 1.5), await pointAt(page, 'Wednesday, March 17', 3.05));
  await expect(page.locator('[data-ghosts="days"]')).toHaveText(
    /^Monday, March 15, 1:30\sAM – Wednesday, March 17, 3:15\sAM/,
  );
  await page.keyboard.press('Escape');
  await page.mouse.up();

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

  // the end is dragged down by half an hour; Escape would have kept it
  const end = await middleOf(card);
  const half = (await pointAt(page, 'Sunday, March 14', 1)).y - (await pointAt(page, 'Sunday, March 14', 0.5)).y;
  await drag(page, { x: end.x, y: end.bottom - 4 }, { x: end.x, y: end.bottom - 4 + 4 * half });
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await expect(spoken(page)).toHaveText('No change');
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
  await expectWritten(page, sunday);
  await page.reload();
  await expect(card).toHaveAccessibleName(/^Review 1:45 – 4:45\sAM/);

  // an event held at the outer edge moves into another week, and back
  const call = page.getByRole('button', { name: /^Early call / });
  const grid = await page.locator('[data-grid]').boundingBox();
  if (grid === null) throw new Error('There is no grid');
  const firstSlot = () => page.locator('[data-slot]').first().getAttribute('aria-label');
  const hold = async (x: number) => {
    await call.scrollIntoViewIfNeeded();
    const [at, before] = [await middleOf(call), await firstSlot()];
    await drag(page, at, { x, y: at.y });
    await expect.poll(firstSlot).not.toBe(before);
    await page.mouse.move(grid.x + grid.width / 2, at.y, { steps: 4 });
    await page.mouse.up();
    await expect(call).toBeVisible();
  };
  await hold(grid.x + grid.width - 3);
  await expect(spoken(page)).toHaveText(/^Moved to Wednesday, March (24|31)/);
  await hold(grid.x + 3);
  await expect(spoken(page)).toHaveText(/^Moved to Wednesday, March (10|17|24)/);
  // The night that is an hour longer: drawn from before it to after it, and its end dragged on.
  await page.goto(`${product.url}/calendar?view=week&day=${longSunday}&zone=America/New_York`);
  await expectReady(page);
  await slot(page, 'Sunday, November 7, 12 AM').scrollIntoViewIfNeeded();
  await drag(page, await pointAt(page, 'Sunday, November 7', 0.5), await pointAt(page, 'Sunday, November 7', 2.95));
  await page.mouse.up();
  await quick.getByRole('textbox', { name: 'Title' }).fill('Release');
  await page.keyboard.press('Enter');
  const night = page.getByRole('button', { name: /^Release / });
  await expect(quick).toBeHidden();
  await expect(night).toHaveAccessibleName(/^Release 12:30 – 3:00\sAM/);
  const late = await middleOf(night);
  await drag(page, { x: late.x, y: late.bottom - 4 }, { x: late.x, y: late.bottom - 4 + half });
  await page.mouse.up();
  await expect(night).toHaveAccessibleName(/^Release 12:30 – 3:30\sAM/);
  // And to the day after: as long as it was, which is four hours on that day's clock.
  const there = await middleOf(night);
  const [onSunday, onMonday] = [
    await pointAt(page, 'Sunday, November 7', 1),
    await pointAt(page, 'Monday, November 8', 1),
  ];
  await drag(page, there, { x: onMonday.x, y: there.y + onMonday.y - onSunday.y });
  await page.mouse.up();
  await expect(night).toHaveAccessibleName(/^Release 12:30 – 4:30\sAM/);
  await expectStands(page, 'Release', '2027-11-08T05:30:00.000Z', '2027-11-08T09:30:00.000Z');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(night).toHaveAccessibleName(/^Release 12:30 – 3:30\sAM/);
  await expectStands(page, 'Release', '2027-11-07T04:30:00.000Z', '2027-11-07T08:30:00.000Z');
  watched.expectQuietConsole();
});
