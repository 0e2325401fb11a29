import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { type CaldavServer, startXandikos, whyMissing } from '../harness/caldav-servers.ts';
import { freePort } from '../harness/free-port.ts';
import { selfSigned } from '../harness/self-signed.ts';
import { killAll } from '../harness/spawn-holdfast.ts';
import { askToConnect, fillIn, goTo, signUp } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { home, whole } from './read-import.ts';
import { openRemoteCalendar, type RemoteCalendar } from './remote-calendar.ts';
import { desktop, watchPage } from './watched-page.ts';

/** Refusals of an address, a password or an event, as a person reads them. Other parts keep working. */

const missing = whyMissing('xandikos');
test.skip(missing !== null, missing ?? '');

const dana = { username: 'dana', password: 'secret' };
const open: Server[] = [];

let product: Product;
let xandikos: CaldavServer;
let good: RemoteCalendar;
let other: RemoteCalendar;
let stranger: { url: string; asked: number };
const addresses: Record<string, string> = {};

async function serve(answer: RequestListener, secure = false): Promise<string> {
  const server = secure ? createHttpsServer(selfSigned, answer) : createHttpServer(answer);
  open.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http${secure ? 's' : ''}://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const multistatus = { 'content-type': 'application/xml; charset=utf-8' };

test.beforeAll(async () => {
  xandikos = await startXandikos();
  await xandikos.removeCalendar(`${xandikos.url}alice/calendars/calendar/`);
  good = openRemoteCalendar({ url: await xandikos.createCalendar('Good'), ...dana });
  other = openRemoteCalendar({ url: await xandikos.createCalendar('Other'), ...dana });
  stranger = { url: '', asked: 0 };
  stranger.url = await serve((_, response) => {
    stranger.asked += 1;
    response.end('internal');
  });
  addresses.nobody = `http://127.0.0.1:${await freePort()}/`;
  addresses.secure = await serve((_, response) => response.end(), true);
  addresses.loginPage = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sign in</title><form></form>');
  });
  addresses.redirect = await serve((_, response) => response.writeHead(302, { location: stranger.url }).end());
  addresses.flood = await serve((_, response) => {
    response.writeHead(207, multistatus).end(`<d:multistatus xmlns:d="DAV:">${' '.repeat(11_000_000)}</d:multistatus>`);
  });
  addresses.bomb = await serve((_, response) => {
    const entities = Array.from({ length: 20 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join('');
    response
      .writeHead(207, multistatus)
      .end(`<!DOCTYPE m [<!ENTITY e0 "x">${entities}]><d:multistatus xmlns:d="DAV:">&e20;</d:multistatus>`);
  });
  const reachable = [xandikos.url, ...Object.values(addresses)];
  product = await startProduct({ allow: reachable });
});

test.afterAll(async () => {
  await product?.stop();
  killAll();
  for (const server of open) server.close();
  await xandikos?.stop();
});

test('an account that cannot be connected shows the reason at the field to correct', async ({ page }) => {
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  await watched.expectFailedRequests(async () => {
    await signUp(page, product, 'refused@example.org');
    await goTo(page, 'Integrations');
    const dialog = await askToConnect(page, { url: addresses.nobody ?? '', ...dana });
    await expect(dialog.getByText(/No server responds at .*\. Check the address/)).toBeVisible();
    await expect(dialog.getByLabel('Server address or email')).toHaveAttribute('aria-invalid', 'true');
    await watched.look('connect-unreachable', { phone: true });
    for (const [address, reason] of [
      [addresses.secure, /The secure connection to .* failed: .*\. Nothing was sent\./],
      [addresses.loginPage, /shows a web page instead of a calendar/],
      [addresses.redirect, /redirects to .*\. Your password was not sent there/],
      // a forbidden address reads like one that does not answer, so that nobody can probe the server's network
      [stranger.url, `No server responds at ${new URL(stranger.url).host}, or it is on a private network`],
      [
        'http://169.254.169.254/latest/meta-data/',
        'No server responds at 169.254.169.254, or it is on a private network',
      ],
      [addresses.flood, /sent too much data/],
      [addresses.bomb, /couldn't read the server's response/],
    ] as const) {
      await test.step(String(reason), async () => {
        await fillIn(dialog, { url: address ?? '', ...dana });
        await expect(dialog.getByText(reason)).toBeVisible();
        await expect(dialog.getByRole('button', { name: 'Connect', exact: true })).toBeEnabled();
      });
    }
  });
  expect(stranger.asked).toBe(0);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('heading', { name: 'No calendars connected yet' })).toBeVisible();
  watched.expectQuietConsole();
});

