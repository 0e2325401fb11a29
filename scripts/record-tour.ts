import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BrowserContext, chromium, type Locator, type Page } from '@playwright/test';
import { bookingContract } from '#features/booking/contract.ts';
import { defaultSettings } from '#features/booking/rules/type-settings.ts';
import { createClient } from '#kernel/contract-client.ts';
import { createPerson, password } from '../test/e2e/person.ts';
import { type Product, startProduct } from '../test/e2e/product.ts';
import { findChromium } from '../test/harness/chromium.ts';

/**
 * `node scripts/record-tour.ts`: the film of the landing page, in light and dark, of the running product with simulated
 * accounts. Scenes begin at set seconds, so that one file of captions fits both; what took longer
 * is shown faster. Needs what `npx vite build` and `node scripts/build-pages.ts` leave, and an ffmpeg with libvpx-vp9 and libwebp
 * (FFMPEG names it).
 */

const ffmpeg = process.env.FFMPEG ?? 'ffmpeg';
const out = join(import.meta.dirname, '../public/tour');
const size = { width: 1280, height: 800 };
const mostBytes = 3_000_000 / 2;
const email = 'dana@example.org';
const seconds = 31;
const perSecond = 20;

/** Second, and what is said from then on. */
const captions: readonly (readonly [number, string])[] = [
  [0, 'Two calendars are connected: one at Google, one at Outlook.'],
  [4, 'Both are shown in one week. Hatched blocks stand for events of the other calendar.'],
  [9, 'A guest opens the booking link. Only times that are free in both calendars are offered.'],
  [14, 'They choose a time, in their own time zone.'],
  [17, 'Name and address are enough.'],
  [21, 'Booked. The time is checked again at this moment.'],
  [24, 'The call is in the Google calendar, and Outlook is blocked for it.'],
  [28, 'Move or cancel it anywhere, and the other calendar follows.'],
];

async function open(product: Product, context: BrowserContext): Promise<void> {
  const page = await context.newPage();
  await createPerson(product, email);
  const ask = async <T>(method: string, path: string, data?: object): Promise<T> => {
    const headers = { accept: 'application/json', origin: product.url };
    const response = await page.request.fetch(`${product.url}${path}`, { method, headers, ...(data ? { data } : {}) });
    if (!response.ok()) throw new Error(`${path}: ${response.status()} ${await response.text()}`);
    return (await response.json()) as T;
  };
  const login = { email, password, app: 'user' };
  const { session_token: token } = await ask<{ session_token: string }>('POST', '/auth/login', login);
  for (const provider of ['google', 'microsoft']) await ask('POST', '/dev/simulate/connect', { provider });
  for (let done = false; !done; await sleep(200)) {
    const { accounts } = await ask<{ accounts: { lastSyncedAt: string | null }[] }>('GET', '/integrations/accounts');
    done = accounts.every(({ lastSyncedAt }) => lastSyncedAt !== null);
  }
  const { calendars } = await ask<{ calendars: { id: string; name: string }[] }>('GET', '/api/calendars');
  const own = ['dana@gmail.example', 'Calendar'].map((name) => calendars.find((one) => one.name === name)?.id ?? '');
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
  } as Parameters<typeof api.changeEventType>[0]);
  await sleep(4_000);
  await page.close();
}

/** A film has no pointer of its own. */
const pointer = `addEventListener('DOMContentLoaded', () => {
  const dot = document.createElement('div');
  dot.setAttribute('aria-hidden', 'true');
  Object.assign(dot.style, { position: 'fixed', left: 0, top: 0, width: '22px', height: '22px', margin: '-11px', borderRadius: '50%',
    background: 'rgba(94,83,221,.35)', border: '2px solid rgba(94,83,221,.9)', zIndex: 2147483647, pointerEvents: 'none',
    transform: 'translate(' + (window.name || '640px,700px') + ')', transition: 'transform 60ms linear' });
  document.documentElement.append(dot);
  addEventListener('mousemove', (event) => {
    window.name = event.clientX + 'px,' + event.clientY + 'px';
    dot.style.transform = 'translate(' + window.name + ')';
  }, true);
});`;

async function press(page: Page, target: Locator): Promise<void> {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (box === null) throw new Error('nothing to press');
  await page.mouse.move(box.x + Math.min(box.width / 2, 120), box.y + box.height / 2, { steps: 18 });
  await target.click();
}

/** Recorded frames with their times in epoch seconds. */
interface Film {
  frames: { file: string; at: number }[];
  /** When each scene began, in the order of `captions`. */
  scenes: number[];
}

