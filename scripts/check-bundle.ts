import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/**
 * Holds the weight of the browser bundle, as a cold visit downloads it. A visit is the entry, what the entry always
 * fetches next (the app and the English words of the shell) and one screen with its feature's words; a route's own weight is what its screen adds to that.
 */

const FIRST_JS_KB = 210;
const FIRST_CSS_KB = 25;
const ROUTE_JS_KB = 61;
/** Public pages: the script with React, and the script that another site loads. */
const PAGE_JS_KB = 82;
const EMBED_KB = 2;
/** Auth pages: the script with React, and the inlined sheet. */
const ENTRANCE_JS_KB = 80;
const ENTRANCE_CSS_KB = 6;
/** Script of the landing page and the other pages of the site: no React, because the browser renders nothing there. */
const SITE_JS_KB = 5;
/** The inlined sheet of the same pages. */
const SITE_CSS_KB = 12;

/** Where a visit can begin for somebody signed in. */
const FIRST_SCREENS = ['/dashboard-page.tsx', '/calendar-page.tsx'];
const ALWAYS = ['index.html', 'app.tsx', 'locales/en.ts'];

export interface ManifestChunk {
  file: string;
  imports?: string[];
  css?: string[];
  assets?: string[];
  dynamicImports?: string[];
}

export interface BundleReport {
  ok: boolean;
  /** One line per screen and per breach. */
  lines: string[];
}

/** Measures the build in `dist` against the budgets. */
export function checkBundle(dist: string): BundleReport {
  const manifestPath = join(dist, '.vite', 'manifest.json');
  if (!existsSync(manifestPath)) return { ok: true, lines: ['not built, not measured'] };
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as Record<string, ManifestChunk>;
  const missing = ALWAYS.filter((key) => !(key in manifest));
  const screens = Object.keys(manifest).filter((key) => key.endsWith('-page.tsx'));
  if (missing.length > 0 || screens.length === 0) {
    return { ok: false, lines: [`the manifest has no ${missing.join(', ') || 'screen'}`] };
  }

  const kbOf = (files: Iterable<string>, ending: string): number => {
    let bytes = 0;
    for (const file of files) if (file.endsWith(ending)) bytes += gzipSync(readFileSync(join(dist, file))).length;
    return bytes / 1024;
  };

  const always = filesOf(manifest, ALWAYS);
  const lines: string[] = [];
  let ok = true;
  const hold = (what: string, kb: number, budgetKb: number): string => {
    if (kb > budgetKb) ok = false;
    return `${what} ${kb.toFixed(1)}/${budgetKb} KB${kb > budgetKb ? ' OVER' : ''}`;
  };
  for (const screen of screens) {
    const words = `locales/en/${/(?:^|\/)features\/([^/]+)\//.exec(screen)?.[1]}.json`;
    const whole = filesOf(manifest, [...ALWAYS, words, screen]);
    const added = [...whole].filter((file) => !always.has(file));
    const name = screen.split('/').at(-1)?.replace('-page.tsx', '') ?? screen;
    const parts = [hold('route JS', kbOf(added, '.js'), ROUTE_JS_KB)];
    if (FIRST_SCREENS.some((first) => screen.endsWith(first))) {
      parts.push(hold('first visit JS', kbOf(whole, '.js'), FIRST_JS_KB));
      parts.push(hold('first visit CSS', kbOf(whole, '.css'), FIRST_CSS_KB));
    }
    lines.push(`${name}: ${parts.join(', ')}`);
  }
  return { ok, lines };
}

/** Measures the public pages as `scripts/build-pages.ts` left them in `dist` against theirs. */
export function checkPages(dist: string): BundleReport {
  if (!existsSync(join(dist, 'pages.json'))) return { ok: true, lines: ['pages: not built, not measured'] };
  const built = JSON.parse(readFileSync(join(dist, 'pages.json'), 'utf8')) as {
    script: string;
    site: { styles: string; script: string };
    entrance: { styles: string; script: string };
  };
  const kb = (content: string | Uint8Array) => gzipSync(content).length / 1024;
  const kbOf = (file: string) => kb(readFileSync(join(dist, 'files', file)));
  const [page, embed, site, css, entrance, entranceCss] = [
    kbOf(built.script),
    kbOf('embed.js'),
    kbOf(built.site.script),
    kb(built.site.styles),
    kbOf(built.entrance.script),
    kb(built.entrance.styles),
  ];
  return {
    ok:
      page <= PAGE_JS_KB &&
      embed <= EMBED_KB &&
      site <= SITE_JS_KB &&
      css <= SITE_CSS_KB &&
      entrance <= ENTRANCE_JS_KB &&
      entranceCss <= ENTRANCE_CSS_KB,
    lines: [
      `public page: JS ${page.toFixed(1)}/${PAGE_JS_KB} KB, embed.js ${embed.toFixed(2)}/${EMBED_KB} KB`,
      `entrance: JS ${entrance.toFixed(1)}/${ENTRANCE_JS_KB} KB, CSS ${entranceCss.toFixed(1)}/${ENTRANCE_CSS_KB} KB`,
      `site: JS ${site.toFixed(1)}/${SITE_JS_KB} KB, CSS ${css.toFixed(1)}/${SITE_CSS_KB} KB`,
    ],
  };
}

/** Files of these modules and of everything they import statically, styles included. */
export function filesOf(manifest: Record<string, ManifestChunk>, keys: readonly string[]): Set<string> {
  const files = new Set<string>();
  const visit = (key: string): void => {
    const chunk = manifest[key];
    if (!chunk || files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const css of chunk.css ?? []) files.add(css);
    for (const next of chunk.imports ?? []) visit(next);
  };
  for (const key of keys) visit(key);
  return files;
}

if (import.meta.main) {
  const dist = join(import.meta.dirname, '..', 'dist');
  const reports = [checkBundle(join(dist, 'web')), checkPages(join(dist, 'pages'))];
  console.log(reports.flatMap(({ lines }) => lines).join('\n'));
  process.exitCode = reports.every(({ ok }) => ok) ? 0 : 1;
}
