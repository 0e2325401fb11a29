import { expect, type Page, test } from '@playwright/test';
import ICAL from 'ical.js';
import { bookingContract } from '#features/booking/contract.ts';
import { defaultSettings } from '#features/booking/rules/type-settings.ts';
import { createClient } from '#kernel/contract-client.ts';
import type { GoogleDialect } from '../../src/emulators/google/google.ts';
import { type ControlClient, connectControl } from '../../src/emulators/kit/control-client.ts';
import type { MicrosoftDialect } from '../../src/emulators/microsoft/launch.ts';
import { type CaldavServer, whyMissing } from '../harness/caldav-servers.ts';
import type { ReceivedMail } from '../harness/smtp-server.ts';
import { killAll } from '../harness/spawn-holdfast.ts';
import { askIn } from './ask-as.ts';
import { createPerson, password } from './person.ts';
import { type Product, startProduct } from './product.ts';
import { occurrencesAtCaldav, occurrencesAtGoogle, occurrencesAtMicrosoft } from './read-standing.ts';
import type { RemoteCalendar } from './remote-calendar.ts';
import { startHome } from './start-home.ts';
import { desktop, phone, watchPage } from './watched-page.ts';

/**
 * A booking's whole story: a stranger in Tokyo books on a phone with a host in New York, whose Google calendar gets the
 * event and whose Outlook and CalDAV calendars are blocked; the host moves it in Google, is asked, and follows; the guest
 * gets the new time by mail and cancels from it, without a script.
 */

const missing = whyMissing('radicale');
test.skip(missing !== null, missing ?? '');

const dana = { username: 'dana@example.org', password: 'secret' };
const atGoogle = 'dana@gmail.example';
const atMicrosoft = 'dana@contoso.example';
const guest = 'kei@example.jp';

let product: Product;
let radicale: CaldavServer;
let home: RemoteCalendar;

test.beforeAll(async () => {
  ({ radicale, home } = await startHome(dana));
  product = await startProduct({ allow: [radicale.url], env: { SIMULATED_PROVIDERS: 'true' } });
});
test.afterAll(async () => {
  await product?.stop();
  killAll();
  await radicale?.stop();
});

interface Host {
  google: ControlClient<GoogleDialect>;
  microsoft: ControlClient<MicrosoftDialect>;
}

/** Three accounts that mirror each other, and one event type whose bookings go to Google; by the calls of the screens. */
async function openHost(page: Page): Promise<Host> {
  await createPerson(product, dana.username);
  const ask = askIn(page.request, product.url);
  const login = { email: dana.username, password, app: 'user' };
  const { session_token: token } = await ask<{ session_token: string }>('POST', '/auth/login', login);
  await ask('PATCH', '/api/account/preferences', { timezone: 'America/New_York' });
  const simulate = async (provider: string) => {
    const { account } = await ask<{ account: { simulatedPage: string } }>('POST', '/dev/simulate/connect', {
      provider,
    });
    return new URL(account.simulatedPage).origin;
  };
  const google = connectControl<GoogleDialect>(await simulate('google'));
  const microsoft = connectControl<MicrosoftDialect>(await simulate('microsoft'));
  await ask('POST', '/api/connections/caldav', { profile: 'generic', url: radicale.url, ...dana });
  // conflicts in unread calendars would surface only during the booking
  await expect
    .poll(async () => {
      const { accounts } = await ask<{ accounts: { lastSyncedAt: string | null }[] }>('GET', '/integrations/accounts');
      const read = await ask<{ calendars: { lastSyncedAt: string | null }[] }>('GET', '/api/calendars');
      const unread = [...accounts, ...read.calendars].filter(({ lastSyncedAt }) => lastSyncedAt === null);
      return { accounts: accounts.length, unread };
    })
    .toEqual({ accounts: 3, unread: [] });
  const { calendars } = await ask<{ calendars: { id: string; name: string; email: string }[] }>(
    'GET',
    '/api/calendars',
  );
  const own = [
    calendars.find(({ name }) => name === atGoogle || name === 'dana@gmail.example'),
    calendars.find(({ name, email }) => name === 'Calendar' && email === atMicrosoft),
    calendars.find(({ name }) => name === 'Home'),
  ].map((found) => found?.id ?? '');
  expect(own).not.toContain('');
  await ask('POST', '/api/mirror-groups', {
    name: 'All',
    enabled: true,
    rule: {},
    members: own.map((calendarId) => ({ calendarId, isSource: true, isTarget: true })),
    pairs: [],
  });
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
        target_calendar_id: own[0] as never,
      },
    },
  });
  return { google, microsoft };
}

/** The calendar part of a mail, read by another program. */
function invitationIn({ parsed }: ReceivedMail) {
  const part = parsed.attachments.find(
    ({ mimeType }) => mimeType === 'text/calendar' || mimeType === 'application/ics',
  );
  const text = typeof part?.content === 'string' ? part.content : new TextDecoder().decode(part?.content);
  const calendar = new ICAL.Component(ICAL.parse(text));
  const event = new ICAL.Event(calendar.getFirstSubcomponent('vevent') ?? undefined);
  return {
    method: String(calendar.getFirstPropertyValue('method')),
    uid: event.uid,
    sequence: event.sequence,
    startMs: event.startDate.toUnixTime() * 1_000,
  };
}

