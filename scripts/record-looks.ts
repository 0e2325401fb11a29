import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import startClusterOfRun from '../test/e2e/cluster-of-run.ts';
import { startCrawl } from '../test/e2e/crawled-page.ts';
import { fillProduct, zone } from '../test/e2e/looks/fill-product.ts';
import { lookAt } from '../test/e2e/looks/look-at.ts';
import { type Answer, callOf, findOutdated, type Reader, type Record, writeRecord } from '../test/e2e/looks/record.ts';
import { type Product, startProduct } from '../test/e2e/product.ts';
import { findChromium } from '../test/harness/chromium.ts';

/**
 * `node scripts/record-looks.ts`: what the product answers to its screens and what its public pages are drawn from, as
 * test/e2e/looks takes pictures of them. Needs what `npx vite build` and `node scripts/build-pages.ts` leave.
 */

/** Where it seems to run, in pictures. */
const home = 'https://meet.northwind.example';

async function recordAs(
  browser: Browser,
  product: Product,
  { reader, token, now, sights }: Pick<Record, 'now' | 'sights'> & { reader: Reader; token: string | undefined },
): Promise<Answer[]> {
  const context = await browser.newContext({ locale: 'en-US', timezoneId: zone, serviceWorkers: 'block' });
  if (token !== undefined) await context.addCookies([{ name: 'holdfast', value: token, url: product.url }]);
  const page = await context.newPage();
  await page.clock.setFixedTime(now);
  const answers: Answer[] = [];
  await page.route('**/*', async (route, request) => {
    if (!request.headers().accept?.includes('application/json')) return route.fallback();
    const call = callOf(request.method(), request.url(), request.postData());
    const response = await route.fetch();
    if (!response.ok()) console.error(`${call}: ${response.status()}`);
    else if (!answers.some((one) => one.call === call))
      answers.push({ reader, call, answer: response.status() === 204 ? null : await response.json() });
    await route.fulfill({ response });
  });
  const crawl = await startCrawl(page);
  for (const sight of sights.filter((one) => one.reader === reader)) {
    console.log(sight.path);
    await lookAt(crawl, product.url, sight, async () => {});
  }
  await context.close();
  return answers;
}

/** Without the words: pages are drawn with those of today. */
function withoutWords({ path, page }: Record['pages'][number]): Record['pages'][number] {
  const { words = {}, ...data } = page.data as { words?: object };
  return { path, page: { ...page, data: Object.keys(words).length === 0 ? page.data : data } };
}

/** Moves a recording to a neutral address. Throws if it contains a secret: a session, or the key of a second factor. */
function placed({ url }: Product, recorded: Record, secrets: readonly string[]): Record {
  const told = JSON.stringify(recorded)
    .replaceAll(url, home)
    .replaceAll(new URL(url).host, new URL(home).host)
    .replace(/(?<="base32Secret":"|secret=)[A-Z2-7]{32}/g, 'HOLDFASTHOLDFASTHOLDFASTHOLDFAST');
  for (const secret of [...secrets, tmpdir(), process.cwd()])
    if (told.includes(secret)) throw new Error(`${secret} is in what was recorded`);
  return JSON.parse(told);
}

async function record(product: Product, pagesFile: string): Promise<Record> {
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const { tokens, sights } = await fillProduct(product);
    const now = Temporal.Now.instant().round('second').toString();
    const answers: Answer[] = [];
    for (const [reader, token] of [['stranger', undefined], ...Object.entries(tokens)] as [Reader, string?][])
      answers.push(...(await recordAs(browser, product, { reader, token, now, sights })));
    const lines = readFileSync(pagesFile, 'utf8').trim().split('\n');
    const pages = lines.map((line) => withoutWords(JSON.parse(line) as Record['pages'][number]));
    const wanted = new Map(pages.toReversed().map((one) => [one.path, one]));
    return placed(product, { now, sights, answers, pages: [...wanted.values()] }, Object.values(tokens));
  } finally {
    await browser.close();
  }
}

const dir = mkdtempSync(join(tmpdir(), 'holdfast-looks-'));
const pagesFile = join(dir, 'pages.jsonl');
const close = await startClusterOfRun();
const product = await startProduct({
  allow: [],
  entry: 'test/e2e/looks/recorded-product.ts',
  env: {
    SIMULATED_PROVIDERS: 'true',
    STRIPE_SECRET_KEY: 'simulated',
    OPERATOR_NAME: 'Northwind',
    PAGES_FILE: pagesFile,
  },
});
try {
  const recorded = await record(product, pagesFile);
  for (const line of findOutdated(recorded)) console.error(line);
  writeRecord(recorded);
} finally {
  await product.stop();
  await close();
  rmSync(dir, { recursive: true, force: true });
}
