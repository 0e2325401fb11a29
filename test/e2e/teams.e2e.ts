import { type Browser, expect, type Page, test } from '@playwright/test';
import { killAll } from '../harness/spawn-holdfast.ts';
import { createEvent } from './create-event.ts';
import { createPerson, fillSignIn, mailedLink, signUp } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, type WatchedPage, watchPage } from './watched-page.ts';

/** A team from its first day to its last: three people, the mails between them, and what each may do. */

let product: Product;
test.beforeAll(async () => {
  product = await startProduct({ allow: [] });
});
test.afterAll(async () => {
  await product?.stop();
  killAll();
});

const [anna, bob, cara] = ['anna@example.org', 'bob@example.org', 'cara@example.org'];

/** Somebody else at a browser of their own. */
async function openBrowser(browser: Browser): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: desktop, locale: 'en-US', timezoneId: 'Europe/Berlin' });
  return watchPage(await context.newPage());
}

async function invite(page: Page, email: string, role: 'Admin' | 'Editor' | 'Viewer') {
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite a member' });
  await dialog.getByLabel('Email address').fill(email);
  await dialog.getByRole('radio', { name: role }).check();
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByText(`Invitation sent to ${email}`)).toBeVisible();
}

/** Something in somebody’s calendar, today at noon. */
async function addEvent(page: Page, title: string) {
  const made = await page.request.post(`${product.url}/api/connections/holdfast`, {
    headers: { origin: product.url },
  });
  expect(made.ok(), await made.text()).toBe(true);
  const day = Temporal.Now.plainDateISO('Europe/Berlin');
  await createEvent(page, product, { title, day, from: '12:00', to: '14:00' });
  const range = `from=${day.toString()}T00:00:00Z&to=${day.add({ days: 1 }).toString()}T00:00:00Z`;
  const written = async () => (await page.request.get(`${product.url}/api/calendars/events?${range}`)).text();
  await expect.poll(written).toContain(title);
}

