import { expect, type Page, test } from '@playwright/test';
import { sql } from 'kysely';
import { bookingContract } from '#features/booking/contract.ts';
import { defaultSettings } from '#features/booking/rules/type-settings.ts';
import { createClient } from '#kernel/contract-client.ts';
import { openDatabase } from '#platform/db.ts';
import { createLog } from '#platform/log.ts';
import { killAll } from '../harness/spawn-holdfast.ts';
import { askIn } from './ask-as.ts';
import { createPerson, password } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, watchPage } from './watched-page.ts';

/**
 * Contacts build themselves: from a booking by a guest and from the events of a simulated account; then everything that
 * their screen can do with them.
 */

let product: Product;
test.beforeAll(async () => {
  product = await startProduct({ allow: [], env: { SIMULATED_PROVIDERS: 'true' } });
});
test.afterAll(async () => {
  await product?.stop();
  killAll();
});

/** An account with events, and a guest who has booked; by the calls of the screens. */
async function prepare(page: Page): Promise<void> {
  await createPerson(product, 'dana@example.org');
  const ask = askIn(page.request, product.url);
  const login = { email: 'dana@example.org', password, app: 'user' };
  const { session_token: token } = await ask<{ session_token: string }>('POST', '/auth/login', login);
  const api = createClient(bookingContract, {
    baseUrl: product.url,
    headers: () => ({ authorization: `Bearer ${token}` }),
  });
  await api.changeHandle({ body: { handle: 'dana-lee' } });
  const { event_type: type } = await api.createEventType({ body: { title: 'Intro call', kind: 'one-on-one' } });
  await api.changeEventType({
    params: { id: type.id },
    body: {
      version: 1,
      title: type.title,
      slug: 'intro',
      description: '',
      hidden: false,
      secret: false,
      settings: {
        ...defaultSettings('one-on-one'),
        notice_minutes: 0,
        location: { kind: 'link', url: 'https://meet.example.org/dana' },
      },
    },
  });
  const from = Math.ceil(Temporal.Now.instant().epochMilliseconds / 60_000) + 1_440;
  const { starts } = await ask<{ starts: number[] }>(
    'GET',
    `/api/book/dana-lee/intro/slots?from=${from}&to=${from + 10_080}`,
  );
  await ask('POST', '/api/book/dana-lee/intro/bookings', {
    start: starts[0],
    name: 'Kei Tanaka',
    email: 'kei.tanaka@gmail.com',
    zone: 'Asia/Tokyo',
    language: 'en',
  });
  // after the booking: events that arrive between reading the slots and booking could take the slot
  await ask('POST', '/dev/simulate/connect', { provider: 'google' });
  // as if the guest had followed the link of a mail: a follow-up goes to confirmed addresses only
  const database = openDatabase({
    url: product.databaseUrl,
    log: await createLog({ level: 'silent', format: 'json' }),
  });
  await sql`update booking.bookings set mail_confirmed_ms = 1`.execute(database.db);
  await database.close();
}

