import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Plugin, transformWithOxc } from 'vite';
import { languages } from '../src/kernel/languages.ts';
import { filesOf, type ManifestChunk } from './check-bundle.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist/web');

/** Where the application opens without a connection, and what that takes. */
const kept = [
  'index.html',
  'app.tsx',
  'bars.tsx',
  'offline-copy.ts',
  ...languages.flatMap((language) => [`locales/${language}.ts`, `locales/${language}/calendar.json`]),
];
const keptScreen = 'calendar-page.tsx';
/** Where people begin who have come in. */
const firstScreen = 'dashboard-page.tsx';
/** Beside the document, not in its module graph. */
const beside = ['/theme.js', '/icon.svg', '/manifest.webmanifest'];

type Manifest = Record<string, ManifestChunk>;

const readManifest = () => JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest;

function findScreen(manifest: Manifest, ending: string): string {
  const screen = Object.keys(manifest).find((key) => key.endsWith(ending));
  if (screen === undefined) throw new Error(`the bundle has no ${ending}`);
  return screen;
}

/** The feature of a screen, whose words have its name. */
const areaOf = (screen: string) => /features\/([^/]+)\//.exec(screen)?.[1] ?? '';

const fontsOf = (manifest: Manifest) => [
  ...new Set(Object.values(manifest).flatMap(({ assets = [] }) => assets.filter((file) => /latin-wght/.test(file)))),
];

/** Writes `service-worker.js` beside the built pages, with the names of what it keeps, and `screens.json` for the server. */
export const serviceWorker: Plugin = {
  name: 'service-worker',
  apply: 'build',
  async writeBundle() {
    const manifest = readManifest();
    const screen = findScreen(manifest, keptScreen);
    // the views, and the head on a phone, are loaded on demand
    const later = manifest[screen]?.dynamicImports ?? [];
    const files = [...filesOf(manifest, [...kept, screen, ...later]), ...fontsOf(manifest)].filter(
      (file) => file !== 'index.html',
    );
    const build = /assets\/index-([\w-]+)\.js/.exec(readFileSync(join(dist, 'index.html'), 'utf8'))?.[1];
    const screens = listScreens();
    const firsts = [...new Set(screens.map((path) => path.split('/')[1] ?? ''))].sort();
    const shell = { build, files: [...files.map((file) => `/${file}`), ...beside].sort(), screens: firsts };
    const source = join(root, 'src/web/offline-worker.ts');
    const { code } = await transformWithOxc(readFileSync(source, 'utf8'), source);
    writeFileSync(join(dist, 'service-worker.js'), `const shell = ${JSON.stringify(shell)};\n${code}`);
    writeFileSync(join(dist, 'screens.json'), JSON.stringify(screens));
  },
};

/**
 * Writes `ahead.json` beside the built pages: what somebody needs who has just come in, for the page at which they come in to
 * read ahead; `always`, and more for each language.
 */
export const aheadList: Plugin = {
  name: 'ahead-list',
  apply: 'build',
  async writeBundle() {
    const manifest = readManifest();
    const pathsOf = (keys: readonly string[]) =>
      [...filesOf(manifest, keys)].filter((file) => file !== 'index.html').map((file) => `/${file}`);
    const screen = findScreen(manifest, firstScreen);
    const always = pathsOf(['index.html', 'app.tsx', 'bars.tsx', screen]);
    const words = languages.map((language) => {
      const files = pathsOf([`locales/${language}.ts`, `locales/${language}/${areaOf(screen)}.json`]);
      return [language, files.filter((file) => !always.includes(file))] as const;
    });
    const fonts = fontsOf(manifest).map((file) => `/${file}`);
    writeFileSync(
      join(dist, 'ahead.json'),
      JSON.stringify({ always: [...always, ...fonts], ...Object.fromEntries(words) }),
    );
  },
};

/** The addresses of screens, as `/calendar` and `/routing/$formId`. */
function listScreens(): string[] {
  const files = globSync('src/features/*/web/screens.ts', { cwd: root });
  const paths = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/path: '([^']+)'/g)].map(([, path = '']) => path),
  );
  return ['/', ...paths].sort();
}
