import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * The public pages as `scripts/build-pages.ts` leaves them: the React of the server, and what browsers load of it. Kept
 * in memory, as there are few files and every visit asks for them.
 */
export interface PageBundle {
  /** HTML of a page by its name, from data that is JSON. */
  render(name: string, data: unknown): string;
  /** Whether a page is brought to life in the browser; the others are complete without script. */
  isLive(name: string): boolean;
  /** Styles of every page, inlined. */
  styles: string;
  /** Runs before the first paint; it stands in the page. */
  firstScript: string;
  /** Script of a page without other script in a frame of another site, inlined. */
  frameScript: string;
  /** Fills in the zone of the browser in a form; it stands in the page. */
  zoneScript: string;
  /** Solves the challenge of a form and sends the form; it stands in the page. */
  workScript: string;
  /** Shows how many characters are left in the texts of a form; it stands in the page. */
  countScript: string;
  /** Address of the script that brings pages to life. */
  script: string;
  /** The same of the pages of the site itself: landing, documentation, legal texts. */
  site: { styles: string; script: string };
  /** The same of the pages at which people come in. */
  entrance: { styles: string; firstScript: string; script: string };
  files: ReadonlyMap<string, PageFile>;
}

export interface PageFile {
  type: string;
  plain: Buffer;
  br: Buffer;
  gzip: Buffer;
  /** Whether its name changes with its content. */
  immutable: boolean;
}

const defaultPageRoot = join(import.meta.dirname, '../../dist/pages');

/** Null where nothing was built: the calls work, the public pages do not. */
export async function loadPageBundle(root: string = defaultPageRoot): Promise<PageBundle | null> {
  if (!existsSync(join(root, 'pages.json'))) return null;
  const { styles, firstScript, frameScript, zoneScript, workScript, countScript, script, site, entrance } = JSON.parse(
    readFileSync(join(root, 'pages.json'), 'utf8'),
  ) as PageBundle;
  const server = (await import(pathToFileURL(join(root, 'server/render.js')).href)) as Pick<
    PageBundle,
    'render' | 'isLive'
  >;
  const files = new Map<string, PageFile>();
  const dir = join(root, 'files');
  for (const name of readdirSync(dir, { recursive: true }).map((entry) => String(entry).replaceAll('\\', '/'))) {
    if (!name.endsWith('.js')) continue;
    files.set(`/${name}`, {
      type: 'text/javascript; charset=utf-8',
      plain: readFileSync(join(dir, name)),
      br: readFileSync(join(dir, `${name}.br`)),
      gzip: readFileSync(join(dir, `${name}.gz`)),
      immutable: name.startsWith('assets/'),
    });
  }
  const { render, isLive } = server;
  const scripts = { firstScript, frameScript, zoneScript, workScript, countScript, script };
  return { render, isLive, styles, ...scripts, site, entrance, files };
}
