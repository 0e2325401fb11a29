import { expect, type Page, test } from '@playwright/test';
import { killAll } from '../harness/spawn-holdfast.ts';
import { askIn } from './ask-as.ts';
import { goTo, signUp } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, watchPage } from './watched-page.ts';

/** The console over two simulated accounts that mirror into each other: what is there, why, and how it is repaired. */

let product: Product;

test.use({ timezoneId: 'Asia/Tokyo' });
test.beforeAll(async () => {
  product = await startProduct({ allow: [], env: { SIMULATED_PROVIDERS: 'true' } });
});
test.afterAll(async () => {
  await product?.stop();
  killAll();
});

interface Counts {
  counts: { upcoming: number; mirrors: number; created: number; pending: number; failed: number };
}
const countsOf = async (page: Page) => {
  const ask = askIn(page.request, product.url);
  return (await ask<Counts>('GET', '/meetings?scope=mirrors')).counts;
};

interface Calendar {
  calendarId: string;
  accountId: string;
  isPrimary: boolean;
  writable: boolean;
}
interface Account {
  accountId: string;
  provider: string;
  simulatedPage: string | null;
}

/** Answers with the emulated Google's address and the main calendar at Microsoft. */
async function mirrorTwoAccounts(page: Page): Promise<{ google: string; outlookId: string }> {
  const ask = askIn(page.request, product.url);
  for (const provider of ['google', 'microsoft']) await ask('POST', '/dev/simulate/connect', { provider });
  const { calendars } = await ask<{ calendars: Calendar[] }>('GET', '/integrations/calendars');
  const { accounts } = await ask<{ accounts: Account[] }>('GET', '/integrations/accounts');
  const main = calendars.filter((calendar) => calendar.isPrimary && calendar.writable);
  expect(main).toHaveLength(2);
  const members = main.map(({ calendarId }) => ({ calendarId, isSource: true, isTarget: true }));
  await ask('POST', '/api/mirror-groups', { name: 'Both', enabled: true, rule: {}, members, pairs: [] });
  await expect.poll(async () => (await countsOf(page)).created, { timeout: 60_000 }).toBeGreaterThan(10);
  await expect.poll(async () => (await countsOf(page)).pending, { timeout: 60_000 }).toBe(0);
  const google = accounts.find((account) => account.provider === 'google');
  const outlook = main.find((calendar) => calendar.accountId !== google?.accountId);
  return { google: new URL(google?.simulatedPage ?? '').origin, outlookId: outlook?.calendarId ?? '' };
}

const inDays = (days: number) => Temporal.Now.plainDateISO('Europe/Berlin').add({ days }).toString();

/** A meeting in Outlook, the day after tomorrow. */
async function createMeeting(page: Page, calendarId: string): Promise<void> {
  const ask = askIn(page.request, product.url);
  const day = inDays(2);
  await ask('POST', '/events', {
    calendar_id: calendarId,
    title: 'Roadmap',
    when: { kind: 'timed', start: `${day}T09:00`, end: `${day}T09:45`, zone: 'America/New_York' },
    recurrence: null,
    description: '',
    location: '',
    meeting_link: 'https://meet.example.org/roadmap',
    attendees: [{ email: 'priya@raman.example', name: 'Priya Raman' }],
    busy: 'busy',
    private: false,
    reminders: null,
    tell_guests: false,
  });
}

