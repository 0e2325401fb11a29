import { expect, type Page, test } from '@playwright/test';
import { sql } from 'kysely';
import { startDefinition } from '#features/routing/rules/form-definition.ts';
import { type DatabaseHandle, openDatabase } from '#platform/db.ts';
import { createLog } from '#platform/log.ts';
import { features } from '../../src/features.ts';
import { withFonts } from '../harness/chromium.ts';
import { openAccount } from '../harness/open-account.ts';
import { sampleWorkflow } from '../harness/sample-workflow.ts';
import { killAll } from '../harness/spawn-holdfast.ts';
import { type Ask, askAs } from './ask-as.ts';
import { type Crawl, startCrawl } from './crawled-page.ts';
import { type Product, startProduct } from './product.ts';
import { desktop, phone, watchPage } from './watched-page.ts';

/** Every page for each kind of visitor, with the checks of `crawled-page.ts`. A page that is not listed here fails. */

/** Under no name that the compiler follows: behind it are the components of the browser, of which this side knows nothing. */
const listOfScreens: string = '../../src/web/screens.ts';
const { screens } = (await import(listOfScreens)) as { screens: readonly { path: string; guard: string }[] };

/** The specification's table of routes. */
const specified = [
  '/',
  '/home',
  '/login',
  '/admin/login',
  '/signup',
  '/mfa/enroll',
  '/mfa/verify',
  '/password/forgot',
  '/password/reset',
  '/admin/$',
  '/dashboard',
  '/calendar',
  '/integrations',
  '/availability',
  '/meetings',
  '/contacts',
  '/workflows',
  '/routing',
  '/profile',
  '/billing',
  '/team',
  '/help',
];

/** Failures name the fault and its page; a trace of each step would add nothing. */
test.use({ trace: 'off' });

let product: Product;
let database: DatabaseHandle;
/** Session tokens: Dana's, who has everything, and the administrator's, who has nothing yet. */
let tokens: { dana: string; admin: string };
/** Where each page is found, by its route; a `$name` of a screen is a `{name}` of the server. */
let addresses: Record<string, readonly string[]>;

test.beforeAll(async () => {
  product = await startProduct({ allow: [], env: { SIMULATED_PROVIDERS: 'true', OPERATOR_NAME: 'Example Ltd' } });
  database = openDatabase({ url: product.databaseUrl, log: await createLog({ level: 'silent', format: 'json' }) });
  const admin = await openAccount(database, 'admin@example.org');
  await sql`update accounts.settings set require_admin_mfa = false`.execute(database.db);
  const dana = await openAccount(database, 'dana@example.org');
  tokens = { dana: dana.token, admin: admin.token };
  addresses = await fillProduct(askAs(product.url, dana.token));
});
test.afterAll(async () => {
  await database?.close();
  await product?.stop();
  killAll();
});

const postForm = (path: string, form: Record<string, string> = {}) =>
  fetch(`${product.url}${path}`, { method: 'POST', body: new URLSearchParams(form), headers: { accept: 'text/html' } });

/** Where the mail leads that asks whether somebody wants news. */
async function subscribe(email: string): Promise<string> {
  await postForm('/subscribe', { email });
  return linkIn(email, '/subscribe/');
}

/** The first link of mails to an address that leads to such a page. */
async function linkIn(email: string, page: string): Promise<string> {
  const found = () => product.smtp.mailsTo(email).flatMap(({ links }) => links.filter((one) => one.includes(page)));
  await expect.poll(() => found().length).toBeGreaterThan(0);
  return found()[0] ?? '';
}

