import { createHash } from 'node:crypto';
import { html, Markup } from '#kernel/html.ts';
import { directionOf, languages } from '#kernel/languages.ts';
import { callIt } from '#kernel/product-name.ts';
import { type Brand, iconUrl } from './brand.ts';
import type { PageBundle } from './page-bundle.ts';

/** A public page: which one, with what, and who may show it in a frame. */
export interface Page {
  /** Name of the script in the bundle. */
  name: string;
  /** JSON; what a live page needs in the browser too. */
  data: unknown;
  title: string;
  description?: string;
  /** BCP 47, of the words on it. */
  language: string;
  /** Ten steps that its host chose, lightest first; those of the install when left out. */
  brand?: readonly string[];
  /** The zone its times are in although nobody has said so: the browser may know better. */
  guessedZone?: string | undefined;
  /** Origins that may show it in a frame, besides this one; `null`: not even this one. */
  frames: readonly string[] | null;
  /** The one of those around it that is told how tall it is. */
  framedBy?: string | undefined;
  /** Origins that its forms may lead to in the end. */
  leadsTo?: readonly string[];
  /** A field of its form that a script fills in with the zone of the browser. */
  zoneField?: string | undefined;
  /** Under load: a script solves it, puts the solution into its field, and sends the form. */
  challenge?: string | undefined;
  /** Set if the form has texts of limited length: a script shows how many characters are left. */
  counts?: true;
  /** Search engines stay away. */
  unlisted: boolean;
  /** Shown wherever its address is shared. */
  preview?: Preview;
  /** Facts of a page of the site itself, with its own looks, script and footer. */
  site?: SiteFacts;
}

export interface Preview {
  /** Path of the one address under which the page should be known. */
  path: string;
  title: string;
  description: string;
  /** Path of a picture; null for that of the install. */
  picture: string | null;
}

/** A way to the same page in another language. */
export interface Way {
  language: string;
  /** Name of the language, in that language. */
  name: string;
  to: string;
}

export interface Tongues {
  /** The address says which language is wanted. */
  asked: boolean;
  /** Language links; none if the page answers a form, or is in another page. */
  ways: readonly Way[];
}

export interface SiteFacts {
  /** The one address under which the page should be known, apart from its language. */
  address: string;
  /** For those who share the address. */
  picture?: { url: string; width: number; height: number };
  /** Origin of the operator's visit counter. */
  analytics?: string | undefined;
}

export interface PageDocument {
  html: string;
  policy: string;
}

/** The whole document, and the policy under which exactly its own script and styles run. */
export function writePage(
  bundle: PageBundle,
  given: Page,
  publicUrl: string,
  { install, tongues }: { install: Brand; tongues: Tongues },
): PageDocument {
  const page = dress(given, install);
  const isHttps = publicUrl.startsWith('https:');
  const { asked, ways } = tongues;
  const live = bundle.isLive(page.name);
  const brand = page.brand === undefined ? '' : writeBrand(page.brand);
  const guess = page.guessedZone === undefined ? '' : html` data-guessed-zone="${page.guessedZone}"`;
  const framed = live || page.framedBy === undefined ? '' : html` data-framed-by="${page.framedBy}"`;
  const { site } = page;
  const sheet = site === undefined ? kitOf(bundle, page).styles : bundle.site.styles;
  const { firstScript, script } = kitOf(bundle, page);
  const { text: body, styles: lifted } = liftStyles(bundle.render(page.name, page.data));
  const document = html`<!doctype html>
<html lang="${page.language}" dir="${directionOf(page.language)}"${guess}${framed}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover"><meta name="color-scheme" content="light dark"><title>${page.title}</title>${
    page.description ? html`<meta name="description" content="${page.description}">` : ''
  }${page.unlisted ? html`<meta name="robots" content="noindex">` : ''}${iconLink(install)}${isEntrance(page) ? appLinks(install) : ''}${
    site && siteHead(page, site, { script: bundle.site.script, asked, install })
  }${page.preview && previewHead(page, page.preview, { publicUrl, install })}<style>${new Markup(sheet)}</style>${brand && html`<style>${new Markup(brand)}</style>`}${
    lifted && html`<style>${new Markup(lifted)}</style>`
  }${framed && html`<script>${new Markup(bundle.frameScript)}</script>`}${
    live && html`<script>${new Markup(firstScript)}</script><script type="module" src="${script}"></script>`
  }</head><body><div id="page" data-page="${page.name}">${new Markup(body)}</div>${site === undefined && !isEntrance(page) ? writeWays(page, ways) : ''}${
    live && html`<script type="application/json" id="data">${new Markup(jsonInHtml(page.data))}</script>`
  }${page.zoneField === undefined ? '' : html`<script data-field="${page.zoneField}">${new Markup(bundle.zoneScript)}</script>`}${page.challenge === undefined ? '' : html`<script data-challenge="${page.challenge}">${new Markup(bundle.workScript)}</script>`}${page.counts === undefined ? '' : html`<script>${new Markup(bundle.countScript)}</script>`}</body></html>
`;
  return { html: document.text, policy: policyOf(bundle, page, { styles: [sheet, brand, lifted], live, isHttps }) };
}

