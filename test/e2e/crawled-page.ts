import { type CDPSession, expect, type Page, type Request } from '@playwright/test';
import { addAxe, atRest, contrast, desktop, phone, runAxe, showScheme, wcag } from './watched-page.ts';

/** What every page owes whoever comes to it, looked at without knowing what the page is for. */

/** A page that is open and what it asks the server, apart from what stays open: news of the server, a film. */
export interface Crawl {
  page: Page;
  /** Until what the page asked for is there and nothing moves. */
  settle(): Promise<void>;
  /** Faults of the page as it stands, in words. */
  inspect(widths: readonly ('desktop' | 'phone')[], known: (path: string) => Promise<boolean>): Promise<string[]>;
  /** What is wider than it has room for, at both widths. */
  measure(): Promise<string[]>;
}

export async function startCrawl(page: Page): Promise<Crawl> {
  let open = 0;
  let lastMs = 0;
  const isCounted = (kind: string) => !['eventsource', 'media', 'other'].includes(kind);
  page.on('request', (request) => {
    if (isCounted(request.resourceType())) open += 1;
  });
  const end = (request: Request) => {
    if (!isCounted(request.resourceType())) return;
    open -= 1;
    lastMs = performance.now();
  };
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  const devtools = await page.context().newCDPSession(page);
  const crawl: Crawl = {
    page,
    async settle() {
      await expect(page.locator('h1').first()).toBeAttached();
      await expect.poll(() => open <= 0 && performance.now() - lastMs > 150, { intervals: [50] }).toBe(true);
      await page.evaluate(atRest);
    },
    async inspect(widths, known) {
      const faults: string[] = [];
      for (const width of widths) {
        await page.setViewportSize(width === 'desktop' ? desktop : phone);
        // each scheme is looked at whole once, and its colours at both widths
        for (const scheme of width === 'desktop' ? (['light', 'dark'] as const) : (['dark', 'light'] as const)) {
          await showScheme(page, scheme);
          await addAxe(page);
          const whole = (scheme === 'dark') === (width === 'phone');
          for (const found of await runAxe(page, whole ? wcag : contrast)) faults.push(`${width}, ${scheme}: ${found}`);
        }
        for (const found of await page.evaluate<string[]>(tooWide)) faults.push(`${width}: ${found}`);
        for (const found of await deadControls(page, devtools, known)) faults.push(`${width}: ${found}`);
      }
      return faults;
    },
    async measure() {
      const faults: string[] = [];
      for (const [width, viewport] of Object.entries({ phone, desktop })) {
        await page.setViewportSize(viewport);
        await page.evaluate(atRest);
        for (const found of await page.evaluate<string[]>(tooWide)) faults.push(`${width}: ${found}`);
      }
      return faults;
    },
  };
  return crawl;
}

/** Shown, and not only to those who listen. */
const isShown = `(one) => {
  const { width, height } = one.getBoundingClientRect();
  return width > 1 && height > 1 && one.checkVisibility({ visibilityProperty: true });
}`;

/** The page itself, and words in what is pressed. What ends in dots where it has no room was made to. */
const tooWide = `(() => {
  const shown = ${isShown};
  const faults = [];
  const over = document.documentElement.scrollWidth - innerWidth;
  if (over > 0) {
    const widest = [...document.body.querySelectorAll('*')].filter((one) => one.getBoundingClientRect().right > innerWidth + 0.5).at(-1);
    faults.push('scrolls sideways by ' + over + ': ' + widest?.outerHTML.slice(0, 160));
  }
  for (const control of document.querySelectorAll('button, [role=tab], [role=radio], a, label, th, h1, h2, legend')) {
    if (!shown(control)) continue;
    for (const one of [control, ...control.querySelectorAll('*')]) {
      const cut = one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 1;
      const style = getComputedStyle(one);
      if (!cut || one.textContent.trim() === '' || style.overflowX === 'visible' || style.overflowX === 'auto' || style.overflowX === 'scroll') continue;
      if (style.textOverflow === 'ellipsis') continue;
      if (shown(one)) faults.push('cut off by ' + (one.scrollWidth - one.clientWidth) + ': ' + one.textContent.slice(0, 60));
    }
  }
  return [...new Set(faults)];
})()`;