/** One of everything, by the calls of the screens. */
async function fillProduct(dana: Ask): Promise<typeof addresses> {
  await dana('PATCH', '/api/account/profile', { name: 'Dana Lee' });
  await dana('PUT', '/api/handle', { handle: 'dana-lee' });
  const make = async (body: object) =>
    (await dana<{ event_type: { id: string } }>('POST', '/api/event-types', { kind: 'one-on-one', ...body }))
      .event_type;
  const type = await make({ title: 'Intro', settings: { notice_minutes: 0 } });
  const from = Math.ceil(Temporal.Now.instant().epochMilliseconds / 60_000) + 1_440;
  const stranger = askAs(product.url);
  const { starts } = await stranger<{ starts: number[] }>(
    'GET',
    `/api/book/dana-lee/intro/slots?from=${from}&to=${from + 10_080}`,
  );
  const guest = {
    name: 'Kei Tanaka',
    phone: '+4915112345678',
    email: 'kei@example.jp',
    zone: 'Asia/Tokyo',
    language: 'en',
  };
  const made = await stranger<{ bookings: { token: string }[] }>('POST', '/api/book/dana-lee/intro/bookings', {
    start: starts[0],
    ...guest,
  });
  const bringing = await stranger<{ bookings: { token: string }[] }>('POST', '/api/book/dana-lee/intro/bookings', {
    start: starts[4],
    ...guest,
    email: 'lena@example.net',
    guests: ['rui@example.net'],
  });
  const proof = new URL(await linkIn('lena@example.net', '/booked/'));
  await postForm(`/booked/${bringing.bookings[0]?.token}/confirm`, { proof: proof.searchParams.get('proof') ?? '' });
  const toDecline = await linkIn('rui@example.net', '/invite/');
  // simulated events may block any time
  await dana('POST', '/dev/simulate/connect', { provider: 'google' });
  await dana('POST', '/dev/simulate/connect', { provider: 'microsoft' });
  const booked = `/booked/${made.bookings[0]?.token}`;
  const { link } = await dana<{ link: { url: string } }>('POST', '/api/booking-links', {
    kind: 'private',
    event_type_id: type.id,
    uses: null,
    expires_at: null,
  });
  await dana('POST', '/api/contacts', {
    address: 'nina@example.net',
    name: 'Nina Berg',
    company: 'Example',
    tags: ['VIP'],
  });
  const { team } = await dana<{ team: { id: string } }>('POST', '/api/teams', { name: 'Sales' });
  await dana('PUT', `/api/teams/${team.id}/handle`, { handle: 'sales-crew' });
  await make({ title: 'Demo', kind: 'round-robin', team_id: team.id });
  const { workflow } = await dana<{ workflow: { id: string } }>('POST', '/api/workflows', {
    name: 'Reminder',
    definition: sampleWorkflow,
  });
  const { form } = await dana<{ form: { id: string } }>('POST', '/api/routing/forms', {
    name: 'Talk to us',
    slug: 'talk',
    definition: startDefinition('conditional', 'Talk to us', { kind: 'message', text: 'We will write to you.' }),
  });
  const confirmUrl = await subscribe('reader@example.org');
  await postForm(new URL(await subscribe('keen@example.org')).pathname);
  const { rows } = await sql<{ id: string }>`select id from site.subscribers where confirmed_at is not null`.execute(
    database.db,
  );
  const at = (url: string) => new URL(url).pathname;
  return {
    '/meetings': ['/meetings', '/meetings?tab=past', '/meetings?tab=mirrors'],
    '/calendar': ['/calendar', '/calendar?view=month', '/calendar?view=agenda', '/calendar?view=day'],
    '/admin/$': ['', '/users', '/billing', '/integrations', '/health', '/audit', '/settings'].map(
      (one) => `/admin${one}`,
    ),
    '/booking-links/$typeId': [`/booking-links/${type.id}`],
    '/availability/links/$typeId': [`/availability/links/${type.id}`],
    '/meetings/team/$teamId': [`/meetings/team/${team.id}`],
    '/routing/$formId': [`/routing/${form.id}`, `/routing/${form.id}?tab=share`],
    '/workflows/$workflowId': [`/workflows/${workflow.id}`, `/workflows/${workflow.id}?tab=log`],
    '/verify-email': ['/verify-email?email=new@example.org&code=nothing'],
    '/password/reset': ['/password/reset?email=new@example.org&code=nothing'],
    '/$handle': ['/dana-lee', '/sales-crew'],
    '/$handle/$slug': ['/dana-lee/intro', '/sales-crew/demo'],
    '/$handle/forms/$slug': ['/dana-lee/forms/talk'],
    '/l/$token': [at(link.url)],
    '/booked/$token': [booked],
    '/booked/$token/calendar.ics': [],
    '/booked/$token/cancel': [`${booked}/cancel`],
    '/booked/$token/reschedule': [`${booked}/reschedule`],
    '/booked/$token/message': [`${booked}/message`],
    '/invite/$token': [at(toDecline)],
    '/docs/$name': ['/docs/mirrors'],
    '/subscribe/$token': [at(confirmUrl)],
    '/unsubscribe/$token': [`/unsubscribe/${rows[0]?.id}`],
  };
}

const at = (route: string): readonly string[] => addresses[route] ?? [route];
/** The platform's own, in English for all (0045). `/dev/mail` is there without a mail server only: mail.e2e.ts looks at it. */
const reference = '/api/docs';
const served = [
  ...features
    .flatMap(({ pages = [] }) => pages.filter(({ method }) => method === 'GET'))
    .map(({ path }) => path.replace(/\{(\w+)\}/g, '$$$1')),
  reference,
];
const screensFor = (...guards: string[]) =>
  screens.filter(({ guard }) => guards.includes(guard)).map(({ path }) => path);

const answered = new Map<string, Promise<boolean>>();

/** Whether a screen, or an answer of the server, stands at an address; asked once for each. */
function isThere(path: string): Promise<boolean> {
  const known = answered.get(path) ?? lookFor(path);
  answered.set(path, known);
  return known;
}

