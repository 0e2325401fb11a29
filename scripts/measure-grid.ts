import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Rollup } from 'vite';

/**
 * The weight of the week grid: placing, drawing, keyboard, drags and their styles, as one bundle. Aside are what it
 * shares with the rest of the application: React, translations, the design system, the kernel, and the words and the
 * card of an event, which the month, the agenda and the editor have too. Calendars that are libraries are measured in
 * the same way, over React.
 */
export interface BundleSize {
  /** Bytes, gzipped. */
  js: number;
  css: number;
}

const root = join(import.meta.dirname, '..');
const web = join(root, 'src/features/calendar/web');
const shared = /^(react|react-dom|react-i18next|i18next|@tabler|#ui|#kernel)(\/|$)/;
const sharedByViews = /\/(card-words|event-time|time-labels|week-card)\.tsx?$/;

/** KB of 1,024 bytes that the grid's JavaScript may have. */
export const gridBudgetKb = 14;

export async function measureGrid(): Promise<BundleSize> {
  const entry = [
    `export { WeekGrid } from '${join(web, 'week-grid.tsx')}';`,
    `export { attachGestures } from '${join(web, 'grid-gestures.ts')}';`,
  ];
  return measureBundle(entry.join('\n'), (id) => shared.test(id) || sharedByViews.test(id));
}

/** Bytes of what a module needs, as people load it: minified and in one piece. */
export async function measureBundle(source: string, isShared: (id: string) => boolean): Promise<BundleSize> {
  // a path without a file, from which packages are resolved
  const entry = join(root, 'measured.ts');
  const output = await build({
    configFile: false,
    root,
    logLevel: 'error',
    // As it is built for people, also where tests run.
    mode: 'production',
    oxc: { jsx: { runtime: 'automatic', development: false } },
    plugins: [
      {
        name: 'measured',
        enforce: 'pre',
        resolveId: (id) => (id === entry ? entry : isShared(id) ? { id, external: true } : null),
        load: (id) => (id === entry ? source : null),
        // the lazy parts are in the bundle already; wrappers around a second copy would be counted too
        transform: (code, id) =>
          id.endsWith('/use-grid-gestures.ts')
            ? code.replace("import('./grid-gestures.ts')", 'Promise.reject()')
            : null,
      },
    ],
    build: {
      write: false,
      target: ['chrome125', 'safari17.5', 'firefox125'],
      lib: { entry, formats: ['es'], fileName: 'measured' },
      minify: true,
      // A library keeps its white space unless told otherwise; what people load does not.
      rolldownOptions: { output: { minify: true, codeSplitting: false } },
    },
  });
  const size = { js: 0, css: 0 };
  for (const { output: files } of [output].flat() as Rollup.RollupOutput[]) {
    for (const file of files) {
      if (file.type === 'chunk') size.js += gzipped(withoutTraces(file.code));
      else if (file.fileName.endsWith('.css')) size.css += gzipped(file.source);
    }
  }
  return size;
}

/** Removes artifacts of this build: the import lines of shared chunks, and hints for the next bundler. */
function withoutTraces(code: string): string {
  return code.replaceAll(/import\s*\{[^}]*\}\s*from\s*["'][^"']*["'];/g, '').replaceAll('/* @__PURE__ */', '');
}

function gzipped(content: string | Uint8Array): number {
  return gzipSync(content, { level: 9 }).length;
}