/** People come in at it: it looks as the app does, and has its own way to other languages. */
const isEntrance = ({ name }: Page) => name === 'entrance';
const kitOf = (bundle: PageBundle, page: Page) => (isEntrance(page) ? bundle.entrance : bundle);

/** each in its own language, for readers of no other */
const writeWays = ({ language: current }: Page, ways: readonly Way[]): Markup | '' =>
  ways.length === 0
    ? ''
    : html`<footer class="ways">${ways.map(
        ({ language, name, to }) =>
          html`<a lang="${language}" hreflang="${language}" rel="nofollow" href="${to}"${
            language === current ? html` aria-current="true"` : ''
          }>${name}</a> `,
      )}</footer>`;

/** As the install looks, unless its host says otherwise; the site itself has the name in its words already. */
function dress(page: Page, { name, steps }: Brand): Page {
  const brand = page.brand ?? steps ?? undefined;
  const { words, ...data } = page.data as { words?: unknown };
  return {
    ...page,
    ...(brand === undefined ? {} : { brand }),
    ...(page.site !== undefined || words === undefined ? {} : { data: { ...data, words: callIt(words, name) } }),
  };
}

/** The install's icon in browser tabs. */
export const iconLink = ({ logo }: Pick<Brand, 'logo'>): Markup =>
  logo === null
    ? html`<link rel="icon" href="/icon.svg" type="image/svg+xml">`
    : html`<link rel="icon" href="${iconUrl(logo)}" type="image/png">`;

/** Where people come in, the app can be put on a device too. */
const appLinks = ({ logo }: Pick<Brand, 'logo'>): Markup =>
  html`<link rel="apple-touch-icon" href="${logo === null ? '/icons/touch.png' : iconUrl(logo)}"><link rel="manifest" href="/manifest.webmanifest">`;

const writeBrand = (steps: readonly string[]) =>
  `:root{${steps.map((color, step) => `--hf-brand-${step}:${color}`).join(';')}}`;

/** JSON that can stand in an element: no text in it ends the element or begins another. */
function jsonInHtml(data: unknown): string {
  return JSON.stringify(data).replace(/</g, '\\u003c');
}

interface SiteHead {
  script: string;
  asked: boolean;
  install: Brand;
}

function siteHead(page: Page, site: SiteFacts, { script, asked, install }: SiteHead): Markup {
  const { address, picture, analytics } = site;
  const { title, description, language: current, unlisted } = page;
  const inTongue = (language: string) => `${address}?lang=${language}`;
  const alternates = unlisted
    ? []
    : [
        ...languages.map(
          (language) => html`<link rel="alternate" hreflang="${language}" href="${inTongue(language)}">`,
        ),
        html`<link rel="alternate" hreflang="x-default" href="${address}">`,
      ];
  return html`<link rel="canonical" href="${asked ? inTongue(current) : address}">${alternates}<meta property="og:type" content="website"><meta property="og:title" content="${title}">${
    description && html`<meta property="og:description" content="${description}">`
  }<meta property="og:url" content="${address}"><meta property="og:site_name" content="${install.name}">${
    picture &&
    html`<meta property="og:image" content="${picture.url}"><meta property="og:image:width" content="${picture.width}"><meta property="og:image:height" content="${picture.height}"><meta property="og:image:alt" content="${title}"><meta name="twitter:card" content="summary_large_image">`
  }<script type="module" src="${script}"></script>${analytics && html`<script defer src="${analytics}"></script>`}`;
}