test('an unreadable event leaves its neighbors and other calendars unaffected', async ({ page }) => {
  const watched = watchPage(page);
  await page.setViewportSize(desktop);
  const tomorrow = Temporal.Now.zonedDateTimeISO(home).add({ days: 1 });
  const event = (uid: string, title: string, hour: number) => {
    const start = tomorrow.withPlainTime({ hour }).toInstant().toString().replaceAll(/[-:]/g, '');
    return whole(
      `BEGIN:VEVENT\nUID:${uid}\nDTSTAMP:20261101T080000Z\nDTSTART:${start}\nDURATION:PT1H\nSUMMARY:${title}\nEND:VEVENT`,
    );
  };
  await good.put('before.ics', event('before', 'Before the broken one', 9));
  await good.put(
    'broken.ics',
    whole(
      'BEGIN:VEVENT\nUID:broken\nDTSTAMP:20261101T080000Z\nDTSTART:at noon\nRRULE:FREQ=OFTEN\nSUMMARY:Broken\nEND:VEVENT',
    ),
  );
  await good.put('after.ics', event('after', 'After the broken one', 11));
  await other.put('elsewhere.ics', event('elsewhere', 'Elsewhere', 13));
  const seen = (await good.names()).concat(await other.names()).sort();

  await watched.expectFailedRequests(() => signUp(page, product, 'broken@example.org'));
  await goTo(page, 'Integrations');
  const dialog = await askToConnect(page, { url: xandikos.url, ...dana });
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('status').filter({ hasText: 'Synced Just now' })).toBeVisible();
  await watched.look('integrations-broken-event', { phone: true });
  await page.goto(`${product.url}/calendar?day=${tomorrow.toPlainDate().toString()}`);
  for (const title of ['Before the broken one', 'After the broken one', 'Elsewhere']) {
    await expect(page.getByRole('button', { name: new RegExp(`^${title}`) })).toBeVisible();
  }
  // and the person is told which, why, and what to do
  await watched.look('calendar-broken-event', { phone: false });
  await page.getByRole('link', { name: "1 event can't be read completely" }).click();
  const warnings = page.getByRole('dialog', { name: /^Warnings/ });
  const broken = warnings.getByRole('listitem').filter({ hasText: 'Broken' });
  await expect(broken).toContainText("Doesn't count as busy");
  await expect(broken).toContainText("The start time can't be read.");
  await warnings.getByRole('button', { name: 'Close' }).click();
  await other.put('later.ics', event('later', 'Written later', 15));
  await good.put('later.ics', event('later-too', 'Later beside the broken one', 16));
  await goTo(page, 'Integrations');
  await page.getByRole('button', { name: 'Sync now dana' }).click();
  await goTo(page, 'Calendar');
  await page.goto(`${product.url}/calendar?day=${tomorrow.toPlainDate().toString()}`);
  for (const title of ['Written later', 'Later beside the broken one']) {
    await expect(page.getByRole('button', { name: new RegExp(`^${title}`) })).toBeVisible();
  }
  expect((await good.names()).concat(await other.names()).sort()).toEqual([...seen, 'later.ics', 'later.ics'].sort());
  watched.expectQuietConsole();
});