test('users create a team, work in it by role, transfer it, and leave', async ({ page, browser }) => {
  const owner = watchPage(page);
  await page.setViewportSize(desktop);
  await signUp(page, product, anna);

  await test.step('a team has a name, and an address that nobody else has', async () => {
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Team' }).click();
    await expect(page.getByText("You're not in a team yet")).toBeVisible();
    await owner.look('team-empty', { phone: true });
    await page.getByRole('button', { name: 'New team' }).click();
    const dialog = page.getByRole('dialog', { name: 'New team' });
    await dialog.getByLabel('Name').fill('Admin');
    await expect(dialog.getByText('This name is reserved')).toBeVisible();
    await dialog.getByLabel('Name').fill('Blue Sales');
    await expect(dialog.getByLabel('Address')).toHaveValue('blue-sales');
    await expect(dialog.getByText('This name is available')).toBeVisible();
    await owner.look('team-create');
    await dialog.getByRole('button', { name: 'Create team' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Blue Sales' })).toBeVisible();
  });

  await test.step('people are invited, by mail', async () => {
    await invite(page, bob, 'Editor');
    await invite(page, cara, 'Viewer');
    await invite(page, 'dave@example.org', 'Viewer');
    await page.getByRole('button', { name: 'Revoke dave@example.org' }).click();
    await expect(page.getByText('Invitation to dave@example.org revoked')).toBeVisible();
    await owner.look('team-members', { phone: true });
  });

  const second = await openBrowser(browser);
  await test.step('who has no account makes one and accepts; nothing happens before', async () => {
    const link = await mailedLink(product, bob, '/join');
    await second.page.goto(link);
    await expect(second.page.getByRole('heading', { name: 'Welcome Back', exact: true })).toBeVisible();
    await createPerson(product, bob);
    await second.page.goto(link);
    await fillSignIn(second.page, bob);
    await expect(second.page.getByText('anna invited you to join Blue Sales as Editor.')).toBeVisible();
    await second.look('team-join', { phone: true });
    await second.page.getByRole('button', { name: 'Accept Blue Sales' }).click();
    await expect(second.page.getByText('You are an editor in this team')).toBeVisible();
    await second.expectFailedRequests(async () => {
      await second.page.goto(link);
      await expect(second.page.getByText('This invitation is no longer valid')).toBeVisible();
    });
    // the others hear of it
    await expect(page.getByText('2 members')).toBeVisible();
  });

  const third = await openBrowser(browser);
  await test.step('nobody takes another’s invitation; who has an account finds theirs under Team', async () => {
    await signUp(third.page, product, cara);
    await second.page.goto(await mailedLink(product, cara, '/join'));
    await expect(second.page.getByText('This invitation is for another address')).toBeVisible();
    await third.page.goto(`${product.url}/team`);
    await third.page.getByRole('button', { name: 'Accept Blue Sales' }).click();
    await expect(third.page.getByText('You are a viewer in this team')).toBeVisible();
    await expect(third.page.getByRole('button', { name: 'Invite', exact: true })).toBeHidden();
    await expect(third.page.getByRole('link', { name: 'Activity' })).toBeHidden();
  });

  await test.step('a role is changed, and works at once', async () => {
    await page.getByLabel('Role of bob').selectOption('Admin');
    await expect(page.getByText("bob's role is now Admin")).toBeVisible();
    await second.page.goto(`${product.url}/team`);
    await expect(second.page.getByRole('button', { name: 'Invite', exact: true })).toBeVisible();
  });

  await test.step('the team sees when each is busy, and with what only where they share it', async () => {
    await addEvent(second.page, 'Secret plans');
    await page.getByRole('link', { name: 'Calendar', exact: true }).last().click();
    await expect(page.getByRole('list', { name: 'bob' }).filter({ hasText: 'busy' })).toHaveCount(1);
    await expect(page.getByText('Secret plans')).toHaveCount(0);
    await second.page.goto(`${product.url}/team/calendar`);
    await second.page
      .getByRole('radiogroup', { name: /Share your calendars with this team/ })
      .getByText('Details')
      .click();
    await expect(second.page.getByText('Sharing saved')).toBeVisible();
    await expect(page.getByText('Secret plans', { exact: true })).toBeVisible();
    await owner.look('team-calendar', { phone: true });
    await page.getByRole('checkbox', { name: 'bob' }).click();
    await expect(page.getByRole('list', { name: 'bob' })).toHaveCount(0);
  });

  await test.step('its page is public', async () => {
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByLabel('About the team').fill('We answer within a day.');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Team saved')).toBeVisible();
    await owner.look('team-settings', { phone: true });
    const visitor = await openBrowser(browser);
    await visitor.page.goto(`${product.url}/blue-sales`);
    await expect(visitor.page.getByRole('heading', { name: 'Blue Sales' })).toBeVisible();
    await expect(visitor.page.getByText('We answer within a day.')).toBeVisible();
    await visitor.look('team-public', { phone: true });
    await visitor.page.context().close();
  });

  await test.step('the owner hands it over; the new one agrees', async () => {
    await page.getByLabel('New owner').selectOption('bob');
    await page.getByRole('button', { name: 'Send request', exact: true }).click();
    await expect(page.getByText('bob was asked to become the owner.')).toBeVisible();
    await second.page.goto(await mailedLink(product, bob, '/team'));
    await second.page.getByRole('button', { name: 'Accept ownership' }).click();
    await expect(second.page.getByText('You own this team')).toBeVisible();
    await expect(page.getByText('You are an admin of this team')).toBeVisible();
  });

  await test.step('one is removed, one leaves, and what was done can be read', async () => {
    await second.page.getByRole('button', { name: 'Remove cara' }).click();
    const dialog = second.page.getByRole('dialog', { name: 'Remove cara from Blue Sales?' });
    await expect(dialog.getByText('They lose access to this team right away.')).toBeVisible();
    await expect(dialog.getByText('No upcoming bookings to reassign.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(second.page.getByText('cara is no longer in Blue Sales')).toBeVisible();
    await expect(third.page.getByText("You're not in a team yet")).toBeVisible();
    await page.getByRole('button', { name: 'Leave team' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true }).click();
    await expect(page.getByText("You're not in a team yet")).toBeVisible();
    await second.page.getByRole('link', { name: 'Activity' }).click();
    await expect(second.page.getByText('Ownership transferred')).toBeVisible();
    await second.look('team-activity', { phone: true });
  });

  await test.step('it is deleted, and taken back', async () => {
    await second.page.getByRole('link', { name: 'Settings', exact: true }).click();
    await second.page.getByRole('button', { name: 'Delete team' }).click();
    const dialog = second.page.getByRole('dialog', { name: 'Delete Blue Sales?' });
    await dialog.getByLabel('Type Blue Sales to confirm').fill('Blue Sales');
    await second.look('team-delete');
    await dialog.getByRole('button', { name: 'Delete team' }).click();
    await expect(second.page.getByText('You deleted the team Blue Sales.')).toBeVisible();
    await second.page.getByRole('button', { name: 'Restore Blue Sales' }).click();
    await expect(second.page.getByRole('heading', { level: 1, name: 'Blue Sales' })).toBeVisible();
  });
  for (const one of [owner, second, third]) one.expectQuietConsole();
});