test('contacts are collected automatically, viewed, mailed, merged, imported, and exported', async ({ page }) => {
  page.setDefaultTimeout(15_000);
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await prepare(page);
  await page.goto(`${product.url}/contacts`);
  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  /** Offered for some seconds, longer under the pointer. */
  const undo = (told: string) =>
    page
      .getByRole('region', { name: 'Notifications' })
      .locator('div')
      .filter({ hasText: told })
      .getByRole('button', { name: 'Undo' });
  await expect(row('Kei Tanaka')).toBeVisible();
  // below the heading and the guest: from the events of the account
  await expect(page.getByRole('row').nth(2)).toBeVisible({ timeout: 30_000 });
  await expect(row('dana@gmail.example')).toHaveCount(0);
  await watched.look('contacts', { phone: true });

  // by hand: a variant of the guest's address, which is suggested as the same person
  await page.getByRole('button', { name: 'Add Contact' }).click();
  const form = page.getByRole('dialog', { name: 'Add Contact' });
  await form.getByLabel('Email').fill('keitanaka+work@googlemail.com');
  await form.getByLabel('Company').fill('Tanaka Design');
  await form.getByLabel('Tags').fill('Client, VIP');
  await watched.look('contacts-add', { phone: true });
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  const profile = page.getByRole('dialog', { name: 'Contact Profile' });
  await expect(profile.getByText('Tanaka Design')).toBeVisible();
  await profile.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByText('1 possible duplicate')).toBeVisible();
  await watched.look('contacts-duplicates', { phone: true });
  await page.getByRole('button', { name: /^Merge/ }).click();
  await expect(row('keitanaka+work')).toHaveCount(0);
  await expect(row('Kei Tanaka').getByText('VIP')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row('keitanaka+work')).toBeVisible();
  await expect(row('Kei Tanaka').getByText('VIP')).toHaveCount(0);
  await page.getByRole('button', { name: /^Merge/ }).click();
  await expect(row('Kei Tanaka').getByText('VIP')).toBeVisible();

  // the profile, opened by pressing the row anywhere
  // the button of its name lies over the whole row
  const opens = row('Kei Tanaka').getByRole('button', { name: /^Kei Tanaka/ });
  await opens.click({ position: { x: 500, y: 4 } });
  await expect(profile.getByText('Total meetings')).toBeVisible();
  // the next meeting, and the history begins with it
  await expect(profile.getByText('Intro call')).toHaveCount(2);
  await profile.getByRole('button', { name: 'Add Note' }).click();
  await profile.getByLabel('Note').fill('Prefers mornings');
  await profile.getByRole('button', { name: 'Save note' }).click();
  await expect(profile.getByText('Prefers mornings')).toBeVisible();
  await profile.getByRole('button', { name: 'Send Follow-up' }).click();
  await profile.getByLabel('Subject').fill('Before our call');
  await profile.getByLabel('Message').fill('See you soon, Kei.');
  await watched.look('contacts-follow-up', { phone: true });
  await profile.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(profile.getByText('Email: Before our call')).toBeVisible();
  const written = () =>
    product.smtp.mailsTo('kei.tanaka@gmail.com').filter(({ parsed }) => parsed.subject === 'Before our call');
  await expect.poll(() => written().length).toBe(1);
  await watched.look('contacts-profile', { phone: true });
  await profile.getByRole('button', { name: 'Remove note' }).click();
  await expect(profile.getByText('Prefers mornings')).toHaveCount(0);
  await undo('Note removed').click();
  await expect(profile.getByText('Prefers mornings')).toBeVisible();
  await profile.getByRole('button', { name: 'Edit' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit Contact' });
  await edit.getByLabel('Phone').fill('+81 3 1234');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(profile.getByText('+81 3 1234')).toBeVisible();
  await profile.getByRole('button', { name: 'Close' }).click();

  // found by words, by tags, and from everywhere
  await page.getByRole('searchbox', { name: 'Search contacts...' }).fill('tanaka des');
  await expect(page.getByText('1 of 1 contact')).toBeVisible();
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByLabel('Tag').selectOption('VIP');
  await expect(page).toHaveURL(/tag=VIP/);
  await watched.look('contacts-filtered', { phone: true });
  await page.getByLabel('Last meeting').selectOption('longer');
  await expect(page.getByText('No contact matches')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).first().click();
  await expect(row('Kei Tanaka')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('dialog').getByPlaceholder('Search events, contacts, or meetings...').fill('Kei Tanaka');
  const found = page.getByRole('option', { name: /Kei Tanaka.*kei\.tanaka@gmail\.com/ });
  await expect(found.first()).toBeVisible();
  await page.keyboard.press('Escape');

  // deleted, and back
  await row('Kei Tanaka').getByRole('button', { name: 'More actions for Kei Tanaka' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(row('Kei Tanaka')).toHaveCount(0);
  await undo('Kei Tanaka was deleted').click();
  await expect(row('Kei Tanaka')).toBeVisible();

  // brought along: shown first, a bad row named, the rest taken
  await page.getByRole('button', { name: 'Import' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import contacts' });
  await dialog.getByLabel('Choose file').setInputFiles({
    name: 'friends.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      'Name,Email,Tags\nZoë Łukasz,zoe@example.net,Friend\nBad,no address,\nKei,kei.tanaka@gmail.com,Friend\n',
    ),
  });
  await expect(dialog.getByText('1 new · 1 updated · 1 skipped')).toBeVisible();
  await watched.look('contacts-import', { phone: true });
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(row('Zoë Łukasz')).toBeVisible();

  // and taken along
  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'vCard 4.0' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^contacts-.*\.vcf$/);
  watched.expectQuietConsole();
});
