import { expect, type Locator, type Page, test } from '@playwright/test';
import type { GoogleDialect } from '../../src/emulators/google/google.ts';
import { connectControl } from '../../src/emulators/kit/control-client.ts';
import type { MicrosoftDialect } from '../../src/emulators/microsoft/launch.ts';
import { type CaldavServer, whyMissing } from '../harness/caldav-servers.ts';
import { killAll } from '../harness/spawn-holdfast.ts';
import { askToConnect, goTo, signUp } from './person.ts';
import { type Product, startProduct } from './product.ts';
import type { RemoteCalendar, RemoteEvent } from './remote-calendar.ts';
import { startHome } from './start-home.ts';
import { desktop, phone, watchPage } from './watched-page.ts';

/**
 * Events made, changed and deleted on the screen, and what becomes of them at simulated providers and on a real Radicale:
 * by pointer, by keys alone, in a series, against somebody who was faster, and taken back.
 */

const missing = whyMissing('radicale');
test.skip(missing !== null, missing ?? '');
test.use({ actionTimeout: 20_000, timezoneId: 'Asia/Tokyo' });

const dana = { username: 'dana@example.org', password: 'secret' };
const zone = 'Europe/Berlin';

let product: Product;
let radicale: CaldavServer;
let home: RemoteCalendar;

/** A week that nobody's simulated life fills to the brim. */
const today = Temporal.Now.zonedDateTimeISO(zone).toPlainDate();
const monday = today.add({ days: 8 - today.dayOfWeek + 14 });
const wall = (day: number, time: string) => `${monday.add({ days: day }).toString()}T${time}`;
const instant = (day: number, time: string) =>
  Temporal.PlainDateTime.from(wall(day, time)).toZonedDateTime(zone).toInstant().toString();

test.beforeAll(async () => {
  ({ radicale, home } = await startHome(dana));
  product = await startProduct({ allow: [radicale.url], env: { SIMULATED_PROVIDERS: 'true' } });
});

test.afterAll(async () => {
  await product?.stop();
  killAll();
  await radicale?.stop();
});

const form = (page: Page) => page.getByRole('dialog', { name: /^(Create|Edit) Event$/ });
const event = (page: Page, title: string) => page.locator('[data-event]').filter({ hasText: title });
const chooseCalendar = async (place: Locator, name: string) => {
  const select = place.getByRole('combobox', { name: 'Target Calendar' });
  const label = await select.locator('option', { hasText: `· ${name}` }).textContent();
  await select.selectOption({ label: label ?? '' });
};

/** Waits for the events with this title on Radicale. */
async function atHome(title: string, count = 1): Promise<RemoteEvent[]> {
  let found: RemoteEvent[] = [];
  await expect(async () => {
    found = (await home.events()).filter((one) => one.title === title);
    expect(found).toHaveLength(count);
  }).toPass({ timeout: 30_000, intervals: [100] });
  return found;
}

async function connectAll(page: Page) {
  await goTo(page, 'Integrations');
  for (const [button, name] of [
    ['Google', 'Google'],
    ['Microsoft', 'Microsoft Outlook'],
  ] as const) {
    await page.getByRole('button', { name: /^Connect (Calendar )?Account$/ }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: `Simulate ${button}` })
      .click();
    await expect(page.getByText(`${name} account simulated successfully!`)).toBeVisible();
  }
  const dialog = await askToConnect(page, { url: radicale.url, ...dana });
  await expect(dialog).toBeHidden();
}

/** To another week, until its events are there. */
async function step(page: Page, name: 'Next week' | 'Previous week') {
  const before = page.url();
  await page.getByRole('button', { name }).click();
  await expect(page).not.toHaveURL(before);
  await expect(page.locator('[data-grid][aria-busy]')).toHaveCount(0);
}

async function openEdit(page: Page, title: string): Promise<Locator> {
  await event(page, title).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Edit', exact: true }).click();
  await expect(form(page).getByLabel('Title')).toHaveValue(title);
  return form(page);
}

