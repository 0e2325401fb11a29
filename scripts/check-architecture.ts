import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { scanImports } from './scan-imports.ts';
import { blankComments, isMade, listSources, type Place, placeOf, type Zone } from './source-tree.ts';
import {
  compareWithAllowed,
  describeAllowed,
  measureStructure,
  readAllowed,
  readBaseline,
  writeAllowed,
} from './structure-limits.ts';

/**
 * Holds the walls of the house: who may import whom, which files a feature may have, who may name whose tables.
 * The tables below are the rule; docs/decisions/0001-one-package-vertical-slices.md says why.
 */

/** The features whose pages draw the product with its own parts: docs/decisions/0042-the-front-door.md, 0051-entrances.md. */
const SHOWS_THE_PRODUCT = ['site', 'access'];

interface Rule {
  /** Zones this one may import, whatever their slice. */
  zones: readonly Zone[];
  /** Zones it may import from its own slice. */
  own?: readonly Zone[];
  /** Whether it may import the doors of the features listed above its own in src/features.ts. */
  doorsAbove?: boolean;
  /** `node:` modules. */
  node?: boolean;
  /** npm packages; `x/*` allows a whole scope. */
  packages: readonly string[];
}

const OWN_SERVER: readonly Zone[] = ['server', 'store', 'door', 'shared'];
const REACT = [
  'react',
  'i18next',
  'react-i18next',
  '@tanstack/react-query',
  '@tanstack/react-router',
  '@tabler/icons-react',
];

/** Features that open providers for everybody below them. */
const OPENS_PROVIDERS = ['accounts', 'access', 'connections'];

/** The feature that runs emulators for people: docs/decisions/0010-simulated-accounts.md. */
const RUNS_EMULATORS = ['simulation'];

/** The feature that takes payments; nobody else speaks with Stripe. */
const USES_STRIPE = ['billing'];

const RULES: Record<Exclude<Zone, 'test'>, Rule> = {
  main: {
    zones: ['main', 'kernel', 'platform', 'port', 'registry', 'provider', 'shared', 'door', 'store', 'server'],
    node: true,
    packages: [],
  },
  // Runs in the browser too, hence no node: modules. ical.js parses and serialises; it never expands.
  // @noble/hashes answers at once where WebCrypto does not. altcha-lib solves challenges on every page.
  kernel: { zones: ['kernel'], packages: ['zod', '@noble/hashes', 'altcha-lib', 'color-name'] },
  platform: {
    zones: ['kernel', 'platform'],
    node: true,
    packages: [
      '@simplewebauthn/server',
      'fastify',
      '@fastify/*',
      'altcha-lib',
      'fflate',
      'i18next',
      'ipaddr.js',
      'kysely',
      'nodemailer',
      'oauth4webapi',
      'otplib',
      'pg',
      'pg-boss',
      'pg-copy-streams',
      'pino',
      'pino-pretty',
      'prom-client',
      'sharp',
      'undici',
      'zod',
    ],
  },
  port: { zones: ['kernel'], packages: [] },
  registry: { zones: ['kernel', 'platform', 'port', 'rest', 'provider'], node: true, packages: [] },
  rest: { zones: ['kernel', 'platform', 'port', 'rest'], node: true, packages: [] },
  provider: {
    zones: ['kernel', 'platform', 'port', 'rest'],
    own: ['provider'],
    node: true,
    packages: ['saxes', 'zod'],
  },
  emulator: { zones: ['kernel', 'kit'], own: ['emulator'], node: true, packages: ['saxes'] },
  kit: { zones: ['kernel', 'kit'], node: true, packages: [] },
  shared: { zones: ['kernel', 'shared'], packages: ['zod'] },
  door: {
    zones: ['kernel', 'platform', 'port', 'shared'],
    own: OWN_SERVER,
    doorsAbove: true,
    node: true,
    packages: [],
  },
  store: {
    zones: ['kernel', 'platform', 'shared'],
    own: ['store', 'shared'],
    node: true,
    packages: ['kysely', 'pg'],
  },
  server: {
    zones: ['kernel', 'platform', 'port', 'shared'],
    own: OWN_SERVER,
    doorsAbove: true,
    node: true,
    packages: ['@block65/webcrypto-web-push', 'csv-parse', 'date-holidays', 'libphonenumber-js', 'zod'],
  },
  screens: { zones: ['kernel', 'ui', 'shared'], own: ['web'], packages: REACT },
  web: { zones: ['kernel', 'ui', 'shared'], own: ['web', 'screens'], packages: [...REACT, 'zod'] },
  page: {
    zones: ['kernel', 'shared'],
    own: ['page'],
    packages: ['react', 'react-dom', 'i18next', 'react-i18next'],
  },
  ui: {
    zones: ['kernel', 'ui'],
    packages: ['react', 'react-dom', '@mantine/*', '@tabler/icons-react', '@fontsource-variable/*', 'uqr'],
  },
  shell: {
    zones: ['kernel', 'ui', 'shell', 'shared', 'screens'],
    packages: [...REACT, 'react-dom', 'i18next', 'temporal-polyfill', 'zod'],
  },
};