test('the meetings console shows meetings and mirrors, explains them, and retries a failed mirror', async ({
  page,
}) => {
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await watched.expectFailedRequests(() => signUp(page, product, 'dana@example.org'));
  const { google, outlookId } = await mirrorTwoAccounts(page);

  await test.step('meetings ahead, with their filters in the address', async () => {
    await goTo(page, 'Meetings');
    await expect(page.getByText('Monitor origin vs mirror state, repair tools, and audit trails')).toBeVisible();
    await expect(page.getByRole('row').nth(1)).toBeVisible();
    // a few rows say as much as fifty, and are looked at in a tenth of the time
    await page.getByLabel('To', { exact: true }).fill(inDays(8));
    await expect(page).toHaveURL(/to=/);
    await expect(page.getByRole('row')).not.toHaveCount(51);
    await watched.look('console-upcoming', { phone: true });
    await page.getByRole('link', { name: 'Sort by Event Type' }).click();
    await expect(page).toHaveURL(/sort=title&order=asc|order=asc&sort=title/);
    await page.getByRole('tab', { name: /^Past/ }).click();
    await expect(page).toHaveURL(/tab=past/);
    await page.getByRole('tab', { name: /^Upcoming/ }).click();
  });

  await test.step('one of them in detail, and why it stands where it does', async () => {
    const row = page
      .getByRole('row')
      .filter({ hasText: /\d\/\d synced/ })
      .first();
    await row.getByRole('button', { name: /^View/ }).click();
    const details = page.getByRole('dialog', { name: 'Meeting Details' });
    await expect(details.getByText('1 target calendar configured')).toBeVisible();
    await expect(details.getByText('mirror.created').first()).toBeVisible();
    await watched.look('console-details');
    await details.getByRole('button', { name: 'Why?' }).click();
    const why = page.getByRole('dialog', { name: 'Why was this mirrored?' });
    await expect(why.getByText('Mirrored', { exact: true }).first()).toBeVisible();
    await watched.look('console-explain', { phone: true });
    await why.getByRole('button', { name: 'Does this count as busy?' }).click();
    await expect(page.getByText('Yes, this time is busy')).toBeVisible();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  await test.step('what is filtered goes into a file', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^meetings-upcoming-\d{4}-\d{2}-\d{2}\.csv$/);
  });

  await test.step('a mirror that Google refuses is failed, and is written when it is retried', async () => {
    const faults = `${google}/_emu/faults`;
    const refused = {
      op: 'events.insert',
      times: 0,
      effect: {
        kind: 'status',
        status: 400,
        contentType: 'application/json',
        body: JSON.stringify({ error: { code: 400, message: 'Invalid', errors: [{ reason: 'invalid' }] } }),
      },
    };
    await fetch(faults, { method: 'POST', body: JSON.stringify(refused) });
    await createMeeting(page, outlookId);
    await expect.poll(async () => (await countsOf(page)).failed, { timeout: 60_000 }).toBe(1);
    await page.getByLabel('Search title, location or people').fill('Roadmap');
    const meeting = page.getByRole('row', { name: /Roadmap/ });
    await expect(meeting.getByText('1 failed')).toBeVisible();
    await expect(meeting.getByText('Priya Raman').first()).toBeVisible();
    await page.getByRole('tab', { name: /^Mirrors/ }).click();
    const mirror = page.getByRole('row', { name: /Roadmap/ });
    await expect(mirror.getByText('Failed')).toBeVisible();
    await watched.look('console-mirrors', { phone: true });
    await mirror.getByRole('button', { name: /^View/ }).click();
    const details = page.getByRole('dialog', { name: 'Mirror Event Details' });
    await expect(details.getByRole('button', { name: 'Retry Mirror' })).toBeVisible();
    await fetch(faults, { method: 'DELETE' });
    await details.getByRole('button', { name: 'Retry Mirror' }).click();
    await expect(details.getByText('Created', { exact: true })).toBeVisible({ timeout: 30_000 });
    await details.getByRole('button', { name: 'View Full Audit Log' }).click();
    const audit = page.getByRole('dialog', { name: 'Mirror Audit Log' });
    for (const type of ['mirror.failed', 'mirror.retry', 'mirror.created']) {
      await expect(audit.getByText(type).first()).toBeVisible();
    }
    await watched.look('console-audit');
    await page.keyboard.press('Escape');
  });

  await test.step('several are resynced in one call', async () => {
    await page.getByRole('tab', { name: /^Upcoming/ }).click();
    await page.getByLabel('Search title, location or people').fill('');
    await expect(page.getByRole('row').nth(3)).toBeVisible();
    await page
      .getByRole('checkbox', { name: /^Select (?!all)/ })
      .nth(0)
      .click();
    await page
      .getByRole('checkbox', { name: /^Select (?!all)/ })
      .nth(2)
      .click({ modifiers: ['Shift'] });
    await expect(page.getByRole('toolbar', { name: 'Selected rows' })).toContainText('selected');
    await watched.look('console-chosen');
    await page.getByRole('button', { name: 'Resync Mirrors' }).click();
    // the message about the previous row may still be shown
    await expect(page.getByText(/^Checking and repairing \d+ mirrors/)).toBeVisible();
    await expect(page.getByText(/^Resync finished/).last()).toBeVisible({ timeout: 30_000 });
  });

  await test.step('a meeting is cancelled, and stays after all', async () => {
    await page.getByLabel('Search title, location or people').fill('Roadmap');
    await page.getByRole('button', { name: 'More actions for Roadmap' }).click();
    await page.getByRole('menuitem', { name: 'Cancel meeting' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel Roadmap?' });
    await dialog.getByRole('button', { name: 'Cancel meeting' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText("Roadmap wasn't canceled")).toBeVisible();
    await expect(page.getByRole('row', { name: /Roadmap/ })).toBeVisible();
  });
  watched.expectQuietConsole();
});