test('events are created, edited in a series, resolved against conflicts, and undone', async ({ page }) => {
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await watched.expectFailedRequests(() => signUp(page, product, 'dana@example.org'));
  await connectAll(page);
  const origins: string[] = [];
  for (const name of ['Google', 'Microsoft']) {
    const [provider] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: `Open Simulated ${name}` }).click(),
    ]);
    origins.push(new URL(provider.url()).origin);
    await provider.close();
  }
  const google = connectControl<GoogleDialect>(origins[0] ?? '');
  const microsoft = connectControl<MicrosoftDialect>(origins[1] ?? '');
  // the code for presses on an hour loads after the week; here it loads after the press
  const pressed = Promise.withResolvers<void>();
  await page.route('**/grid-gestures-*.js', (route) => pressed.promise.then(() => route.continue()));
  await page.goto(`${product.url}/calendar?day=${monday.toString()}`);

  // arriving events scroll the first one into view, away from the pressed hour
  await expect(page.locator('[data-grid]')).toBeVisible();
  await expect(page.locator('[data-grid][aria-busy]')).toHaveCount(0);
  // A press on an empty hour, a title, Enter.
  await page.getByRole('button', { name: /^Wednesday.*, 9 PM$/ }).click();
  const popover = page.getByRole('dialog', { name: 'Create Event' });
  await expect(page.locator('[data-gestures]')).toHaveCount(0);
  pressed.resolve();
  await popover.getByLabel('Title').fill('Cinema');
  await chooseCalendar(popover, 'Home');
  await watched.look('edit-quick');
  await popover.getByLabel('Title').press('Enter');
  await expect(page.getByText('Created: Cinema')).toBeVisible();
  await expect(event(page, 'Cinema')).toBeVisible();
  const [cinema] = await atHome('Cinema');
  expect(cinema?.spans).toEqual([`${instant(2, '21:00')}/${instant(2, '22:00')}`]);

  // By keys alone: a weekly series at Google, with a guest who is not told.
  await page.keyboard.press('c');
  await form(page).getByLabel('Title').pressSequentially('Yoga');
  await chooseCalendar(form(page), 'dana@gmail.example');
  await form(page).getByLabel('Start').fill(wall(0, '20:00'));
  await form(page).getByLabel('Repeats').selectOption({ label: 'Every week on Monday' });
  await expect(form(page).getByText(/^Next: /)).toBeVisible();
  await form(page).getByLabel('Guests').fill('Ana Lima <ana@y.example>');
  await page.keyboard.press('Enter');
  await watched.look('edit-form', { phone: true });
  await form(page).getByLabel('Title').press('Enter');
  const invite = page.getByRole('dialog', { name: 'Send invitations?' });
  await invite.getByRole('button', { name: "Don't send" }).press('Enter');
  await expect(event(page, 'Yoga')).toBeVisible();
  await expect(async () => expect(JSON.stringify(await google.snapshot())).toContain('Yoga')).toPass();

  // Outlook notifies guests on its own, and the form says so; the toast undoes the created event
  await page.keyboard.press('c');
  await form(page).getByLabel('Title').fill('Offsite');
  await chooseCalendar(form(page), 'Calendar');
  await form(page).getByLabel('Start').fill(wall(3, '21:00'));
  await form(page).getByLabel('Guests').fill('bo@y.example');
  await form(page)
    .getByRole('button', { name: /^Create/ })
    .click();
  await expect(page.getByText('Outlook will notify 1 guest.')).toBeVisible();
  await page.getByRole('dialog', { name: 'Send invitations?' }).getByRole('button', { name: 'Create Event' }).click();
  await expect(event(page, 'Offsite')).toBeVisible();
  const holdsOffsite = async () => JSON.stringify(await microsoft.snapshot()).includes('Offsite');
  // the pointer keeps it from leaving before Outlook has taken the event
  await page.getByRole('button', { name: 'Undo' }).hover();
  await expect.poll(holdsOffsite, { message: 'whether Outlook holds it' }).toBe(true);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Undone: Offsite')).toBeVisible();
  await expect(event(page, 'Offsite')).toHaveCount(0);
  await expect.poll(holdsOffsite, { message: 'whether Outlook holds it' }).toBe(false);

  // The next week's alone, then all that follow.
  await step(page, 'Next week');
  const edit = await openEdit(page, 'Yoga');
  await edit.getByLabel('Title').fill('Yoga outside');
  await edit.getByRole('button', { name: /^Save/ }).click();
  await page.getByRole('radio', { name: 'This event' }).check();
  await page.getByRole('button', { name: "Don't send" }).click();
  await expect(event(page, 'Yoga outside')).toBeVisible();
  await step(page, 'Next week');
  await expect(event(page, 'Yoga outside')).toHaveCount(0);
  await expect(event(page, 'Yoga')).toHaveCount(1);
  const following = await openEdit(page, 'Yoga');
  await following.getByLabel('Title').fill('Pilates');
  await following.getByRole('button', { name: /^Save/ }).click();
  await page.getByRole('radio', { name: 'This and following events' }).check();
  await page.getByRole('button', { name: "Don't send" }).click();
  await expect(event(page, 'Pilates')).toBeVisible();
  await step(page, 'Next week');
  await expect(event(page, 'Pilates')).toBeVisible();
  await step(page, 'Previous week');
  await step(page, 'Previous week');
  await expect(event(page, 'Yoga outside')).toBeVisible();
  await step(page, 'Previous week');
  await expect(event(page, 'Yoga').first()).toBeVisible();

  // the server's version is newer: both are shown, and mine is kept. If their change was pulled before, the dialog
  // opens at once. Otherwise the calendar refuses mine, and a banner asks.
  const mine = await openEdit(page, 'Cinema');
  await home.put(cinema?.name ?? '', (cinema?.text ?? '').replace('SUMMARY:Cinema', 'SUMMARY:Theatre'));
  await mine.getByLabel('Title').fill('Opera');
  const both = page.getByRole('dialog', { name: /was changed elsewhere$/ });
  const choose = page.getByRole('button', { name: 'Choose' });
  await watched.expectFailedRequests(async () => {
    await mine.getByRole('button', { name: /^Save/ }).click();
    await expect(both.or(choose).first()).toBeVisible();
  });
  if (!(await both.isVisible())) await choose.click();
  await expect(both.getByRole('row', { name: 'Title Theatre Opera' })).toBeVisible();
  await watched.look('edit-conflict');
  await both.getByRole('button', { name: 'Keep mine' }).click();
  await atHome('Opera');
  await expect(event(page, 'Opera')).toBeVisible();

  // Deleted, and taken back before it goes out.
  await event(page, 'Opera').focus();
  await page.keyboard.press('Delete');
  await expect(page.getByText('Deleted: Opera')).toBeVisible();
  await expect(event(page, 'Opera')).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(page.getByText('Undone: Opera')).toBeVisible();
  await expect(event(page, 'Opera')).toBeVisible();
  await atHome('Opera');

  // On a phone the card is a sheet of four actions.
  await page.setViewportSize(phone);
  await page.goto(`${product.url}/calendar?view=day&day=${monday.add({ days: 2 }).toString()}`);
  await event(page, 'Opera').click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true })).toBeVisible();
  await watched.look('edit-card');
  watched.expectQuietConsole();
});