interface Controls {
  links: string[];
  faults: string[];
  /** Buttons of which React does not say what they do. */
  open: number;
}

/**
 * Links without an address, and buttons that neither React nor a form nor the page itself gives anything to do. What an
 * empty function answers does nothing either. A button whose clicks are listened for beside React is left to \`openOnes\`.
 */
const readControls = `(() => {
  const shown = ${isShown};
  const faults = [];
  const links = new Set();
  for (const link of document.querySelectorAll('a')) {
    if (!shown(link)) continue;
    const href = link.getAttribute('href');
    if (href === null || href === '' || href === '#' || href.startsWith('javascript:')) {
      if (link.getAttribute('aria-disabled') !== 'true') faults.push('leads nowhere: ' + link.outerHTML.slice(0, 160));
    } else if (link.origin === location.origin && link.hash !== '' && link.pathname === location.pathname) {
      if (document.getElementById(decodeURIComponent(link.hash.slice(1))) === null) faults.push('nothing is at ' + link.hash);
    } else if (link.origin === location.origin) links.add(link.pathname);
  }
  const acts = /^on(?:Click|PointerDown|MouseDown|KeyDown|Change|Submit|TouchStart)$/;
  const does = (one, also = acts) => {
    const props = one[Object.keys(one).find((key) => key.startsWith('__reactProps$'))] ?? {};
    return Object.entries(props).some(([name, act]) => also.test(name) && typeof act === 'function' && !/^(?:\\(\\)|\\w+)=>\\{\\}$/.test(String(act).replace(/\\s/g, '')));
  };
  const above = (one) => (one.parentElement ? [one.parentElement, ...above(one.parentElement)] : []);
  const controls = 'button, [role=button], [role=tab], [role=menuitem], [role=switch], input, select, textarea, summary';
  globalThis.openOnes = [];
  for (const one of document.querySelectorAll(controls)) {
    if (!shown(one) || one.disabled || one.readOnly || one.getAttribute('aria-disabled') === 'true') continue;
    if (one.closest('[inert], [aria-hidden=true]')) continue; // a picture
    if (one.matches('[data-column]') && above(one).some((box) => does(box))) continue; // of the grid, which listens for all it holds
    if (one.matches('summary') && one.parentElement.matches('details')) continue;
    if (does(one) || one.closest('label') && does(one.closest('label'))) continue;
    const isField = one.matches('input, select, textarea');
    const form = one.form;
    if (form && (isField ? one.name !== '' : one.type === 'submit') && (form.hasAttribute('action') || form.method === 'post' || does(form))) continue;
    if (form && isField && does(form)) continue;
    if (one.getAttribute('popovertarget') || one.getAttribute('commandfor')) continue;
    globalThis.openOnes.push(one);
  }
  return { links: [...links], faults, open: globalThis.openOnes.length };
})()`;

async function deadControls(
  page: Page,
  devtools: CDPSession,
  known: (path: string) => Promise<boolean>,
): Promise<string[]> {
  const { links, faults, open } = await page.evaluate<Controls>(readControls);
  const dead: string[] = [];
  for (const path of links) if (!(await known(path))) dead.push(`no page answers ${path}`);
  for (let at = 0; at < open; at++) {
    const { result } = await devtools.send('Runtime.evaluate', { expression: `openOnes[${at}]` });
    const { listeners } = await devtools.send('DOMDebugger.getEventListeners', { objectId: result.objectId ?? '' });
    if (listeners.some(({ type }) => ['click', 'change', 'input', 'pointerdown', 'keydown'].includes(type))) continue;
    dead.push(`does nothing: ${await page.evaluate<string>(`openOnes[${at}].outerHTML.slice(0, 160)`)}`);
  }
  return [...faults, ...dead];
}