async function lookFor(path: string): Promise<boolean> {
  const calls = features.flatMap(({ routes = [] }) => routes.flat()).map(({ endpoint }) => endpoint);
  const asked = calls.filter(({ method }) => method === 'GET');
  if (asked.some((call) => new RegExp(`^${call.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path))) return true;
  const { status } = await fetch(`${product.url}${path}`, { headers: { accept: 'text/html' }, redirect: 'manual' });
  return status < 400;
}

async function open(page: Page, token?: string): Promise<Crawl> {
  await page.setViewportSize(desktop);
  if (token !== undefined) await page.context().addCookies([{ name: 'holdfast', value: token, url: product.url }]);
  return startCrawl(page);
}

/** Crawls each page in its own step, so that a page that fails does not hide the next. */
async function crawl(page: Page, token: string | undefined, paths: readonly string[]): Promise<void> {
  const watched = watchPage(page);
  const crawled = await open(page, token);
  for (const path of paths) {
    await test.step(path, async () => {
      await page.goto(`${product.url}${path}`);
      await crawled.settle();
      expect.soft(await crawled.inspect(['desktop', 'phone'], isThere), path).toEqual([]);
      expect.soft(await crawled.press(), path).toEqual([]);
    });
  }
  watched.expectQuietConsole();
}

test('every page of the specification exists, and every page with parameters has addresses to crawl', () => {
  const there = [...screens.map(({ path }) => path), ...served];
  expect(specified.filter((route) => !there.includes(route))).toEqual([]);
  const needed = there.filter((route) => route.slice(0, -1).includes('$'));
  expect(needed.filter((route) => !(route in addresses))).toEqual([]);
  expect(Object.keys(addresses).filter((route) => !there.includes(route))).toEqual([]);
});

test('the crawler finds every kind of fault on a broken page', async ({ page }) => {
  const watched = watchPage(page);
  const crawled = await open(page);
  await page.goto(`${product.url}/login`);
  await crawled.settle();
  await page.evaluate(`document.querySelector('form').insertAdjacentHTML('afterend',
    '<button id="mute">Press</button><a href="#">Lost</a><a href="/nowhere/at/all">Gone</a><img src="/icon.svg">' +
    '<p id="pale">Pale</p><p id="narrow">Pale on a phone</p><button id="numb">Numb</button><div id="wide">Wide</div><button id="alive">Abridged</button>');
    const [pale, numb, wide, alive] = ['pale', 'numb', 'wide', 'alive'].map((id) => document.getElementById(id));
    Object.assign(pale.style, { color: '#bbb', background: '#fff' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('#narrow { color: #333; background: #fff } @media (width < 500px) { #narrow { color: #bbb } }');
    document.adoptedStyleSheets.push(sheet);
    wide.style.width = '3000px';
    Object.assign(alive.style, { width: '40px', overflow: 'hidden', whiteSpace: 'nowrap' });
    alive.addEventListener('click', () => { alive.title = 'Pressed'; });
    numb.addEventListener('click', () => {})`);
  await page.evaluate(`for (const [id, panel, inner] of [
      ['lost', {}, {}],
      ['dotted', { textOverflow: 'ellipsis' }, {}],
      ['scrolled', {}, { overflowX: 'auto' }],
      ['moved', {}, { transform: 'translateX(50px)' }],
    ]) {
      document.querySelector('form').insertAdjacentHTML('afterend',
        '<div><div><table id="' + id + '"><tr><td>Wider than its panel</table></div></div>');
      const table = document.getElementById(id);
      table.style.width = '300px';
      Object.assign(table.parentElement.style, inner);
      Object.assign(table.parentElement.parentElement.style, { width: '200px', overflowX: 'clip', ...panel });
    }`);
  const faults = (await crawled.inspect(['desktop', 'phone'], isThere)).join('\n');
  for (const one of [
    'id="mute"',
    'leads nowhere',
    'no page answers /nowhere/at/all',
    'image-alt',
    'scrolls sideways',
    'cut off',
    '<table id="lost"',
    'desktop, light: color-contrast: <p id="pale"',
    'desktop, dark: color-contrast: <p id="pale"',
    'phone, light: color-contrast: <p id="narrow"',
    'phone, dark: color-contrast: <p id="narrow"',
  ])
    expect.soft(faults).toContain(one);
  for (const id of ['dotted', 'scrolled', 'moved']) expect.soft(faults).not.toContain(`<table id="${id}"`);
  expect.soft(faults).not.toMatch(/desktop, \w+: color-contrast: <p id="narrow"/);
  expect.soft(faults).not.toContain('nothing: <button id="alive"');
  // the button has a listener; only a press shows that it does nothing
  expect.soft(faults).not.toContain('nothing: <button id="numb"');
  const numb = (await crawled.press()).join('\n');
  expect.soft(numb).toContain('id="numb"');
  expect.soft(numb).not.toContain('id="alive"');
  watched.expectQuietConsole();
  await page.goto(`${product.url}/login`);
  for (const [fault, said] of [
    ["console.error('Spoilt')", 'error: Spoilt'],
    ["console.warn('Doubtful')", 'warning: Doubtful'],
    ["setTimeout(() => { throw new Error('Broken'); })", 'uncaught: Broken'],
    ["fetch('/nowhere.json')", '404'],
  ] as const) {
    const heard = watchPage(page);
    await page.evaluate(`void ${fault}`);
    await expect(() => expect(() => heard.expectQuietConsole()).toThrow(said)).toPass({ timeout: 15_000 });
  }
});

test('public and sign-in pages pass the crawl for signed-out visitors', async ({ page }) => {
  await crawl(page, undefined, served.flatMap(at));
  // between the password and the second factor
  const crawled = await startCrawl(page);
  await page.goto(`${product.url}/login`);
  for (const path of ['/mfa/verify', ...screensFor('challenged-or-user')]) {
    await page.evaluate(`history.pushState({ challenge: 'x', __TSR_key: 'x' }, '', '${path}')`);
    await page.reload();
    await expect(page).toHaveURL(new RegExp(path));
    await crawled.settle();
    expect.soft(await crawled.inspect(['desktop', 'phone'], isThere), path).toEqual([]);
  }
  for (const path of [...screensFor('user', 'admin'), '/mfa/verify'].flatMap(at)) {
    await page.goto(`${product.url}${path}`, { waitUntil: 'commit' });
    await page.waitForURL(path.startsWith('/admin') ? /\/admin\/login\b/ : /\/login\b/);
  }
});

const own = screensFor('user', 'challenged-or-user');
/** In three, as each has the time of a test. */
for (const third of [0, 1, 2]) {
  test(`every screen passes the crawl for a user with data (${third + 1} of 3)`, async ({ page }) => {
    await crawl(page, tokens.dana, own.filter((_, n) => n % 3 === third).flatMap(at));
  });
}
test('a signed-in user is redirected home from sign-in and admin pages', async ({ page }) => {
  await page.context().addCookies([{ name: 'holdfast', value: tokens.dana, url: product.url }]);
  for (const path of ['/', '/login', '/signup', '/admin', '/admin/users']) {
    await page.goto(`${product.url}${path}`, { waitUntil: 'commit' });
    await page.waitForURL(/\/dashboard\b/);
  }
});

test('every admin screen passes the crawl', async ({ page }) => {
  await crawl(page, tokens.admin, at('/admin/$'));
});
test('every user screen passes the crawl without data', async ({ page }) => {
  const others = screensFor('user').filter((path) => !path.includes('$'));
  await crawl(page, tokens.admin, others);
});

/**
 * The longest of our languages also at the narrowest width a page must fit, and between phone and desktop; none is as long
 * as the other. Pages for strangers have the fonts of the machine, and so has every screen until our own font has come.
 */
const measured = [
  { language: 'de', fonts: 'dejavu', ownFont: true, widths: [320, phone.width, 800, 960, desktop.width] },
  { language: 'de', fonts: 'noto', ownFont: false, widths: [320, phone.width, 800, 960, desktop.width] },
  { language: 'en-XA', fonts: 'dejavu', ownFont: true, widths: [phone.width, desktop.width] },
] as const;
for (const { language, fonts, ownFont, widths } of measured) {
  test(`no page in ${language} with ${fonts}${ownFont ? '' : ' alone'} is too wide or cut off`, async ({
    playwright,
    launchOptions,
  }) => {
    const browser = await playwright.chromium.launch({ ...launchOptions, env: withFonts(fonts) });
    for (const [token, paths] of [
      [undefined, served.filter((path) => path !== reference)],
      [tokens.dana, screensFor('user', 'challenged-or-user')],
      [tokens.admin, screensFor('admin')],
    ] as const) {
      const page = await browser.newPage();
      if (!ownFont) await page.route('**/*.woff2', (route) => route.abort());
      const crawled = await open(page, token);
      const isScreen = (path: string) => screens.some((one) => one.path === path);
      let first = true;
      for (const route of paths) {
        for (const path of at(route)) {
          // screens follow each other without a reload, in the language of the first
          if (first || !isScreen(route)) {
            await page.goto(`${product.url}${path}${path.includes('?') ? '&' : '?'}lang=${language}`);
            first = !isScreen(route);
          } else await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`);
          await crawled.settle();
          expect.soft(await page.locator('html').getAttribute('lang')).toBe(language);
          expect.soft(await crawled.measure(widths), path).toEqual([]);
        }
      }
      await page.close();
    }
    await browser.close();
  });
}
