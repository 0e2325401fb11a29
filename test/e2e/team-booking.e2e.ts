import { expect, type Page, test } from '@playwright/test';
import { killAll } from '../harness/spawn-holdfast.ts';
import type { Ask } from './ask-as.ts';
import { openTeam } from './open-team.ts';
import { fillSignIn } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, phone, watchPage } from './watched-page.ts';

/**
 * A team is booked by strangers, in turn and together: a booking is given to somebody else, and one who leaves the team
 * leaves theirs to the others.
 */

let product: Product;
test.beforeAll(async () => {
  product = await startProduct({ allow: [], env: { SIMULATED_PROVIDERS: 'true' } });
});
test.afterAll(async () => {
  await product?.stop();
  killAll();
});

const people = ['anna@example.org', 'ben@example.org', 'carla@example.org'] as const;

/** Books a time that is offered, as somebody who has nothing but the address. */
async function bookAsStranger(guest: Page, address: string, name: string, slot = 0): Promise<void> {
  await guest.setViewportSize(phone);
  await guest.goto(`${product.url}${address}`);
  await guest.getByRole('navigation', { name: 'Choose a day' }).getByRole('link').nth(2).click();
  await guest.locator('.slot').nth(slot).click();
  await guest.getByLabel('Your name').fill(name);
  await guest.getByLabel('Your email').fill(`${name.toLowerCase()}@guest.example`);
  await guest.getByLabel('Your phone number').fill('+49 170 1234567');
  await guest.getByRole('button', { name: 'Confirm booking' }).click();
  await expect(guest).toHaveURL(/\/booked\//);
}

test('a team is booked in turn and together, and bookings are reassigned when a member leaves', async ({
  page,
  browser,
}) => {
  test.setTimeout(240_000);
  const { teamId, asks } = await openTeam(page, product, people);
  const [anna] = asks as [Ask];
  const guest = await (await browser.newContext({ timezoneId: 'Europe/Berlin', locale: 'en-GB' })).newPage();
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await page.goto(`${product.url}/login`);
  await fillSignIn(page, people[0]);
  await expect(page).toHaveURL(/\/dashboard$/);

  await test.step('a round robin is made, with all of the team as its hosts', async () => {
    await page.goto(`${product.url}/booking-links`);
    await page.getByRole('button', { name: 'Create Event Type' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create Event Type' });
    await dialog.getByText('Round Robin', { exact: true }).click();
    await dialog.getByLabel('Title').fill('Demo');
    await watched.look('team-create', { phone: true });
    await dialog.getByRole('button', { name: 'Create and get link' }).click();
    await page.getByRole('dialog', { name: '“Demo” is live' }).getByRole('link', { name: 'Edit details' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Demo' })).toBeVisible();
    for (const name of ['Anna', 'Ben', 'Carla']) await expect(page.getByLabel(`Weight of ${name}`)).toHaveValue('1');
    await page.getByLabel('Weight of Anna').fill('3');
    await page.getByLabel('Priority of Anna').selectOption('First');
    await page.getByLabel('Weight of Carla').scrollIntoViewIfNeeded();
    await watched.look('team-hosts', { phone: true });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText("Saved. Existing bookings don't change.")).toBeVisible();
  });

  await test.step('and a collective, of whom two are enough', async () => {
    const { event_type: type } = await anna<{ event_type: { id: string } }>('POST', '/api/event-types', {
      title: 'Kick-off',
      kind: 'collective',
      team_id: teamId,
    });
    await page.goto(`${product.url}/booking-links/${type.id}`);
    await page.getByLabel('Required hosts').selectOption('At least 2');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText("Saved. Existing bookings don't change.")).toBeVisible();
    await page.goto(`${product.url}/booking-links`);
    await expect(page.getByText('/sales-crew/kick-off', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Stand-ins Sales' }).scrollIntoViewIfNeeded();
    await watched.look('team-links', { phone: true });
  });

  await test.step('strangers book both', async () => {
    const stranger = watchPage(guest);
    await guest.goto(`${product.url}/sales-crew`);
    await expect(guest.getByRole('link', { name: /Demo/ })).toBeVisible();
    await guest.goto(`${product.url}/sales-crew/demo`);
    await expect(guest.getByText('With one of Anna, Ben, or Carla')).toBeVisible();
    await stranger.look('team-page', { phone: true });
    await bookAsStranger(guest, '/sales-crew/demo', 'Zoe');
    await expect(guest.getByText('Anna', { exact: true }).first()).toBeVisible();
    await bookAsStranger(guest, '/sales-crew/kick-off', 'Yan', 3);
    await expect(guest.getByText('Anna, Ben, and Carla').first()).toBeVisible();
  });

  await test.step('the one in turn is given to Carla, and its guest is told', async () => {
    await page.goto(`${product.url}/meetings/team/${teamId}`);
    await expect(page.getByRole('button', { name: 'Reassign Zoe' })).toBeVisible();
    await watched.look('team-bookings', { phone: true });
    await page.getByRole('button', { name: 'Reassign Zoe' }).click();
    const dialog = page.getByRole('dialog', { name: 'Reassign Demo with Zoe' });
    await dialog.getByLabel('Carla', { exact: true }).check();
    await watched.look('team-reassign', { phone: true });
    await dialog.getByRole('button', { name: 'Reassign', exact: true }).click();
    await expect(page.getByText('Demo with Zoe is now with Carla')).toBeVisible();
    await expect
      .poll(() => product.smtp.mailsTo('zoe@guest.example').map(({ parsed }) => parsed.subject ?? ''))
      .toEqual(expect.arrayContaining([expect.stringContaining('New host: Demo')]));
  });

  await test.step('somebody stands in for Anna', async () => {
    await page.goto(`${product.url}/booking-links`);
    await page.getByRole('button', { name: 'Stand-ins Sales' }).click();
    const dialog = page.getByRole('dialog', { name: 'Stand-ins of Sales' });
    await dialog.getByLabel('Your stand-in').selectOption('Ben');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(dialog.getByText('Ben for Anna')).toBeVisible();
    await watched.look('team-stand-ins', { phone: true });
    await dialog.getByRole('button', { name: 'End Anna' }).click();
    await expect(dialog.getByText('No stand-ins set.')).toBeVisible();
  });

  await test.step('Carla leaves the team: what was hers goes to the others', async () => {
    const { members } = await anna<{ members: { user_id: string; name: string }[] }>('GET', `/api/teams/${teamId}`);
    const carla = members.find(({ name }) => name === 'Carla');
    await page.goto(`${product.url}/meetings/team/${teamId}`);
    const rows = page.getByRole('list', { name: 'Upcoming' }).getByRole('listitem');
    await expect(rows.getByText('Carla')).toHaveCount(2);
    await anna('DELETE', `/api/teams/${teamId}/members/${carla?.user_id}`);
    // on a screen that was open before
    await expect(page.getByText('Carla')).toHaveCount(0);
    await expect(rows).toHaveCount(2);
    await expect(page.getByText('Left the team')).toHaveCount(0);
  });
  watched.expectQuietConsole();
});
