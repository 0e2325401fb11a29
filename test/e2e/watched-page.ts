import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import axe, { type AxeResults, type RunOptions } from 'axe-core';

export const desktop = { width: 1360, height: 860 };
/** For `test.use`: everything moves as it does for most people. */
export const inMotion = { contextOptions: { reducedMotion: 'no-preference' } } as const;
export const phone = { width: 390, height: 844 };

export const wcag: RunOptions = {
  runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  resultTypes: ['violations'],
};

/** Axe rules that depend on the color scheme. */
export const contrast: RunOptions = {
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
  resultTypes: ['violations'],
};

const otherScheme = { dark: 'light', light: 'dark' };

/** Folder for pictures of every screen looked at; none are taken without it. */
const picturesDir = process.env.JOURNEY_PICTURES;

/**
 * A script as text, because this side of the tests has no DOM types. Colors within a transition have no meaningful
 * contrast. Skipped animations (out of view, or paused) never finish; the wait ends after 3 s.
 */
export const atRest = `Promise.race([
  Promise.all(document.getAnimations()
    .filter((one) => Number.isFinite(one.effect.getComputedTiming().endTime))
    .map((one) => one.finished.catch(() => null))),
  new Promise((resolve) => setTimeout(resolve, 3000)),
]).then(() => null)`;

/**
 * Chromium at times draws a window no more that was made small. Its page is then given one frame a second (what it traces
 * says `ThrottleUndrawnFrames`), and whatever waits for frames waits for seconds.
 */
export const drawAgain = (page: Page): Promise<void> => page.bringToFront();

/** Until every colour is of this scheme. */
export async function showScheme(page: Page, colorScheme: 'dark' | 'light'): Promise<void> {
  await drawAgain(page);
  await page.emulateMedia({ colorScheme });
  // a provider's own pages follow without saying so
  await expect(page.locator('html')).not.toHaveAttribute('data-mantine-color-scheme', otherScheme[colorScheme]);
  await page.evaluate(atRest);
}

/** Brought once for a page, as reading it takes half of a look. */
export async function addAxe(page: Page): Promise<void> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source);
}

/** Violations of these rules, each with its piece of the page. */
export async function runAxe(page: Page, options: RunOptions): Promise<string[]> {
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return inWords(violations);
}

const inWords = (violations: AxeResults['violations']) =>
  violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)}`));

/** All rules, of everything that is shown. */
export async function checkAll(page: Page, scheme: 'dark' | 'light'): Promise<string[]> {
  await page.evaluate(`${noteTexts}('${scheme}').length`);
  return runAxe(page, wcag);
}

/**
 * The rules of colors, of each text that was not shown before in the same colors: most of a page keeps them from one width,
 * and from one state, to the next. Looking at them again was a fifth of the work of axe.
 */
export async function checkColors(page: Page, scheme: 'dark' | 'light'): Promise<string[]> {
  const violations = await page.evaluate<AxeResults['violations']>(`(async () => {
    const include = ${noteTexts}('${scheme}');
    return include.length === 0 ? [] : (await axe.run({ include }, ${JSON.stringify(contrast)})).violations;
  })()`);
  return inWords(violations);
}

/** Notes what decides the contrast of each text that is shown. Returns those that were noted otherwise, or not at all. */
const noteTexts = `((scheme) => {
  const noted = (globalThis.notedTexts ??= { light: new WeakMap(), dark: new WeakMap() })[scheme];
  const grounds = new Map();
  const groundOf = (one) => {
    if (one === null) return '';
    if (!grounds.has(one)) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(one);
      grounds.set(one, [backgroundColor, backgroundImage, opacity, groundOf(one.parentElement)].join());
    }
    return grounds.get(one);
  };
  const hasText = (one) =>
    one.matches('input, textarea, select') || [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
  return [...document.body.querySelectorAll('*')].filter((one) => {
    if (!hasText(one) || !one.checkVisibility({ visibilityProperty: true })) return false;
    const { color, fontSize, fontWeight, textDecorationLine } = getComputedStyle(one);
    const colors = [color, fontSize, fontWeight, textDecorationLine, groundOf(one)].join();
    const isNew = noted.get(one) !== colors;
    noted.set(one, colors);
    return isNew;
  });
})`;

/** A card or an editor asks for its event; that may have parted from its series, or gone, in that moment. */
const ofEventThatMayBeGone = /\/api\/events\/[^/]+(?:\/mirrors)?$/;

/** A page with somebody looking over its shoulder: at its console, and at each screen in light and dark. */
export interface WatchedPage {
  page: Page;
  /** The screen as it stands meets WCAG 2.2 AA in both colour schemes, on a desktop and, if asked, on a phone. */
  look(name: string, options?: { phone?: boolean }): Promise<void>;
  /** While the server is away or refuses, the browser itself notes each request that failed. */
  expectFailedRequests<T>(work: () => Promise<T>): Promise<T>;
  expectQuietConsole(): void;
}

export function watchPage(page: Page): WatchedPage {
  const complaints: string[] = [];
  let failing = false;
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    if (failing && message.text().startsWith('Failed to load resource:')) return;
    if (message.text().includes('404') && ofEventThatMayBeGone.test(message.location().url)) return;
    // our own doing: see playwright.config.ts
    if (message.text() === 'Service Worker registration blocked by Playwright') return;
    complaints.push(`${message.type()}: ${message.text()} (${message.location().url})`);
  });

  const lookOnce = async (name: string, width: 'desktop' | 'phone', schemes: ('dark' | 'light')[]) => {
    for (const colorScheme of schemes) {
      await showScheme(page, colorScheme);
      if (picturesDir !== undefined) {
        await mkdir(picturesDir, { recursive: true });
        await page.screenshot({ path: join(picturesDir, `${name}-${width}-${colorScheme}.png`) });
      }
      await page.evaluate('window.scrollTo(0, 0)');
      await addAxe(page);
      // each scheme is looked at whole once, and its colours at both widths
      const whole = (colorScheme === 'dark') === (width === 'desktop');
      let found = await (whole ? checkAll : checkColors)(page, colorScheme);
      // a target half under a sticky bar at this scroll position is not too small
      if (found.some((one) => one.startsWith('target-size'))) {
        await page.evaluate('window.scrollBy(0, window.innerHeight / 3)');
        const elsewhere = await runAxe(page, wcag);
        found = found.filter((one) => elsewhere.includes(one));
      }
      expect.soft(found, `${name} on a ${width}, ${colorScheme}`).toEqual([]);
    }
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
    expect.soft(overflow, `${name} on a ${width} scrolls sideways`).toBeLessThanOrEqual(0);
  };

  return {
    page,
    async look(name, options = {}) {
      if (!options.phone) return lookOnce(name, 'desktop', ['dark', 'light']);
      // each change of scheme draws the whole page: both widths in one before the other, and light again at the end
      await lookOnce(name, 'desktop', ['light', 'dark']);
      await page.setViewportSize(phone);
      await lookOnce(name, 'phone', ['dark', 'light']);
      await page.setViewportSize(desktop);
    },
    async expectFailedRequests(work) {
      failing = true;
      try {
        return await work();
      } finally {
        failing = false;
      }
    },
    expectQuietConsole: () => expect(complaints).toEqual([]),
  };
}
