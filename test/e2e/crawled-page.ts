import { type CDPSession, expect, type Page, type Request } from '@playwright/test';
import axe from 'axe-core';
import { atRest, checkAll, checkColors, desktop, drawAgain, phone, showScheme } from './watched-page.ts';

/** Checks that hold for every page, whatever its purpose. */

/** A page that is open and what it asks the server, apart from what stays open: news of the server, a film. */
export interface Crawl {
  page: Page;
  /** Until what the page asked for is there and nothing moves. */
  settle(): Promise<void>;
  /** Faults of the page as it stands, in words. */
  inspect(widths: readonly ('desktop' | 'phone')[], known: (path: string) => Promise<boolean>): Promise<string[]>;
  /** Elements wider than their space, at each of these widths. */
  measure(widths: readonly number[]): Promise<string[]>;
  /**
   * Presses controls that were pressed on no page before; returns those without an effect, in words. The page must be
   * reloaded afterwards.
   */
  press(): Promise<string[]>;
}

/** Elements that were pressed already, on any page. */
const pressed = new Set<string>();

export async function startCrawl(page: Page): Promise<Crawl> {
  let open = 0;
  let asked = 0;
  let lastMs = 0;
  const isCounted = (kind: string) => !['eventsource', 'media', 'other'].includes(kind);
  page.on('request', (request) => {
    if (!isCounted(request.resourceType())) return;
    open += 1;
    asked += 1;
  });
  const end = (request: Request) => {
    if (!isCounted(request.resourceType())) return;
    open -= 1;
    lastMs = performance.now();
  };
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  // a colour half-way to the other scheme is nobody's contrast, and waiting for it took a sixth of a crawl
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.addInitScript(`${axe.source};${seePastPictures}`);
  const devtools = await page.context().newCDPSession(page);
  const settle = async () => {
    await drawAgain(page);
    await expect(page.locator('h1').first()).toBeAttached();
    // rendering may start more requests: wait for quiet before and after it, and for placeholders to go
    for (let seen = -1; seen !== asked; ) {
      const isQuiet = () => open <= 0 && performance.now() - lastMs > 100;
      await expect.poll(isQuiet, { message: 'whether all that was asked is answered', intervals: [50] }).toBe(true);
      seen = asked;
      await page.evaluate(drawn);
      await expect(page.locator(placeholders).first()).toBeHidden();
    }
    await page.evaluate(atRest);
  };
  const crawl: Crawl = {
    page,
    settle,
    async inspect(widths, known) {
      const faults: string[] = [];
      for (const width of widths) {
        await page.setViewportSize(width === 'desktop' ? desktop : phone);
        // each scheme is looked at whole once, and its colours at both widths
        for (const scheme of width === 'desktop' ? (['light', 'dark'] as const) : (['dark', 'light'] as const)) {
          await showScheme(page, scheme);
          const whole = (scheme === 'dark') === (width === 'phone');
          const check = whole ? checkAll : checkColors;
          for (const found of await check(page, scheme)) faults.push(`${width}, ${scheme}: ${found}`);
        }
        for (const found of await page.evaluate<string[]>(tooWide)) faults.push(`${width}: ${found}`);
        for (const found of await deadControls(page, devtools, known)) faults.push(`${width}: ${found}`);
      }
      return faults;
    },
    async measure(widths) {
      const faults: string[] = [];
      for (const width of widths) {
        await page.setViewportSize({ width, height: desktop.height });
        await page.evaluate(atRest);
        for (const found of await page.evaluate<string[]>(tooWide)) faults.push(`${width} px: ${found}`);
      }
      return faults;
    },
    async press() {
      const faults: string[] = [];
      const url = page.url();
      let isAsItWas = true;
      for (const viewport of [phone, desktop]) {
        await page.setViewportSize(viewport);
        // one element may remove the next: each round begins with the original page
        for (let round = 0, more = true; more && round < 8; round++) {
          if (!isAsItWas) await page.goto(url);
          await settle();
          const found = await page.evaluate<Pressed>(`(${pressAll})(${JSON.stringify([...pressed])})`);
          faults.push(...found.dead.map((one) => `does nothing when pressed: ${one}`));
          for (const one of found.tried) pressed.add(one);
          isAsItWas = found.tried.length === 0;
          more = found.more;
        }
      }
      return faults;
    },
  };
  return crawl;
}

