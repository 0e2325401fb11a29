import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite';
import { pickTokens } from './pick-tokens.ts';

/**
 * Builds the public pages apart from the app: the React of the server, the script that brings a page to life, the line
 * that runs before it, the styles, and the script for other sites. `dist/pages` is read by src/platform/page-bundle.ts.
 */

const root = join(import.meta.dirname, '..');
const site = (name: string) => join(root, 'src/features/site/page', name);
const entrance = (name: string) => join(root, 'src/features/access/page', name);
const source = (name: string) => join(root, 'src/features/booking/page', name);
/** In the order in which the later ones refine the earlier. */
const styleSheets = ['base', 'card', 'month', 'times', 'form', 'others'];
/** Sheets of the site's own pages, after those of the app's parts. */
const siteSheets = ['base', 'bar', 'hero', 'sections', 'dialog', 'text'];
/** Set by the elements of the week grid. */
const givenByGrid = ['--days', '--zones', '--hf-event', '--lines', '--top', '--height'];
/** Set by the component library, which public pages do without: of buttons that they have none of. */
const ofLibrary = ['--mantine-color-bad-filled', '--mantine-color-bad-filled-hover'];
const target = ['chrome111', 'safari16.4', 'firefox113'];

interface BuiltPages {
  styles: string;
  firstScript: string;
  frameScript: string;
  zoneScript: string;
  workScript: string;
  countScript: string;
  /** Address of the script. */
  script: string;
  site: { styles: string; script: string };
  entrance: { styles: string; firstScript: string; script: string };
}

async function buildPages(outDir: string = join(root, 'dist/pages')): Promise<BuiltPages> {
  rmSync(outDir, { recursive: true, force: true });
  const [server, client, first, frame, zone, work, count, embed, landing, gridStyles, entered, enteredFirst] =
    await Promise.all([
      bundle({
        plugins: [withoutCards, react()],
        // React in it, and the one for production, whatever the process that loads it is for
        ssr: { noExternal: true },
        define: { 'process.env.NODE_ENV': '"production"' },
        build: {
          ssr: site('render.tsx'),
          rolldownOptions: { output: { entryFileNames: 'render.js', codeSplitting: false } },
        },
      }),
      bundle({
        build: {
          rolldownOptions: {
            input: source('hydrate.tsx'),
            output: {
              entryFileNames: 'assets/pages/booking-[hash].js',
              chunkFileNames: 'assets/pages/[name]-[hash].js',
            },
          },
          // without it, the helper of the bundler weighs more than it saves
          modulePreload: false,
        },
      }),
      bundle(scriptAlone(source('first-script.ts'))),
      bundle(scriptAlone(source('frame-script.ts'))),
      bundle(scriptAlone(source('zone-script.ts'))),
      bundle(scriptAlone(source('work-script.ts'))),
      bundle(scriptAlone(source('count-script.ts'))),
      bundle(scriptAlone(source('embed.ts'))),
      bundle({
        build: {
          rolldownOptions: {
            input: site('site-script.ts'),
            output: { entryFileNames: 'assets/pages/site-[hash].js', codeSplitting: false },
          },
        },
      }),
      stylesOf({
        plugins: [withoutCards, react()],
        // as they are: what they need of the tokens is read from them
        build: {
          cssMinify: false,
          rolldownOptions: { input: site('hero-grid.tsx'), preserveEntrySignatures: 'strict' },
        },
      }),
      buildFiles({
        plugins: [react()],
        build: {
          cssMinify: false,
          rolldownOptions: {
            input: entrance('hydrate.tsx'),
            output: { entryFileNames: 'assets/pages/entrance-[hash].js', codeSplitting: false },
          },
        },
      }),
      bundle(scriptAlone(entrance('first-script.ts'))),
    ]);
  const page = client.find(({ isEntry }) => isEntry);
  const [landingScript] = landing;
  const [entranceScript] = entered.filter((one) => one.type === 'chunk');
  if (page === undefined || landingScript === undefined || entranceScript === undefined)
    throw new Error('nothing was built');
  write(join(outDir, 'server/render.js'), codeOf(server));
  // the script of the page, and the parts that it loads once they are wanted
  for (const { fileName, code } of client) writeCompressed(join(outDir, 'files', fileName), code);
  writeCompressed(join(outDir, 'files', landingScript.fileName), landingScript.code);
  writeCompressed(join(outDir, 'files', entranceScript.fileName), entranceScript.code);
  writeCompressed(join(outDir, 'files/embed.js'), codeOf(embed));
  const tokens = readFileSync(join(root, 'src/ui/tokens.css'), 'utf8');
  const read = (place: typeof source, names: readonly string[]) =>
    names.map((name) => readFileSync(place(`styles/${name}.css`), 'utf8')).join('\n');
  const built: BuiltPages = {
    styles: await minifyStyles(pickTokens(tokens, read(source, styleSheets))),
    firstScript: codeOf(first).trim(),
    frameScript: codeOf(frame).trim(),
    zoneScript: codeOf(zone).trim(),
    workScript: codeOf(work).trim(),
    countScript: codeOf(count).trim(),
    script: `/${page.fileName}`,
    site: {
      styles: await minifyStyles(pickTokens(tokens, `${gridStyles}\n${read(site, siteSheets)}`, givenByGrid)),
      script: `/${landingScript.fileName}`,
    },
    entrance: {
      styles: await minifyStyles(pickTokens(tokens, sheetOf(entered), ofLibrary, 'chosen')),
      firstScript: codeOf(enteredFirst).trim(),
      script: `/${entranceScript.fileName}`,
    },
  };
  write(join(outDir, 'pages.json'), JSON.stringify(built));
  return built;
}