/**
 * Packages that tests may use beyond those of the product. Kernel tests stay pure: no database, no HTTP, no emulator.
 */
const KERNEL_TEST_PACKAGES = ['vitest', 'fast-check', 'rrule', 'rrule-temporal', 'ical.js', 'zod'];

/** Zones that run in a browser. */
const BROWSER: readonly Zone[] = ['kernel', 'shared', 'screens', 'web', 'page', 'ui', 'shell'];

const NEVER = ['utils', 'util', 'helpers', 'helper', 'common', 'types', 'index', 'service', 'manager', 'misc'];
const KEBAB = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:property|slow))?(?:\.test)?\.(?:ts|tsx)$/;
const TOP_LEVEL = ['main.ts', 'features.ts'];

export interface Findings {
  files: number;
  imports: number;
  /** `path:line what is wrong`, sorted. */
  offences: string[];
}

/** Reads the tree under `root` (the folder that holds `src/` and `migrations/`) and lists every breach. */
export function checkArchitecture(root: string): Findings {
  const src = join(root, 'src');
  const offences: string[] = [];
  const places = new Map<string, Place>();
  for (const file of listSources(src)) places.set(file, placeOf(file));
  const order = readFeatureOrder(src, places, offences);
  const tables = readTables(join(root, 'migrations'));
  const graph = new Map<string, string[]>();
  let imports = 0;

  for (const place of places.values()) {
    const source = readFileSync(join(src, place.file), 'utf8');
    const report = (line: number, text: string) => offences.push(`src/${place.file}:${line} ${text}`);
    checkName(place, source, report);
    if (place.zone !== 'test') checkTables(place, source, tables, report);
    checkForTls(place, source, report);
    const targets: string[] = [];
    for (const { specifier, line, typeOnly } of scanImports(source)) {
      imports += 1;
      const complaint = isLocal(specifier)
        ? checkLocal(place, specifier, typeOnly, places, order, targets, src)
        : checkPackage(place, specifier);
      if (complaint) report(line, complaint);
    }
    if (place.zone !== 'test') graph.set(place.file, targets);
  }
  for (const cycle of findCycles(graph)) offences.push(`src/${cycle[0]}:1 import cycle: ${cycle.join(' -> ')}`);
  return { files: places.size, imports, offences: offences.sort() };
}

function checkName(place: Place, source: string, report: (line: number, text: string) => void): void {
  const parts = place.file.split('/');
  const name = parts.at(-1)!;
  if (!KEBAB.test(name)) report(1, 'file names are kebab-case');
  for (const part of parts) {
    // an event type is a thing of the product, see the glossary
    const words = part
      .replace(/\.tsx?$/, '')
      .replace('event-types', 'event-type')
      .split(/[-.]/);
    const bad = NEVER.find((word) => words.includes(word));
    if (bad && !isMade(source)) report(1, `"${bad}" names nothing: call the file after what it exports`);
  }
  if (parts.length === 1 && !TOP_LEVEL.includes(name))
    report(1, `only ${TOP_LEVEL.join(' and ')} lie directly in src/`);
  if (name.endsWith('.tsx') && !['ui', 'shell', 'web', 'page', 'test'].includes(place.zone)) {
    report(1, 'Node does not run .tsx: screens live in web/ or page/');
  }
}