/**
 * All that waited is done, and two frames are drawn. A page that is drawn once a second (`drawAgain`) has never nothing to
 * do: asked for that, it let half a crawl wait for two seconds at each turn.
 */
const drawn = `Promise.race([
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  new Promise((resolve) => setTimeout(resolve, 500)),
]).then(() => scheduler.postTask(() => null, { priority: 'background' }))`;

/** React shows one for a third of a second even where what it waits for is there already. */
const placeholders = '[data-skeleton], [aria-busy=true]';

/** Else no text is judged that stands on something drawn by `::before`: nothing of it was, on the ways in. */
const seePastPictures = `Object.assign(axe._audit.checks['color-contrast'].options, { ignorePseudo: true })`;

/** Shown, and not only to those who listen. */
const isShown = `(one) => {
  const { width, height } = one.getBoundingClientRect();
  return width > 1 && height > 1 && one.checkVisibility({ visibilityProperty: true });
}`;

/**
 * Reports a page that scrolls sideways, controls and texts cut off by a box, and cut-off words in controls. Texts with
 * an ellipsis are intended. Scrolled or moved content comes back.
 */
export const tooWide = `(() => {
  const shown = ${isShown};
  const faults = [];
  const over = document.documentElement.scrollWidth - innerWidth;
  if (over > 0) {
    const widest = [...document.body.querySelectorAll('*')].filter((one) => one.getBoundingClientRect().right > innerWidth + 0.5).at(-1);
    faults.push('scrolls sideways by ' + over + ': ' + widest?.outerHTML.slice(0, 160));
  }
  const cuts = (box) => {
    if (box.clientWidth <= 1 || box.scrollWidth <= box.clientWidth + 1) return false;
    const { overflowX, textOverflow } = getComputedStyle(box);
    return ['clip', 'hidden'].includes(overflowX) && textOverflow !== 'ellipsis' && shown(box);
  };
  // up to the box nothing else clips, scrolls or moves it
  const isHeldBy = (box, one) => {
    const { transform, translate } = getComputedStyle(one);
    if (transform !== 'none' || translate !== 'none') return false;
    return one.parentElement === box || (getComputedStyle(one.parentElement).overflowX === 'visible' && isHeldBy(box, one.parentElement));
  };
  const isSaid = (one) => (one.textContent.trim() !== '' || one.matches('a, button, input, select, textarea')) && !one.closest('[aria-hidden=true]');
  for (const box of document.body.querySelectorAll('*')) {
    if (!cuts(box)) continue;
    const words = box.closest('button, [role=tab], [role=radio], a, label, th, h1, h2, legend') && box.textContent.trim();
    if (words) faults.push('cut off by ' + (box.scrollWidth - box.clientWidth) + ': ' + words.slice(0, 60));
    const edge = box.getBoundingClientRect().left + box.clientLeft + box.clientWidth;
    const sticksOut = (one) => one.getBoundingClientRect().right > edge + 1 && isSaid(one) && shown(one) && isHeldBy(box, one);
    const cut = words ? undefined : [...box.querySelectorAll('*')].find(sticksOut);
    if (cut) faults.push('lost beyond the edge of ' + box.cloneNode().outerHTML.slice(0, 80) + ': ' + cut.outerHTML.slice(0, 160));
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
 * Reports links without an address, and buttons without a handler from React, a form or the page. A handler with an
 * empty function counts as none. A button with listeners outside React is left to \`openOnes\`.
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
    if (one.matches('[data-column]') && above(one).some((box) => does(box))) continue; // in the grid, which listens
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

interface Pressed {
  dead: string[];
  tried: string[];
  /** Whether elements of the first state remain unvisited. */
  more: boolean;
}

/**
 * Presses each visible button, also in opened layers, and looks for a sign: the page changes, or something is
 * requested, copied, kept or focused. Requests get no answer and storage is not written, so that the check changes
 * nothing. Submit buttons and selected options are left out.
 */
const pressAll = `async (known) => {
  const shown = ${isShown};
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const seen = globalThis.seen ??= watch();
  function watch() {
    const seen = { signs: 0, current: null };
    const sign = () => { seen.signs += 1; };
    const never = () => { sign(); return new Promise(() => {}); };
    Object.assign(window, { fetch: never, open: () => { sign(); return null; }, print: sign });
    Object.assign(Storage.prototype, { setItem: sign, removeItem: sign });
    Object.assign(Clipboard.prototype, { write: never, writeText: never });
    Object.assign(CredentialsContainer.prototype, { create: never, get: never });
    Object.assign(HTMLFormElement.prototype, { submit: sign, requestSubmit: sign });
    Notification.requestPermission = never;
    // a dialog has nothing to focus before its answer, which never comes here
    const { warn } = console;
    console.warn = (...said) => { if (!String(said[0]).includes('use-focus-trap')) warn(...said); };
    Object.defineProperty(document, 'cookie', { get: () => '', set: sign });
    navigation.addEventListener('navigate', (event) => {
      sign();
      if (!event.destination.sameDocument || event.downloadRequest !== null) event.preventDefault();
    });
    new MutationObserver(sign).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    for (const kind of ['focusin', 'scroll']) document.addEventListener(kind, sign, true);
    document.addEventListener('click', (event) => {
      if (event.target === seen.current) return;
      sign(); // from a file input, or from a link that is created for a download
      event.preventDefault();
    }, true);
    return seen;
  }
  const above = (one, steps) => one && steps > 0 ? [one, ...above(one.parentElement, steps - 1)] : [];
  const name = (one) => one.getAttribute('aria-label') ?? one.textContent.trim().slice(0, 60);
  const kindOf = (one) => above(one, 5).map((box) => box.localName + '.' + (box.getAttribute('class') ?? '')).join('<');
  const keyOf = (one) => name(one) + '<' + kindOf(one);
  const counts = {};
  const count = (key) => { const kind = key.slice(key.indexOf('<') + 1); counts[kind] = (counts[kind] ?? 0) + 1; };
  const most = 6; // days, hours, events: the next does as those before
  const layer = () => [...document.querySelectorAll('[role=dialog], [role=menu], [role=listbox]')].filter(shown).at(-1);
  // cheap conditions come first: a calendar has hundreds
  const isLeft = (one) => {
    if (one.matches(left) || one.disabled || (one.type === 'submit' && one.form)) return false;
    const kind = kindOf(one);
    return !(counts[kind] >= most) && !known.has(name(one) + '<' + kind) && !one.closest('[inert], [aria-hidden=true]') && shown(one);
  };
  const left = '[aria-disabled=true], [aria-selected=true], [aria-pressed=true], [aria-current]:not([aria-current=false]), [aria-checked=true][role=radio], [data-column], [data-shown]';
  const isLast = (one) => /^(?:close|cancel|back|done)\\b/i.test(name(one));
  const controls = 'button, [role=button], [role=tab], [role=menuitem], [role=switch]';
  const leftIn = (box) => {
    let last;
    for (const one of box.querySelectorAll(controls)) {
      if (!isLeft(one)) continue;
      if (!isLast(one)) return one;
      last ??= one;
    }
    return last;
  };
  known = new Set(known);
  for (const key of known) count(key);
  const dead = [];
  const tried = [];
  const endMs = performance.now() + 20000;
  const start = location.pathname;
  const first = new Set([...document.querySelectorAll(controls)].filter(isLeft).map(keyOf));
  while (performance.now() < endMs && location.pathname === start) {
    for (let quiet = 0, before = seen.signs, turns = 0; quiet < 2 && turns < 20; turns++) {
      await wait(16);
      quiet = seen.signs === before ? quiet + 1 : 0;
      before = seen.signs;
    }
    const box = layer();
    const one = (box && leftIn(box)) ?? (box ? undefined : leftIn(document));
    if (!one) {
      if (!box) break;
      (box.contains(document.activeElement) ? document.activeElement : box).dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', code: 'Escape', bubbles: true, cancelable: true }));
      await wait(50);
      if (layer() === box) break; // a layer that Escape does not close
      continue;
    }
    const key = keyOf(one);
    known.add(key);
    count(key);
    tried.push(key);
    const before = seen.signs;
    const told = one.outerHTML.slice(0, 200);
    seen.current = one;
    for (const kind of ['mousedown', 'mouseup']) one.dispatchEvent(new MouseEvent(kind, { bubbles: true, cancelable: true }));
    one.click();
    for (let ms = 0; ms < 800 && seen.signs === before; ms += 16) await wait(16);
    if (seen.signs === before) dead.push(told);
  }
  const more = tried.length > 0 && [...first].some((key) => !known.has(key) && !(counts[key.slice(key.indexOf('<') + 1)] >= most));
  return { dead, tried, more };
}`;