const instant = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString({ smallestUnit: 'second' });
const hourMs = 3_600_000;
const halfHourMs = 1_800_000;

test('a guest’s booking follows a move in the host’s calendar and is cancelled from a mail', async ({
  browser,
  page,
}) => {
  await page.setViewportSize(desktop);
  const { google, microsoft } = await openHost(page);
  const watched = watchPage(page);
  const mails = () => product.smtp.mailsTo(guest);

  const startMs = await test.step('a stranger in Tokyo books on a phone', async () => {
    const context = await browser.newContext({ viewport: phone, timezoneId: 'Asia/Tokyo', hasTouch: true });
    const stranger = await context.newPage();
    const strange = watchPage(stranger);
    // the time is kept for them, and they hear of it only when they have sent the form
    const kept = Promise.withResolvers<void>();
    const sent = Promise.withResolvers<void>();
    await stranger.route('**/holds', async (route) => {
      const response = await route.fetch();
      kept.resolve();
      await sent.promise;
      await route.fulfill({ response });
    });
    await stranger.goto(`${product.url}/dana-lee/intro`);
    await stranger.getByRole('navigation', { name: 'Choose a day' }).getByRole('link').nth(2).click();
    await stranger.locator('.slot').first().click();
    await stranger.getByLabel('Your name').fill('Kei Tanaka');
    await stranger.getByLabel('Your email').fill(guest);
    await kept.promise;
    await stranger.getByRole('button', { name: 'Confirm booking' }).click();
    sent.resolve();
    await expect(stranger.getByRole('heading', { name: 'You’re booked!' })).toBeVisible();
    strange.expectQuietConsole();
    await context.close();
    await expect.poll(() => mails().length).toBe(1);
    const [mail] = mails();
    const invited = mail && invitationIn(mail);
    expect(invited).toMatchObject({ method: 'REQUEST', sequence: 0 });
    return invited?.startMs ?? 0;
  });

  const stretch = { fromMs: startMs - 12 * hourMs, toMs: startMs + 24 * hourMs };
  /** Where the booking stands, and what is blocked for it: null, nowhere. */
  const expectEverywhere = async (atMs: number | null) => {
    await expect(async () => {
      const wanted = atMs === null ? [] : [`${instant(atMs)}/${instant(atMs + halfHourMs)}`];
      const ofGoogle = occurrencesAtGoogle(await google.snapshot(), atGoogle, stretch);
      expect(ofGoogle.flatMap((one) => (one.title.startsWith('Intro call') ? [one.span] : []))).toEqual(wanted);
      const blocks = [
        occurrencesAtMicrosoft(await microsoft.snapshot(), atMicrosoft, 'calendar', stretch),
        occurrencesAtCaldav(await home.events()),
      ].map((found) => found.flatMap(({ isBlock, span }) => (isBlock && wanted.includes(span) ? [span] : [])));
      expect(blocks).toEqual([wanted, wanted]);
    }).toPass({ timeout: 30_000, intervals: [50] });
  };

  await test.step('it stands in Google, and blocks Outlook and CalDAV', async () => {
    const before = performance.now();
    await expectEverywhere(startMs);
    // promised are 2 s; what it took is told, a loaded machine fails nothing
    test
      .info()
      .annotations.push({ type: 'everywhere after', description: `${(performance.now() - before).toFixed(0)} ms` });
  });

  await test.step('moved in Google, its host is asked, and follows', async () => {
    await google.act({ account: atGoogle, do: 'move', pick: 'Intro call: Kei Tanaka', minutes: 60 });
    await page.goto(`${product.url}/meetings`);
    await expect(page.getByRole('heading', { name: /needs a decision/ })).toBeVisible({ timeout: 30_000 });
    await watched.look('meetings-question', { phone: true });
    await page.getByRole('button', { name: 'Move the booking' }).click();
    await expect(page.getByRole('heading', { name: /needs a decision/ })).toBeHidden();
    await expect.poll(() => mails().length).toBe(2);
    const [first, second] = mails();
    const [booked, moved] = [first, second].map((mail) => mail && invitationIn(mail));
    expect(moved).toMatchObject({ method: 'REQUEST', uid: booked?.uid, startMs: startMs + hourMs });
    expect(moved?.sequence).toBeGreaterThan(0);
    await expectEverywhere(startMs + hourMs);
  });

  await test.step('the guest cancels from the mail, without a script', async () => {
    const link = mails()
      .at(-1)
      ?.links.find((one) => one.includes('/booked/'));
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: phone });
    const stranger = await context.newPage();
    await stranger.goto(link ?? '');
    await stranger.getByRole('link', { name: 'Cancel booking' }).click();
    await stranger.getByLabel('Reason').fill('Something came up');
    await stranger.getByRole('button', { name: 'Cancel booking' }).click();
    await expect(stranger.getByRole('heading', { name: 'Canceled' })).toBeVisible();
    await context.close();
    await expect.poll(() => mails().length).toBe(3);
    const last = mails().at(-1);
    expect(last && invitationIn(last)).toMatchObject({ method: 'CANCEL' });
    await expectEverywhere(null);
  });
  watched.expectQuietConsole();
});