/** Nothing opens in a picture of the week, and what would is half of the app. */
const withoutCards: Plugin = {
  name: 'week-without-cards',
  enforce: 'pre',
  load: (id) => (id.endsWith('/calendar/web/week-card.tsx') ? 'export const WeekCard = () => null;' : undefined),
};

async function bundle(config: InlineConfig): Promise<Rolldown.OutputChunk[]> {
  return (await buildFiles(config)).filter((one) => one.type === 'chunk');
}

/** The styles of the modules that are imported from somewhere, as one sheet. */
async function stylesOf(config: InlineConfig): Promise<string> {
  return sheetOf(await buildFiles(config));
}

const sheetOf = (files: Awaited<ReturnType<typeof buildFiles>>) =>
  files
    .flatMap((one) => (one.type === 'asset' && one.fileName.endsWith('.css') ? [String(one.source)] : []))
    .join('\n');

async function buildFiles(config: InlineConfig) {
  const output = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [react()],
    resolve: { alias: [{ find: /^#/, replacement: join(root, 'src/') }] },
    ...config,
    build: { target, write: false, minify: config.build?.ssr === undefined, ...config.build },
  });
  const built = (Array.isArray(output) ? output : [output]) as Rolldown.RolldownOutput[];
  return built.flatMap((one) => one.output);
}

/** One file that needs no module loader. */
const scriptAlone = (entry: string): InlineConfig => ({
  build: { rolldownOptions: { input: entry, output: { format: 'iife', entryFileNames: '[name].js' } } },
});

const codeOf = (chunks: readonly Rolldown.OutputChunk[]) => chunks.map(({ code }) => code).join('');

/** Through the same bundler as the app's styles. */
async function minifyStyles(styles: string): Promise<string> {
  const output = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [
      {
        name: 'page-styles',
        resolveId: (id) => (id === 'page-styles.css' ? id : undefined),
        load: (id) => (id === 'page-styles.css' ? styles : undefined),
      },
    ],
    build: { target, write: false, rolldownOptions: { input: 'page-styles.css' } },
  });
  const files = ([output].flat() as Rolldown.RolldownOutput[]).flatMap((one) => one.output);
  const asset = files.find((one) => one.type === 'asset' && one.fileName.endsWith('.css'));
  if (asset?.type !== 'asset') throw new Error('no styles were built');
  return String(asset.source).trim();
}

function write(path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function writeCompressed(path: string, code: string): void {
  write(path, code);
  write(`${path}.br`, brotliCompressSync(code));
  write(`${path}.gz`, gzipSync(code, { level: 9 }));
}

if (import.meta.main) await buildPages(process.argv[2]);