/** `src/features.ts` is the map of the product: the order of its list is the order of the doors. */
function readFeatureOrder(src: string, places: Map<string, Place>, offences: string[]): string[] {
  const slices = new Set<string>();
  for (const { file, slice } of places.values()) if (file.startsWith('features/') && slice) slices.add(slice);
  for (const file of places.keys()) if (/^features\/[^/]+\/feature\.ts$/.test(file)) slices.add(file.split('/')[1]!);
  slices.delete('features');
  if (slices.size === 0) return [];
  const path = join(src, 'features.ts');
  if (!existsSync(path)) {
    offences.push('src/features.ts:1 is missing: it lists the features in dependency order');
    return [];
  }
  const source = readFileSync(path, 'utf8');
  const folderOf = new Map<string, string>();
  for (const match of source.matchAll(
    /^import \{ (?:\w+ as )?(\w+) \} from '#features\/([a-z0-9-]+)\/feature\.ts'/gm,
  )) {
    folderOf.set(match[1]!, match[2]!);
  }
  const list = /=\s*\[([\w\s,]*)\]/.exec(
    source.replace(/\/\/.*$/gm, '').slice(source.search(/^export const features\b/m)),
  );
  const order = (list?.[1] ?? '').split(',').flatMap((name) => folderOf.get(name.trim()) ?? []);
  for (const slice of slices) {
    const served = places.has(`features/${slice}/feature.ts`);
    if (served && !order.includes(slice)) offences.push(`src/features.ts:1 does not list the feature "${slice}"`);
  }
  return order;
}

function isLocal(specifier: string): boolean {
  return specifier.startsWith('.') || specifier.startsWith('#');
}

function checkLocal(
  from: Place,
  specifier: string,
  typeOnly: boolean,
  places: Map<string, Place>,
  order: string[],
  targets: string[],
  src: string,
): string | null {
  const path = specifier.startsWith('#')
    ? specifier.slice(1)
    : posix.normalize(posix.join(posix.dirname(from.file), specifier));
  if (path.startsWith('../')) {
    return from.zone === 'test' ? null : `${specifier} leaves src/`;
  }
  const to = places.get(path);
  if (!to) {
    if (/\.(?:css|svg|json|woff2)(?:\?\w+)?$/.test(path)) return null;
    return existsSync(join(src, path)) ? null : `${specifier} does not exist`;
  }
  // Types are gone when anything runs: two files may describe each other, they may not need each other.
  if (!typeOnly) targets.push(path);
  if (from.zone === 'test') return checkTest(from, to);
  if (to.zone === 'test') return `${specifier} is test code`;
  if (specifier.startsWith('.') && topOf(from) !== topOf(to)) return `${specifier} crosses a wall: write #${path}`;
  const rule = RULES[from.zone];
  if (rule.zones.includes(to.zone)) return null;
  if (from.slice === to.slice && rule.own?.includes(to.zone)) return null;
  if (typeOnly && to.zone === 'port' && (from.zone === 'shared' || from.zone === 'store')) return null;
  if (to.zone === 'registry' && OPENS_PROVIDERS.includes(from.slice) && ['server', 'door'].includes(from.zone))
    return null;
  if ((to.zone === 'emulator' || to.zone === 'kit') && RUNS_EMULATORS.includes(from.slice) && from.zone === 'server')
    return null;
  if (to.zone === 'web' && from.zone === 'page' && SHOWS_THE_PRODUCT.includes(from.slice)) return null;
  // public pages are one bundle: those of a feature are made of the parts of the features above
  if ((to.zone === 'door' && rule.doorsAbove) || (to.zone === 'page' && from.zone === 'page')) {
    const own = order.indexOf(from.slice);
    const other = order.indexOf(to.slice);
    if (other !== -1 && own !== -1 && other < own) return null;
    return `${specifier}: "${to.slice}" is not above "${from.slice}" in src/features.ts`;
  }
  return `${specifier}: ${nameOf(from)} may not import ${nameOf(to)}`;
}

function checkTest(from: Place, to: Place): string | null {
  if (from.slice === 'kernel' && to.zone !== 'kernel' && to.zone !== 'test') return 'kernel tests use the kernel alone';
  return null;
}

/** Folder inside which relative imports are natural. */
function topOf({ file }: Place): string {
  const [top = '', slice = ''] = file.split('/');
  if (slice === '') return '';
  return top === 'features' || top === 'emulators' ? `${top}/${slice}` : top;
}

function nameOf(place: Place): string {
  const owner = place.slice ? `${place.slice}'s ` : '';
  return `${owner}${place.zone}`;
}

