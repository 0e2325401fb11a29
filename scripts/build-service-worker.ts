import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Plugin, transformWithOxc } from 'vite';
import { languages } from '../src/kernel/languages.ts';
import { filesOf, type ManifestChunk } from './check-bundle.ts';

const root = join(import.meta.dirname, '..');

/** Where the application opens without a connection, and what that takes. */
const kept = [
  'index.html',
  'app.tsx',
  'bars.tsx',
  'offline-copy.ts',
  ...languages.flatMap((language) => [`locales/${language}.ts`, `locales/${language}/calendar.json`]),
];
const keptScreen = 'calendar-page.tsx';
/** Beside the document, not in its module graph. */
const beside = ['/theme.js', '/icon.svg', '/manifest.webmanifest'];

/** Writes `service-worker.js` beside the built pages, with the names of what it keeps. */
export const serviceWorker: Plugin = {
  name: 'service-worker',
  apply: 'build',
  async writeBundle() {
    const dist = join(root, 'dist/web');
    const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<
      string,
      ManifestChunk
    >;
    const screen = Object.keys(manifest).find((key) => key.endsWith(keptScreen));
    if (screen === undefined) throw new Error(`the bundle has no ${keptScreen}`);
    const fonts = Object.values(manifest).flatMap(({ assets = [] }) =>
      assets.filter((file) => /latin-wght/.test(file)),
    );
    // its views, and its head on a phone, come when they are wanted
    const later = manifest[screen]?.dynamicImports ?? [];
    const files = [...filesOf(manifest, [...kept, screen, ...later]), ...new Set(fonts)].filter(
      (file) => file !== 'index.html',
    );
    const build = /assets\/index-([\w-]+)\.js/.exec(readFileSync(join(dist, 'index.html'), 'utf8'))?.[1];
    const shell = { build, files: [...files.map((file) => `/${file}`), ...beside].sort(), screens: listScreens() };
    const source = join(root, 'src/web/offline-worker.ts');
    const { code } = await transformWithOxc(readFileSync(source, 'utf8'), source);
    writeFileSync(join(dist, 'service-worker.js'), `const shell = ${JSON.stringify(shell)};\n${code}`);
  },
};

/** First parts of the addresses of screens, as `calendar` of `/calendar`. */
function listScreens(): string[] {
  const files = globSync('src/features/*/web/screens.ts', { cwd: root });
  const firsts = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/path: '\/([^'/$]+)/g)].map(([, first = '']) => first),
  );
  return ['', ...new Set(firsts)].sort();
}
