import { type Browser, expect, type Page, test } from '@playwright/test';
import ICAL from 'ical.js';
import { sql } from 'kysely';
import { bookingContract } from '#features/booking/contract.ts';
import { defaultSettings } from '#features/booking/rules/type-settings.ts';
import { createClient } from '#kernel/contract-client.ts';
import { openDatabase } from '#platform/db.ts';
import { createLog } from '#platform/log.ts';
import { readMail } from '../simulation/read-mail.ts';
import { createPerson, password } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { phone, watchPage } from './watched-page.ts';

/**
 * A guest in a hurry books, cancels, books again with two guests, goes back, opens the mail on a phone, moves twice, and
 * loses the network while sending. Each message on the way is true.
 */

const host = 'anna@example.org';
const guest = 'kei@example.jp';
const brought = ['lee@example.net', 'mia@example.net'];
/** At a known service: mails to unproved addresses have no link to another site. */
const room = 'https://us02web.zoom.us/j/123';

let product: Product;
test.beforeAll(async ({ browser }) => {
  product = await startProduct({ allow: [] });
  await openIntro(browser);
});
test.afterAll(() => product.stop());

async function openIntro(browser: Browser): Promise<void> {
  const page = await browser.newPage();
  await createPerson(product, host);
  const login = await page.request.post(`${product.url}/auth/login`, {
    data: { email: host, password, app: 'user' },
    headers: { origin: product.url },
  });
  const { session_token: token } = (await login.json()) as { session_token: string };
  const api = createClient(bookingContract, {
    baseUrl: product.url,
    headers: () => ({ authorization: `Bearer ${token}` }),
  });
  await api.changeHandle({ body: { handle: 'anna-lee' } });
  const { event_type: type } = await api.createEventType({ body: { title: 'Intro call', kind: 'one-on-one' } });
  const settings = {
    ...defaultSettings('one-on-one'),
    notice_minutes: 0,
    location: { kind: 'link' as const, url: room },
  };
  await api.changeEventType({
    params: { id: type.id },
    body: { version: 1, title: type.title, slug: 'intro', description: '', hidden: false, secret: false, settings },
  });
  await page.close();
}

const slots = (page: Page) => page.locator('.slot');
const title = (page: Page, name: string) => expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
const lost = 'Couldn’t reach the server. Try again. Your details are kept, and nothing is booked twice.';

const mailsTo = (address: string) => product.smtp.mailsTo(address);
async function newestTo(address: string, count: number) {
  await expect.poll(() => mailsTo(address).map(({ parsed }) => parsed.subject)).toHaveLength(count);
  const received = mailsTo(address).at(-1);
  if (received === undefined) throw new Error(`no mail to ${address}`);
  const mail = readMail(received);
  const event = mail.calendar?.events[0] === undefined ? null : new ICAL.Event(mail.calendar.events[0]);
  return {
    ...mail,
    received,
    method: mail.calendar?.method ?? null,
    uid: event?.uid,
    sequence: event?.sequence,
    startMs: event === null ? Number.NaN : event.startDate.toUnixTime() * 1_000,
  };
}

/** The start of the slot that is pressed, epoch ms. */
async function press(page: Page, number: number): Promise<number> {
  const slot = slots(page).nth(number);
  await expect(slot).toBeVisible();
  const startMs = Number((await slot.getAttribute('id'))?.replace('slot-', '')) * 60_000;
  await slot.click();
  return startMs;
}

/** A day whose times are all to come. */
const openDay = (page: Page) => page.getByRole('navigation', { name: 'Choose a day' }).getByRole('link').nth(2).click();

/** As a page or a mail tells it to a reader in Lisbon. */
function inLisbon(ms: number): { day: string; time: string } {
  const say = (parts: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { timeZone: 'Europe/Lisbon', ...parts }).format(ms).replaceAll('\u202f', ' ');
  return { day: say({ month: 'long', day: 'numeric' }), time: say({ hour: 'numeric', minute: '2-digit' }) };
}

async function expectTime(page: Page, startMs: number): Promise<void> {
  const { day, time } = inLisbon(startMs);
  await expect(page.locator('dl dd').nth(1)).toContainText(day);
  await expect(page.locator('dl dd').nth(1)).toContainText(time.split(' ')[0] ?? '');
}