async function play(product: Product, page: Page, dir: string): Promise<Film> {
  const film: Film = { frames: [], scenes: [] };
  await page.goto(`${product.url}/integrations`);
  await page.getByText('dana@contoso.example').first().waitFor();
  await sleep(600);
  const devtools = await page.context().newCDPSession(page);
  devtools.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    const file = join(dir, `${film.frames.length}.jpg`);
    writeFileSync(file, data, 'base64');
    film.frames.push({ file, at: metadata.timestamp ?? 0 });
    // the last ones may come when the film is over
    devtools.send('Page.screencastFrameAck', { sessionId }).catch(() => {});
  });
  const shown = { maxWidth: size.width, maxHeight: size.height };
  await devtools.send('Page.startScreencast', { format: 'jpeg', quality: 92, ...shown });
  /** The next scene begins; the one before lasts as long as it should, if it did not last longer. */
  const scene = async () => {
    const before = film.scenes.length - 1;
    const planned = lengthOf(before);
    const since = film.scenes[before];
    if (since !== undefined) await sleep(Math.max(0, (since + planned) * 1000 - nowMs()));
    film.scenes.push(nowMs() / 1000);
  };
  await scene();
  // nothing is filmed before something moves
  await page.mouse.move(700, 480, { steps: 12 });
  await scene();
  await page.goto(`${product.url}/calendar`);
  await page.locator('[data-grid] [data-event]').first().waitFor();
  await scene();
  await page.goto(`${product.url}/dana-lee/intro`);
  await sleep(1_500);
  await press(page, page.locator('.month td a').nth(1));
  await scene();
  await sleep(800);
  await press(page, page.locator('.slot').nth(3));
  await scene();
  await page.getByLabel('Your name').pressSequentially('Kei Tanaka', { delay: 60 });
  await page.getByLabel('Your e-mail').pressSequentially('kei@example.jp', { delay: 50 });
  await scene();
  await press(page, page.getByRole('button', { name: 'Confirm booking' }));
  await page.getByRole('heading', { name: 'You are booked' }).waitFor();
  await scene();
  await page.goto(`${product.url}/calendar`);
  const booked = page.locator('[data-grid] [data-event]', { hasText: 'Intro call' }).first();
  await booked.waitFor();
  await scene();
  await press(page, booked);
  await scene();
  await devtools.send('Page.stopScreencast');
  return film;
}

/** By the clock that the browser marks its frames with; the one of `performance` drifts from it. */
const nowMs = () => Temporal.Now.instant().epochMilliseconds;

/** Seconds of a scene. */
const lengthOf = (n: number): number => (captions[n + 1]?.[0] ?? seconds) - (captions[n]?.[0] ?? 0);

/** Where in the film something stands that was seen at a time. */
function placeIn({ scenes }: Film, at: number): number {
  const n = Math.max(
    0,
    scenes.findLastIndex((begun) => begun <= at),
  );
  const [begun = at, end = at] = [scenes[n], scenes[n + 1]];
  const share = end > begun ? Math.min(1, Math.max(0, (at - begun) / (end - begun))) : 0;
  return (captions[n]?.[0] ?? seconds) + share * lengthOf(n);
}

async function record(scheme: 'light' | 'dark'): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-tour-'));
  const product = await startProduct({ allow: [], embedded: true, env: { SIMULATED_PROVIDERS: 'true' } });
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
  });
  try {
    const look = { viewport: size, colorScheme: scheme, locale: 'en-US', timezoneId: 'Europe/Berlin' } as const;
    const before = await browser.newContext(look);
    await open(product, before);
    const context = await browser.newContext({ ...look, storageState: await before.storageState() });
    await context.addInitScript(pointer);
    write(await play(product, await context.newPage(), dir), scheme, dir);
  } finally {
    await browser.close();
    await product.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

function write(film: Film, scheme: string, dir: string): void {
  const places = film.frames.map(({ file, at }) => ({ file, at: placeIn(film, at) }));
  // one file for each picture of the film: what lasts is named again
  for (let n = 0; n < seconds * perSecond; n += 1) {
    const shown = places.findLast(({ at }) => at <= n / perSecond) ?? places[0];
    if (shown === undefined) throw new Error('nothing was filmed');
    linkSync(shown.file, join(dir, `film-${String(n).padStart(4, '0')}.jpg`));
  }
  const webm = join(out, `holdfast-${scheme}.webm`);
  const from = ['-y', '-loglevel', 'error', '-framerate', String(perSecond), '-i', join(dir, 'film-%04d.jpg')];
  const vp9 = ['-an', '-pix_fmt', 'yuv420p', '-c:v', 'libvpx-vp9', '-crf', '38', '-b:v', '0', '-cpu-used', '3'];
  execFileSync(ffmpeg, [...from, ...vp9, webm], { stdio: 'inherit' });
  const still = ['-y', '-loglevel', 'error', '-i', webm, '-ss', '6', '-frames:v', '1', '-quality', '70'];
  execFileSync(ffmpeg, [...still, join(out, `poster-${scheme}.webp`)], { stdio: 'inherit' });
  const { size: bytes } = statSync(webm);
  console.log(`${scheme}: ${(bytes / 1000).toFixed(0)} kB, ${film.frames.length} frames`);
  if (bytes > mostBytes) throw new Error('the film is too large for a page');
}

const clock = (second: number) => `00:00:${String(second).padStart(2, '0')}.000`;

mkdirSync(out, { recursive: true });
for (const scheme of ['light', 'dark'] as const) await record(scheme);
const cues = captions.map(
  ([from, text], n) => `${clock(from)} --> ${clock(captions[n + 1]?.[0] ?? seconds)}\n${text}\n`,
);
writeFileSync(join(out, 'holdfast.en.vtt'), `WEBVTT\n\n${cues.join('\n')}`);