/** Tags for the preview of a link in a chat or mail program. */
function previewHead(
  { unlisted }: Page,
  { path, title, description, picture }: Preview,
  { publicUrl, install }: { publicUrl: string; install: Brand },
): Markup {
  const address = publicUrl + path;
  const image = publicUrl + (picture ?? (install.logo === null ? '/icons/512.png' : iconUrl(install.logo)));
  return html`${unlisted ? '' : html`<link rel="canonical" href="${address}">`}<meta property="og:type" content="website"><meta property="og:site_name" content="${install.name}"><meta property="og:title" content="${title}"><meta property="og:description" content="${description}"><meta property="og:url" content="${address}"><meta property="og:image" content="${image}"><meta property="og:image:alt" content="${title}"><meta name="twitter:card" content="summary">`;
}

const styleAttribute = / style="([^"]*)"/g;

/** Styles that stand at elements, as rules of a sheet: no policy of ours lets them stand where they are. */
function liftStyles(text: string): { text: string; styles: string } {
  const places = new Map<string, number>();
  const lifted = text.replace(styleAttribute, (_, style: string) => {
    const place = places.get(style) ?? places.size;
    places.set(style, place);
    return ` data-s="${place}"`;
  });
  // twice, so that it counts for more than a class
  const rules = [...places].map(([style, place]) => `[data-s="${place}"][data-s]{${style.replaceAll('&quot;', '"')}}`);
  return { text: lifted, styles: rules.join('') };
}

interface PolicyFacts {
  styles: readonly string[];
  live: boolean;
  isHttps: boolean;
}

function policyOf(bundle: PageBundle, page: Page, { styles: all, live, isHttps }: PolicyFacts): string {
  const styles = all.filter((text) => text !== '').map(hashOf);
  const analytics = page.site?.analytics === undefined ? '' : new URL(page.site.analytics).origin;
  const scripts = [
    ...(page.site === undefined ? [] : ["'self'", analytics].filter(Boolean)),
    ...(live
      ? ["'self'", hashOf(kitOf(bundle, page).firstScript)]
      : page.framedBy === undefined
        ? []
        : [hashOf(bundle.frameScript)]),
    ...(page.zoneField === undefined ? [] : [hashOf(bundle.zoneScript)]),
    ...(page.challenge === undefined ? [] : [hashOf(bundle.workScript)]),
    ...(page.counts === undefined ? [] : [hashOf(bundle.countScript)]),
  ];
  const frames = page.frames === null ? "'none'" : ["'self'", ...page.frames].join(' ');
  return [
    "default-src 'none'",
    `style-src ${styles.join(' ')}`,
    scripts.length === 0 ? '' : `script-src ${scripts.join(' ')}`,
    // audit tools fetch robots.txt from within a page of the site
    live || page.site !== undefined || page.counts !== undefined
      ? `connect-src ${["'self'", analytics].filter(Boolean).join(' ')}`
      : '',
    page.site === undefined ? '' : "media-src 'self'",
    "img-src 'self' data:",
    isEntrance(page) ? "manifest-src 'self'" : '',
    `form-action ${["'self'", ...(page.leadsTo ?? [])].join(' ')}`,
    "base-uri 'none'",
    `frame-ancestors ${frames}`,
    isHttps ? 'upgrade-insecure-requests' : '',
  ]
    .filter((directive) => directive !== '')
    .join(';');
}

const hashes = new Map<string, string>();

function hashOf(text: string): string {
  let hash = hashes.get(text);
  if (hash === undefined) {
    hash = `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    // a brand is as many as there are colours: old ones make room
    if (hashes.size > 500) hashes.clear();
    hashes.set(text, hash);
  }
  return hash;
}
