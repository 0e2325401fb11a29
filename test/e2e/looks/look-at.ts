import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import type { Crawl } from '../crawled-page.ts';
import { phone, showScheme } from '../watched-page.ts';
import type { Sight } from './record.ts';

export const widths = { desktop: { width: 1280, height: 800 }, tablet: { width: 820, height: 1180 }, phone };
export type Width = keyof typeof widths;
type Look = (width: Width, scheme: 'light' | 'dark') => Promise<void>;

/** Opened once, on a phone, and seen at each width in both schemes, in an order in which little changes from one to the next. */
export async function lookAt(crawl: Crawl, url: string, { path }: Pick<Sight, 'path'>, look: Look): Promise<void> {
  const { page, settle } = crawl;
  await page.setViewportSize(widths.phone);
  await page.goto(`${url}${path}`);
  // between the password and the second factor
  if (path === '/mfa/verify') {
    await page.evaluate(`history.pushState({ challenge: 'x', __TSR_key: 'x' }, '', '${path}')`);
    await page.reload();
  }
  for (const [width, schemes] of [
    ['phone', ['light', 'dark']],
    ['tablet', ['dark', 'light']],
    ['desktop', ['light', 'dark']],
  ] as const) {
    await page.setViewportSize(widths[width]);
    await settle();
    for (const scheme of schemes) {
      await showScheme(page, scheme);
      await look(width, scheme);
    }
  }
}

/** A hundredth let a button, or three lines of the palette, come and go unseen. */
const mostDifferent = 0.001;

/** Elsewhere the fonts come from the system. */
const compares = process.platform === 'linux';

/** Most are the same to the byte, which is known without reading either picture. */
export async function compare(page: Page, name: string): Promise<void> {
  if (!compares) return;
  const kept = await readFile(test.info().snapshotPath(name, { kind: 'screenshot' })).catch(() => null);
  const taken = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  if (kept === null || !taken.equals(kept))
    await expect.soft(page).toHaveScreenshot(name, { maxDiffPixelRatio: mostDifferent, caret: 'hide' });
}
