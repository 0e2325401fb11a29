import { expect, type Locator, type Page } from '@playwright/test';

/** How somebody without a mouse gets about: Tab, arrows, and what has the focus. */

/** More presses than any screen has stops. */
const mostPresses = 120;

/** Asked of the element itself: a search of the whole page for each press would take most of a journey's time. */
async function focusOf(target: Locator): Promise<() => Promise<boolean>> {
  let handle = await target.elementHandle();
  return async () => {
    // the element may have been redrawn
    if (!(await handle?.evaluate((one) => one.isConnected))) handle = await target.elementHandle();
    return (await handle?.evaluate((one) => one.matches(':focus'))) === true;
  };
}

/** Tab until it has the focus; it has to come, and within one round. */
export async function tabTo(target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  const { keyboard } = target.page();
  const hasFocus = await focusOf(target);
  for (let presses = 0; presses < mostPresses; presses += 1) {
    if (await hasFocus()) return;
    await keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
}

export async function pressByKeys(button: Locator): Promise<void> {
  await tabTo(button);
  await button.page().keyboard.press('Enter');
}

/**
 * Arrows to an option, in a list whose options are read first. Once more where the focus was taken away meanwhile: a dialog
 * puts it on its first field twice, and on a busy machine the second time may come after somebody's first Tab.
 */
export async function pickByKeys(select: Locator, label: string): Promise<void> {
  await expect(select).toBeVisible();
  const options = select.locator('option');
  const labels = await options.allTextContents();
  const to = labels.findIndex((one) => one.includes(label));
  expect(to, `${label} among ${labels.join(', ')}`).toBeGreaterThanOrEqual(0);
  const values = await Promise.all((await options.all()).map((one) => one.getAttribute('value')));
  await expect(async () => {
    await tabTo(select);
    const from = values.indexOf(await select.inputValue());
    for (let step = from; step !== to; step += Math.sign(to - from)) {
      await select.page().keyboard.press(to > from ? 'ArrowDown' : 'ArrowUp');
    }
    await expect(select).toHaveValue(values[to] ?? '', { timeout: 1_000 });
  }).toPass();
}

/** Where the focus stands in the grid, in words because this side of the tests knows no DOM; null outside of it. */
const stopInFocus = `(() => {
  const { column, minute, slot } = document.activeElement?.dataset ?? {};
  return column === undefined ? null : { column: Number(column), minute: Number(minute), isSlot: slot !== undefined };
})()`;

interface Stop {
  column: number;
  minute: number;
  isSlot: boolean;
}

async function stopOf(target: Locator): Promise<Stop> {
  const [column, minute, slot] = await Promise.all(
    ['data-column', 'data-minute', 'data-slot'].map((name) => target.getAttribute(name)),
  );
  return { column: Number(column), minute: Number(minute), isSlot: slot != null };
}

const press = async (page: Page, key: string, times: number) => {
  for (let time = 0; time < times; time += 1) await page.keyboard.press(key);
};

/** To an empty hour, or an event in it, of a calendar's grid: Tab into the grid, then arrows. */
export async function walkTo(target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  const hasFocus = await focusOf(target);
  if (await hasFocus()) return;
  const page = target.page();
  let here = await page.evaluate<Stop | null>(stopInFocus);
  for (let presses = 0; here === null && presses < mostPresses; presses += 1) {
    await page.keyboard.press('Tab');
    here = await page.evaluate<Stop | null>(stopInFocus);
  }
  if (here?.isSlot === false) {
    await page.keyboard.press('Shift+Tab');
    here = await page.evaluate<Stop | null>(stopInFocus);
  }
  if (here === null) throw new Error('Tab does not lead into the grid');
  const to = await stopOf(target);
  const hourOf = ({ minute }: Stop) => Math.floor(minute / 60);
  const [days, hours] = [to.column - here.column, hourOf(to) - hourOf(here)];
  await press(page, days > 0 ? 'ArrowRight' : 'ArrowLeft', Math.abs(days));
  await press(page, hours > 0 ? 'ArrowDown' : 'ArrowUp', Math.abs(hours));
  if (!to.isSlot) {
    await page.keyboard.press('Tab');
    // Tab finds what happens in that hour; of several that begin then it is the first.
    for (let presses = 0; presses < 6 && !(await hasFocus()); presses += 1) await page.keyboard.press('ArrowDown');
  }
  await expect(target).toBeFocused();
}
