import { expect, type Page, test } from '@playwright/test';
import { type CaldavServer, whyMissing } from '../harness/caldav-servers.ts';
import { killAll } from '../harness/spawn-holdfast.ts';
import { askToConnect, goTo, signUp } from './person.ts';
import { type Product, startProduct } from './product.ts';
import type { RemoteCalendar } from './remote-calendar.ts';
import { startHome } from './start-home.ts';
import { addAxe, desktop, runAxe, showScheme, watchPage, wcag } from './watched-page.ts';

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

const sizes = {
  desktop: { width: 1440, height: 900 },
  tablet: { width: 1024, height: 768 },
  phone: { width: 390, height: 844 },
};

/** Axe and a picture at three widths, light and dark. */
async function look(page: Page, name: string): Promise<void> {
  await addAxe(page);
  for (const [width, size] of Object.entries(sizes)) {
    await page.setViewportSize(size);
    for (const scheme of ['light', 'dark'] as const) {
      await showScheme(page, scheme);
      expect.soft(await runAxe(page, wcag), `${name}, ${width}, ${scheme}`).toEqual([]);
      await page.screenshot({ path: test.info().outputPath(`${name}-${width}-${scheme}.png`) });
    }
  }
  await page.setViewportSize(desktop);
  await showScheme(page, 'light');
}

test('an invitation is answered in the agenda, in the inbox and from the palette', async ({ page }) => {
  test.setTimeout(180_000);
  await home.put('draft.ics', invitation('draft', 'Draft', 8));
  await home.put('stand.ics', invitation('stand', 'Standup', 9, ['RRULE:FREQ=DAILY;COUNT=4']));
  await home.put('lunch.ics', invitation('lunch', 'Lunch with the whole team of the office in Lisbon', 12));
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await watched.expectFailedRequests(() => signUp(page, product, `second-${dana.username}`));
  await goTo(page, 'Integrations');
  await expect(await askToConnect(page, { url: radicale.url, ...dana })).toBeHidden();

  await page.goto(`${product.url}/calendar?view=agenda&day=${monday.toString()}`);
  const going = (title: string) => page.getByRole('group', { name: `Going? ${title}` });
  await expect(going('Draft')).toBeVisible();
  await look(page, 'agenda');
  await going('Draft').getByRole('button', { name: 'Maybe' }).click();
  await expect(page.getByText('Answered: Draft')).toBeVisible();
  await expect(going('Draft')).toBeHidden();
  await expect(event(page, 'Draft')).toBeFocused();
  await expectAnswer('draft.ics', 'TENTATIVE');

  await event(page, 'Lunch').first().focus();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('answer');
  await expect(page.getByRole('option', { name: /^Answer: Yes/ })).toContainText('Lunch');
  await look(page, 'palette');
  await page.getByRole('option', { name: /^Answer: No/ }).click();
  await expectAnswer('lunch.ics', 'DECLINED');

  await page.getByRole('button', { name: /^Notifications/ }).click();
  const inbox = page.getByRole('dialog', { name: 'Notifications' });
  // the one of the test before waits too
  await expect(inbox.getByRole('heading', { name: 'Invitations 2' })).toBeVisible();
  await expect(inbox.getByText('All events in the series')).toBeVisible();
  await look(page, 'inbox');
  await inbox.getByRole('group', { name: 'Going? Standup' }).getByRole('button', { name: 'Yes' }).click();
  await expect(inbox.getByRole('heading', { name: 'Invitations 1' })).toBeVisible();
  await expectAnswer('stand.ics', 'ACCEPTED');
  watched.expectQuietConsole();
});