function checkPackage(from: Place, specifier: string): string | null {
  if (specifier.startsWith('node:')) {
    if (from.zone === 'test') return null;
    return RULES[from.zone].node ? null : `${specifier}: ${from.zone} also runs in the browser`;
  }
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  if (from.zone === 'test') {
    if (from.slice === 'kernel' && !KERNEL_TEST_PACKAGES.includes(name))
      return `${name} does not belong in a kernel test`;
    return null;
  }
  if (name === 'zod' && specifier !== 'zod/mini') return 'import zod/mini: the browser loads these schemas';
  if (name === 'stripe' && from.zone === 'server' && USES_STRIPE.includes(from.slice)) return null;
  const allowed = RULES[from.zone].packages.some((it) =>
    it.endsWith('/*') ? name.startsWith(it.slice(0, -1)) : it === name,
  );
  return allowed ? null : `the package ${name} is not for ${nameOf(from)}`;
}

interface Table {
  schema: string;
  name: string;
  /** A view that the owner publishes for readers such as analytics. */
  view: boolean;
}

function readTables(migrations: string): Table[] {
  if (!existsSync(migrations)) return [];
  return readdirSync(migrations)
    .filter((name) => /^\d+_.*\.sql$/.test(name))
    .flatMap((name) => {
      const sql = readFileSync(join(migrations, name), 'utf8');
      const created = sql.matchAll(
        /^create (?:or replace )?(table|view|materialized view)(?: if not exists)? (\w+)\.(\w+)/gim,
      );
      return [...created].map((match) => ({ schema: match[2]!, name: match[3]!, view: match[1] !== 'table' }));
    });
}

/** Reports browser APIs that are missing over plain HTTP, as in a home network without a proxy. */
function checkForTls(place: Place, source: string, report: (line: number, text: string) => void): void {
  if (!BROWSER.includes(place.zone)) return;
  const code = blankComments(source);
  for (const { 0: name, index } of code.matchAll(/crypto\.(?:randomUUID|subtle)\b/g))
    report(code.slice(0, index).split('\n').length, `${name} is not there without TLS; see src/ui/new-id.ts`);
}

function checkTables(
  place: Place,
  source: string,
  tables: Table[],
  report: (line: number, text: string) => void,
): void {
  const serverSide = ['main', 'platform', 'rest', 'provider', 'registry', 'server', 'store', 'door'].includes(
    place.zone,
  );
  // The row types made from the migrations name every table; they hold no query.
  if (!serverSide || isMade(source)) return;
  const code = blankComments(source);
  for (const table of tables) {
    const full = `${table.schema}.${table.name}`;
    if (!code.includes(full)) continue;
    if (place.zone === 'store' && (place.slice === table.schema || table.view)) continue;
    if (place.zone === table.schema) continue; // the platform's own: jobs, limits, the feed
    // A whole literal is a Kysely table name; after these words it is SQL. Anything else is a property or a label.
    const named = new RegExp(
      `(?<!table: )['"\`]${table.schema}\\.${table.name}(?: as \\w+)?['"\`]|\\b(?:from|join|into|update|table|only|truncate)\\s+${table.schema}\\.${table.name}\\b`,
      'i',
    ).exec(code);
    if (!named) continue;
    const line = code.slice(0, named.index).split('\n').length;
    report(line, `names the table ${full}, which belongs to the store of "${table.schema}"`);
  }
}

/** One cycle per knot: a depth-first walk that reports each back edge once. */
function findCycles(graph: Map<string, string[]>): string[][] {
  const cycles: string[][] = [];
  const state = new Map<string, 'open' | 'done'>();
  const path: string[] = [];
  const visit = (file: string): void => {
    state.set(file, 'open');
    path.push(file);
    for (const next of graph.get(file) ?? []) {
      if (state.get(next) === 'open') cycles.push([...path.slice(path.indexOf(next)), next]);
      else if (!state.has(next)) visit(next);
    }
    path.pop();
    state.set(file, 'done');
  };
  for (const file of graph.keys()) if (!state.has(file)) visit(file);
  return cycles;
}

if (import.meta.main) {
  const started = performance.now();
  const root = dirname(import.meta.dirname);
  const { files, imports, offences } = checkArchitecture(root);
  const found = measureStructure(root);
  const baseline = readBaseline(root);
  if (process.argv.includes('--update')) writeAllowed(root, found);
  const allowed = readAllowed(root);
  offences.push(...compareWithAllowed(found, allowed, baseline));
  for (const offence of offences) console.error(offence);
  const took = Math.round(performance.now() - started);
  console.log(
    `architecture: ${files} files, ${imports} imports, ${offences.length} offences, ${describeAllowed(allowed)}, ${took} ms`,
  );
  // A check that saw nothing has checked nothing.
  if (offences.length > 0 || files === 0 || imports === 0) process.exitCode = 1;
}
