import { expect, type Page, test } from '@playwright/test';
import { type CaldavServer, whyMissing } from '../harness/caldav-servers.ts';
import { killAll } from '../harness/spawn-holdfast.ts';
import { askToConnect, goTo, signUp } from './person.ts';
import { type Product, startProduct } from './product.ts';
import type { RemoteCalendar } from './remote-calendar.ts';
import { startHome } from './start-home.ts';
import { desktop, watchPage } from './watched-page.ts';

/** Invitations in a calendar on a real Radicale, answered on the card by press and by key, with a note, and taken back. */

const missing = whyMissing('radicale');
test.skip(missing !== null, missing ?? '');
test.use({ actionTimeout: 20_000, timezoneId: 'Europe/Berlin' });

const dana = { username: 'dana@example.org', password: 'secret' };
const zone = 'Europe/Berlin';
const today = Temporal.Now.zonedDateTimeISO(zone).toPlainDate();
const monday = today.add({ days: 8 - today.dayOfWeek + 14 });

let product: Product;
let radicale: CaldavServer;
let home: RemoteCalendar;

test.beforeAll(async () => {
  ({ radicale, home } = await startHome(dana));
  product = await startProduct({ allow: [radicale.url] });
});

test.afterAll(async () => {
  await product?.stop();
  killAll();
  await radicale?.stop();
});

function invitation(uid: string, title: string, hour: number, more: string[] = []): string {
  const at = (of: number) => `${monday.toString().replaceAll('-', '')}T${String(of).padStart(2, '0')}0000Z`;
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Test//EN',
    'BEGIN:VEVENT',
    `UID:${uid}@example.net`,
    'DTSTAMP:20260101T000000Z',
    `SUMMARY:${title}`,
    `DTSTART:${at(hour)}`,
    `DTEND:${at(hour + 1)}`,
    'ORGANIZER;CN=Ben:mailto:ben@example.net',
    'ATTENDEE;CN=Ben;PARTSTAT=ACCEPTED:mailto:ben@example.net',
    `ATTENDEE;CN=Dana;PARTSTAT=NEEDS-ACTION:mailto:${dana.username}`,
    ...more,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');
}

const event = (page: Page, title: string) => page.locator('[data-event]').filter({ hasText: title });
const card = (page: Page, title: string) => page.getByRole('dialog', { name: title });

/** Waits for the answer in Dana's own line at Radicale. */
async function expectAnswer(name: string, partstat: string): Promise<void> {
  await expect(async () => {
    const text = ((await home.objects()).get(name) ?? '').replaceAll(/\r?\n[ \t]/g, '');
    expect(text.split(/\r?\n/).find((line) => line.endsWith(`:mailto:${dana.username}`))).toContain(
      `PARTSTAT=${partstat}`,
    );
  }).toPass({ timeout: 30_000, intervals: [100] });
}

test('an invitation is answered on its card by press and by key, and the answer is taken back', async ({ page }) => {
  test.setTimeout(120_000);
  await home.put('plan.ics', invitation('plan', 'Plan', 8));
  await home.put('retro.ics', invitation('retro', 'Retro', 11, ['RRULE:FREQ=WEEKLY;COUNT=3']));
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await watched.expectFailedRequests(() => signUp(page, product, dana.username));
  await goTo(page, 'Integrations');
  await expect(await askToConnect(page, { url: radicale.url, ...dana })).toBeHidden();
  await page.goto(`${product.url}/calendar?day=${monday.toString()}`);
  await event(page, 'Plan').click();
  const plan = card(page, 'Plan');
  await expect(plan.getByRole('button', { name: 'Yes', exact: true })).toHaveAttribute('aria-pressed', 'false');
  await plan.getByRole('button', { name: 'Add a note' }).click();
  await plan.getByLabel('Note to the organizer').fill('my note');
  await page.screenshot({ path: test.info().outputPath('card.png') });
  await plan.getByRole('button', { name: 'Yes', exact: true }).click();
  await expect(page.getByText('Answered: Plan')).toBeVisible();
  await expectAnswer('plan.ics', 'ACCEPTED');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expectAnswer('plan.ics', 'NEEDS-ACTION');

  await event(page, 'Retro').focus();
  await page.keyboard.press('Enter');
  await expect(card(page, 'Retro').getByText('Going?')).toBeVisible();
  await card(page, 'Retro').getByLabel('All events in the series').check();
  await page.screenshot({ path: test.info().outputPath('series.png') });
  await page.keyboard.press('n');
  await expect(card(page, 'Retro')).toBeHidden();
  await expectAnswer('retro.ics', 'DECLINED');
  watched.expectQuietConsole();
});
