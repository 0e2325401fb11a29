import { expect, type Locator, type Page, test } from '@playwright/test';
import { defaultSettings } from '#features/booking/rules/type-settings.ts';
import { killAll } from '../harness/spawn-holdfast.ts';
import { askIn } from './ask-as.ts';
import { signUp } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, phone, watchPage } from './watched-page.ts';

/** A person has a guest written to when they book: made on the screens, read back from the mail that came, and told by the log. */

test.use({ actionTimeout: 10_000 });

const host = 'wanda@example.org';

let product: Product;
test.beforeAll(async () => {
  product = await startProduct({ allow: [] });
});
test.afterAll(async () => {
  await product?.stop();
  killAll();
});

/** Something to book, by the calls of the screens. */
async function openLink(page: Page): Promise<void> {
  const ask = askIn(page.request, product.url);
  await ask('PUT', '/api/handle', { handle: 'wanda' });
  await ask('POST', '/api/teams', { name: 'Sales' });
  await ask('POST', '/api/event-types', {
    title: 'Intro',
    kind: 'one-on-one',
    slug: 'intro',
    settings: {
      ...defaultSettings('one-on-one'),
      notice_minutes: 0,
      location: { kind: 'link', url: 'https://meet.example.org/wanda' },
    },
  });
}

/** A stranger takes the first time that is offered. */
async function book(page: Page, name: string, email: string): Promise<string> {
  const address = `${product.url}/api/book/wanda/intro`;
  const fromMinute = Math.ceil(Temporal.Now.instant().epochMilliseconds / 60_000) + 2 * 1_440;
  const listed = await page.request.get(`${address}/slots?from=${fromMinute}&to=${fromMinute + 10 * 1_440}`);
  const { starts } = (await listed.json()) as { starts: number[] };
  const answer = await page.request.post(`${address}/bookings`, {
    headers: { origin: product.url },
    data: { start: starts[0], name, email, zone: 'Asia/Tokyo', language: 'en' },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  return ((await answer.json()) as { bookings: { token: string }[] }).bookings[0]?.token ?? '';
}

const mailsOf = (email: string, subject: string) =>
  product.smtp.mailsTo(email).filter(({ parsed }) => parsed.subject === subject);

const rowOf = (page: Page, name: string): Locator => page.getByRole('listitem').filter({ hasText: name });

test('a workflow is created, tested, run, logged, paused, deleted, and restored', async ({ page }) => {
  test.setTimeout(180_000);
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await watched.expectFailedRequests(() => signUp(page, product, host));
  await openLink(page);
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Workflows' }).click();

  await test.step('nothing is there yet, and one button leads on', async () => {
    await expect(page.getByRole('heading', { name: 'No workflows yet' })).toBeVisible();
    await watched.look('workflows-empty', { phone: true });
  });

  await test.step('Create Workflow asks for name, trigger, action and timing', async () => {
    await page.getByRole('button', { name: '+ New Workflow' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create Workflow' });
    await expect(dialog.getByLabel('Trigger').getByRole('option').first()).toHaveText('Before Event');
    await expect(dialog.getByLabel('Action').getByRole('option').first()).toHaveText('Send Email');
    await expect(dialog.getByLabel('Timing').getByRole('option')).toHaveText([
      'At start time',
      '15 minutes before',
      '1 hour before',
      '24 hours before',
      'Custom',
    ]);
    await dialog.getByLabel('Trigger').selectOption('Booking Created');
    await dialog.getByLabel('Timing').selectOption('Immediately');
    await dialog.getByLabel('Name').fill('Welcome');
    await watched.look('workflows-create', { phone: true });
    await dialog.getByRole('button', { name: 'Create Workflow' }).click();
    await expect(page.getByRole('heading', { name: 'Welcome', level: 1 })).toBeVisible();
  });

  await test.step('its text is changed with variables, read as it will be, and tried', async () => {
    const step = page.getByRole('group', { name: 'Step 1: Send Email' });
    await step.getByLabel('Subject').fill('Welcome to ');
    await step.getByLabel('Subject').press('End');
    await step.getByRole('button', { name: '{event_name}' }).click();
    await expect(step.getByLabel('Subject')).toHaveValue('Welcome to {event_name}');
    await expect(step.getByRole('region', { name: 'Preview' })).toContainText(/Welcome to \u2068?Intro/);
    await step.getByLabel('Text').fill('Hello {guestname}');
    await expect(step.getByText('Unknown variable: {guestname}')).toBeVisible();
    await step.getByLabel('Text').fill('Hello {guest_first_name}, see you on {event_date}.');
    await expect(step.getByText('Unknown variable')).toBeHidden();
    await page.getByLabel('Tags').fill('guests, first, guests');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Saved as a new version')).toBeVisible();
    await expect(page.getByLabel('Tags')).toHaveValue('guests, first');
    await step.getByRole('button', { name: 'Send test' }).click();
    await expect(page.getByText(`A test was sent to ${host}`)).toBeVisible();
    await expect.poll(() => mailsOf(host, 'Welcome to Intro').length).toBe(1);
    await watched.look('workflows-editor', { phone: true });
  });

  await test.step('a stranger books, confirms the address by a mail with fixed words, and is written to', async () => {
    await book(page, 'Kei Guest', 'kei@example.jp');
    const links = () => product.smtp.mailsTo('kei@example.jp').flatMap((mail) => mail.links);
    const link = () => links().find((one) => one.includes('/subscribe/')) ?? '';
    await expect.poll(link, { timeout: 30_000 }).not.toBe('');
    expect(mailsOf('kei@example.jp', 'Welcome to Intro')).toEqual([]);
    const reader = await page.context().newPage();
    await reader.goto(link());
    await reader.getByRole('button', { name: 'Confirm address' }).click();
    await expect(reader.getByRole('heading', { name: 'Address confirmed' })).toBeVisible();
    await reader.close();
    await expect.poll(() => mailsOf('kei@example.jp', 'Welcome to Intro').length, { timeout: 30_000 }).toBe(1);
    const [mail] = mailsOf('kei@example.jp', 'Welcome to Intro');
    // the address is confirmed, and not who typed the name of this booking
    expect(mail?.parsed.text).toMatch(/Hello kei@\W*example\.\W*jp, see you on \w+, \w+ \d+, \d{4}\./);
  });

  await test.step('the log tells the way of it, by itself', async () => {
    await page.getByRole('link', { name: 'Run log' }).click();
    const run = rowOf(page, 'Intro with Kei Guest');
    await expect(run.getByText('Done', { exact: true })).toBeVisible({ timeout: 30_000 });
    await expect(run.getByText('kei@example.jp: sent, 1 attempt')).toBeVisible();
    await watched.look('workflows-log', { phone: true });
    await page.getByRole('radiogroup').getByText('Failed').click();
    await expect(page.getByRole('heading', { name: 'No runs yet' })).toBeVisible();
  });

  await test.step('from a template, for what is planned ahead; cancelled, it is skipped and says why', async () => {
    await page.getByRole('link', { name: 'Workflows', exact: true }).last().click();
    await page.getByRole('button', { name: '+ New Workflow' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create Workflow' });
    await dialog.getByLabel('Start with').selectOption('Reminder for guests, a day before');
    await dialog.getByRole('button', { name: 'Create Workflow' }).click();
    await expect(page.getByRole('heading', { name: 'Reminder for guests, a day before', level: 1 })).toBeVisible();
    const token = await book(page, 'Leo Guest', 'leo@example.jp');
    await page.getByRole('link', { name: 'Run log' }).click();
    const run = rowOf(page, 'Intro with Leo Guest');
    await expect(run.getByText('Waiting', { exact: true })).toBeVisible();
    const cancelled = await page.request.post(`${product.url}/api/booked/${token}/cancel`, {
      data: {},
      headers: { origin: product.url },
    });
    expect(cancelled.status(), await cancelled.text()).toBe(200);
    await expect(run.getByText('The meeting was canceled')).toBeVisible();
  });

  await test.step('for a team, what forms begin among it; its workflows have no calendar to lose', async () => {
    await page.getByRole('link', { name: 'Workflows', exact: true }).last().click();
    await page.getByRole('button', { name: '+ New Workflow' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create Workflow' });
    await dialog.getByLabel('Name').fill('Answers');
    await expect(dialog.getByRole('option', { name: 'Mirror Failed' })).toHaveCount(1);
    await dialog.getByLabel('Owner').selectOption('Sales');
    await expect(dialog.getByRole('option', { name: 'Mirror Failed' })).toHaveCount(0);
    await dialog.getByLabel('Trigger').selectOption('Form Submitted');
    await dialog.getByRole('button', { name: 'Create Workflow' }).click();
    await expect(page.getByRole('heading', { name: 'Answers', level: 1 })).toBeVisible();
    await expect(page.getByRole('main').getByText('Sales', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: '{form_answers}' }).first()).toBeVisible();
  });

  await test.step('the list is narrowed by team and tag', async () => {
    await page.getByRole('link', { name: 'Workflows', exact: true }).last().click();
    await expect(rowOf(page, 'Answers').getByText('Sales', { exact: true })).toBeVisible();
    await page.getByLabel('Owner').selectOption('Sales');
    await expect(rowOf(page, 'Welcome')).toBeHidden();
    await expect(rowOf(page, 'Answers')).toBeVisible();
    await page.getByLabel('Tag', { exact: true }).selectOption('guests');
    await expect(page.getByRole('heading', { name: 'No workflows' })).toBeVisible();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByLabel('Tag', { exact: true }).selectOption('guests');
    await expect(rowOf(page, 'Answers')).toBeHidden();
    await page.getByLabel('Tag', { exact: true }).selectOption('All tags');
  });

  await test.step('the list: switched off by keys, deleted, brought back', async () => {
    const row = rowOf(page, 'Welcome');
    await expect(row.getByText('Active', { exact: true })).toBeVisible();
    await expect(row.getByText('Booking Created')).toBeVisible();
    await expect(row.getByText('Immediately')).toBeVisible();
    await watched.look('workflows-list', { phone: true });
    await row.getByRole('switch', { name: 'Welcome is active' }).focus();
    await page.keyboard.press('Space');
    await expect(row.getByText('Inactive')).toBeVisible();
    await row.getByRole('button', { name: 'Delete Welcome' }).click();
    await expect(row).toBeHidden();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(row.getByText('Inactive')).toBeVisible();
    await page.reload();
    await expect(row.getByText('Inactive')).toBeVisible();
  });

  await test.step('on a phone every control is there', async () => {
    await page.setViewportSize(phone);
    const row = rowOf(page, 'Welcome');
    await row.getByRole('switch', { name: 'Welcome is active' }).press('Space');
    await expect(row.getByText('Active', { exact: true })).toBeVisible();
    await row.getByRole('button', { name: 'Edit Welcome' }).click();
    await expect(page.getByRole('heading', { name: 'Welcome', level: 1 })).toBeVisible();
  });

  await test.step('what it was stands in its versions, and one of them is in force again', async () => {
    await page.setViewportSize(desktop);
    await page.getByRole('link', { name: 'Versions' }).click();
    await expect(rowOf(page, 'Version 2').getByText('Step 1 changed (Send Email)')).toBeVisible();
    await watched.look('workflows-versions', { phone: true });
    await page.getByRole('button', { name: 'Restore: Version 1' }).click();
    await expect(page.getByText('Version 1 restored as version 3')).toBeVisible();
    await expect(rowOf(page, 'Version 3').getByText('Current')).toBeVisible();
  });
  watched.expectQuietConsole();
});
