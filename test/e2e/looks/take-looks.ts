import { type BrowserContext, expect, test } from '@playwright/test';
import { type Crawl, startCrawl } from '../crawled-page.ts';
import { contrast, runAxe, wcag } from '../watched-page.ts';
import { drawPages } from './draw-pages.ts';
import { zone } from './fill-product.ts';
import { compare, lookAt } from './look-at.ts';
import { anew, callOf, type Reader, readRecord } from './record.ts';
import { type StillServer, silentStream, startStillServer } from './still-server.ts';

/**
 * Takes pictures of these readers' recorded screens: desktop and phone, light and dark; axe checks the width between.
 * One browser shows all screens of a reader, so that scripts are read once.
 */
export function takeLooks(...readers: readonly Reader[]): void {
  const record = readRecord();
  for (const reader of readers) {
    test.describe(reader, () => {
      let server: StillServer;
      let context: BrowserContext;
      let crawl: Crawl;

      test.beforeAll(async ({ browser }) => {
        const answers = new Map(
          record.answers.filter((one) => one.reader === reader).map((one) => [one.call, one.answer]),
        );
        server = await startStillServer(
          ({ method, url, body }) => answers.get(callOf(method, url, body)),
          reader === 'stranger' ? await drawPages(record) : undefined,
        );
        context = await browser.newContext({
          locale: 'en-US',
          timezoneId: zone,
          serviceWorkers: 'block',
          reducedMotion: 'reduce',
        });
        const page = await context.newPage();
        await page.clock.setFixedTime(record.now);
        await page.addInitScript(silentStream);
        crawl = await startCrawl(page);
      });
      test.afterAll(async () => {
        await context?.close();
        await server?.close();
      });

      for (const sight of record.sights.filter((one) => one.reader === reader)) {
        test(`${sight.name} looks as recorded${sight.like === undefined ? '' : `: like ${sight.like}`}`, async () => {
          const { page } = crawl;
          const before = server.unanswered.length;
          const looked = lookAt(crawl, server.url, sight, async (width, scheme) => {
            if (width === 'tablet') {
              // whole once, as in the crawler
              const found = await runAxe(page, scheme === 'light' ? wcag : contrast);
              expect.soft(found, `on a tablet, ${scheme}`).toEqual([]);
              return;
            }
            if (sight.like === undefined) await compare(page, `${sight.name}-${width}-${scheme}.png`);
          });
          // a screen without an answer may show nothing: the reason first
          await looked.finally(() => expect.soft(server.unanswered.slice(before), anew).toEqual([]));
          const { pathname, search } = new URL(page.url());
          expect(`${pathname}${search}`).toBe(sight.path);
        });
      }
    });
  }
}