function expectTold(text: string, startMs: number): void {
  const { day, time } = inLisbon(startMs);
  expect(text).toContain(day);
  expect(text).toMatch(new RegExp(`\\b${time.split(' ')[0]}`));
}

/** The request arrives, and its answer does not. */
const loseAnswer = (page: Page, path: string) =>
  page.route(
    path,
    async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    },
    { times: 1 },
  );

test('an impatient guest books, cancels, books again and moves twice, and every message is true', async ({
  browser,
}) => {
  const context = await browser.newContext({ viewport: phone, timezoneId: 'Europe/Lisbon' });
  const page = await context.newPage();

  await test.step('books, and cancels at once', async () => {
    await page.goto(`${product.url}/anna-lee/intro`);
    await openDay(page);
    const startMs = await press(page, 0);
    await page.getByLabel('Your name').fill('Kei Tanaka');
    await page.getByLabel('Your email').fill(guest);
    await page.getByRole('button', { name: 'Confirm booking' }).click();
    await title(page, 'You’re booked!');
    await expect(page.getByText(`Check ${guest} for the invitation.`)).toBeVisible();
    await expectTime(page, startMs);
    const booked = await newestTo(guest, 1);
    expect(booked).toMatchObject({ method: 'REQUEST', sequence: 0, startMs });
    expectTold(booked.text, startMs);
    expect(booked.text).toContain(room);

    await page.getByRole('link', { name: 'Cancel booking' }).click();
    await page.getByRole('button', { name: 'Cancel booking' }).click();
    await title(page, 'You canceled this booking');
    const cancelled = await newestTo(guest, 2);
    expect(cancelled).toMatchObject({ method: 'CANCEL', uid: booked.uid });
    expectTold(cancelled.text, startMs);
    await expect.poll(() => mailsTo(host).at(-1)?.parsed.subject).toMatch(/^Cancell?ed/);
  });

  const [startMs, link] = await test.step('books again with two guests, and loses the answer', async () => {
    await page.getByRole('link', { name: 'Book another time' }).click();
    await openDay(page);
    const chosenMs = await press(page, 1);
    await page.getByLabel('Your name').fill('Kei Tanaka');
    await page.getByLabel('Your email').fill(guest);
    await page.getByLabel('Add guests').fill(brought.join('\n'));
    await expect(page.getByText('We’ll email you a link. Open it to confirm your booking.')).toBeVisible();
    await expect(page.getByText(/Reserved for you until/)).toBeVisible();
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Email me a link' }).click();
    await expect(page.getByText(lost)).toBeVisible();
    await context.setOffline(false);
    await loseAnswer(page, '**/bookings');
    await page.getByRole('button', { name: 'Email me a link' }).click();
    await expect(page.getByText(lost)).toBeVisible();
    await expect(page.getByLabel('Add guests')).toHaveValue(brought.join('\n'));
    await page.getByRole('button', { name: 'Email me a link' }).click();
    await title(page, 'Check your email');
    await expect(page.getByText(`We sent a link to ${guest}.`)).toBeVisible();
    await expectTime(page, chosenMs);
    const asked = await newestTo(guest, 3);
    expectTold(asked.text, chosenMs);
    // nothing of it is certain, and nobody else hears of it
    expect(asked.method).toBeNull();
    for (const address of brought) expect(mailsTo(address)).toEqual([]);
    const found = asked.received.links.find((one) => one.includes('proof='));
    return [chosenMs, found ?? ''] as const;
  });

  await test.step('goes back to the times, and is blamed for nothing', async () => {
    await page.goBack();
    await expect(slots(page).first()).toBeVisible();
    await expect(page.getByRole('alert').filter({ hasText: /faster|reserved|not free/ })).toHaveCount(0);
  });

  const held = await browser.newContext({ viewport: phone, timezoneId: 'Europe/Lisbon', hasTouch: true });
  const small = await held.newPage();
  const watched = watchPage(small);
  await test.step('opens the mail on a phone, and confirms', async () => {
    const html = mailsTo(guest).at(-1)?.parsed.html ?? '';
    await small.setContent(html);
    expect(await small.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(phone.width);
    await watched.look('mail-of-an-impatient-guest', { phone: true });
    await small.setViewportSize(phone);
    const button = small.getByRole('link', { name: 'Confirm booking' });
    await expect(button).toHaveAttribute('href', link);
    await button.click();
    await title(small, 'Confirm your booking');
    await expect(
      small.getByText(`Confirm that you received this email at ${guest}, and the time is yours.`),
    ).toBeVisible();
    await small.getByRole('button', { name: 'Confirm' }).click();
    await title(small, 'You’re booked!');
    await expectTime(small, startMs);
    const booked = await newestTo(guest, 4);
    expect(booked).toMatchObject({ method: 'REQUEST', sequence: 0, startMs });
    const { pathname } = new URL(link);
    for (const address of brought) {
      const invited = await newestTo(address, 1);
      expect(invited).toMatchObject({ method: 'REQUEST', uid: booked.uid, startMs });
      expect(invited.everything).not.toContain(pathname.split('/').at(-1));
    }
  });

  await test.step('moves twice, and loses the answer to the second', async () => {
    await small.getByRole('link', { name: 'Reschedule' }).click();
    await expect(small.getByText(/^Booked for/).first()).toBeVisible();
    await openDay(small);
    const firstMs = await press(small, 2);
    await small.getByRole('button', { name: 'Move to this time' }).click();
    await title(small, 'Rescheduled');
    await expectTime(small, firstMs);
    const moved = await newestTo(guest, 5);
    expect(moved).toMatchObject({ method: 'REQUEST', sequence: 1, startMs: firstMs });
    expectTold(moved.text, firstMs);
    expectTold(moved.text, startMs);

    await small.getByRole('link', { name: 'Reschedule' }).click();
    await openDay(small);
    const secondMs = await press(small, 3);
    await loseAnswer(small, '**/reschedule');
    await small.getByRole('button', { name: 'Move to this time' }).click();
    await expect(small.getByText(lost)).toBeVisible();
    await small.getByRole('button', { name: 'Move to this time' }).click();
    await title(small, 'Rescheduled');
    await expectTime(small, secondMs);
    await tellMovesNow();
    const again = await newestTo(guest, 6);
    expect(again).toMatchObject({ method: 'REQUEST', uid: moved.uid, sequence: 2, startMs: secondMs });
    expectTold(again.text, secondMs);
    for (const address of brought)
      expect(await newestTo(address, 3)).toMatchObject({
        method: 'REQUEST',
        uid: moved.uid,
        sequence: 2,
        startMs: secondMs,
      });
    await expect.poll(() => mailsTo(host).at(-1)?.parsed.text).toContain(guest);
  });

  await test.step('one of the two guests declines by the mail', async () => {
    const [, mia = ''] = brought;
    const invited = (await newestTo(mia, 3)).received.links.find((one) => one.includes('/invite/')) ?? '';
    await small.goto(invited);
    await title(small, 'Decline this meeting?');
    await watched.look('decline-of-a-brought-guest', { phone: true });
    await held.setOffline(true);
    await small.getByRole('button', { name: 'Decline' }).click();
    await expect(small.getByText('Nothing was sent')).toBeVisible();
    await held.setOffline(false);
    await small.getByRole('button', { name: 'Decline' }).click();
    await title(small, 'You declined');
    expect(await newestTo(mia, 4)).toMatchObject({ method: 'CANCEL', sequence: 3 });
    expect((await newestTo(guest, 7)).received.parsed.subject?.replaceAll('\u2060', '')).toContain(
      `Declined by ${mia}`,
    );
  });

  await test.step('answers the mail, and the host gets it', () => {
    expect(
      mailsTo(guest)
        .at(-1)
        ?.parsed.replyTo?.map(({ address }) => address),
    ).toEqual([host]);
    expect(
      mailsTo(host)
        .at(-1)
        ?.parsed.replyTo?.map(({ address }) => address),
    ).toEqual([guest]);
  });
  await Promise.all([context.close(), held.close()]);
});

/** The mail of a move right after another one waits for minutes; those are over. */
async function tellMovesNow(): Promise<void> {
  const log = await createLog({ level: 'silent', format: 'json' });
  const database = openDatabase({ url: product.databaseUrl, log });
  try {
    await expect
      .poll(async () => {
        const { numAffectedRows } = await sql`update jobs.job set start_after = now()
          where name = 'booking.tell' and state < 'active' and start_after > now()`.execute(database.db);
        return numAffectedRows;
      })
      .not.toBe(0n);
  } finally {
    await database.close();
  }
}
