import { existsSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** The kind of a file. It decides what the file may import. */
export type Zone =
  | 'main'
  | 'kernel'
  | 'platform'
  | 'port'
  | 'registry'
  | 'rest' // JSON over HTTP, for the adapters that speak it
  | 'provider'
  | 'emulator'
  | 'kit' // src/emulators/kit: what every emulator is made of
  | 'shared' // contract, rules, events of a feature: run on both sides
  | 'door' // public.ts of a feature
  | 'store'
  | 'server' // every other server file of a feature
  | 'screens' // web/screens.ts of a feature: the list the shell reads
  | 'web'
  | 'page'
  | 'ui'
  | 'shell'
  | 'test';

export interface Place {
  file: string;
  zone: Zone;
  /** Name of the feature, provider or emulator. */
  slice: string;
}

/** The names that a file of a feature may have beside its noun. */
export const FEATURE_FILES: Record<string, Zone> = {
  'contract.ts': 'shared',
  'rules.ts': 'shared',
  'events.ts': 'shared',
  'store.ts': 'store',
  'routes.ts': 'server',
  'jobs.ts': 'server',
  'public.ts': 'door',
  'mail.ts': 'server',
  'feature.ts': 'server',
  'views.ts': 'server',
};

/** Paths below `src`, sorted. */
export function listSources(src: string): string[] {
  if (!existsSync(src)) return [];
  return readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(src, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

export function placeOf(file: string): Place {
  const [top = '', slice = '', ...rest] = file.split('/');
  // Test code that several tests share.
  if (/\.test\.tsx?$/.test(file) || /^(?:providers\/conformance(?:-\w+)?|web\/fresh-page)\.ts$/.test(file))
    return { file, zone: 'test', slice: top };
  if (top === 'kernel' || top === 'platform' || top === 'ui') return { file, zone: top, slice: '' };
  if (top === 'web') return { file, zone: 'shell', slice: '' };
  if (file === 'providers/port.ts') return { file, zone: 'port', slice: '' };
  if (file === 'providers/registry.ts') return { file, zone: 'registry', slice: '' };
  if (top === 'providers') return { file, zone: slice === 'rest' ? 'rest' : 'provider', slice };
  if (top === 'emulators') return { file, zone: slice === 'kit' ? 'kit' : 'emulator', slice };
  if (top === 'features') return { file, zone: featureZoneOf(rest), slice };
  return { file, zone: 'main', slice: '' };
}

function featureZoneOf(path: string[]): Zone {
  if (path[0] === 'web') return path[1] === 'screens.ts' ? 'screens' : 'web';
  if (path[0] === 'page') return 'page';
  // A sub-folder repeats the vocabulary: `rules/plan.ts` is shared, `mirrors/store.ts` is a store.
  if (path.slice(0, -1).includes('rules')) return 'shared';
  if (path.slice(0, -1).includes('store')) return 'store';
  return FEATURE_FILES[path.at(-1) ?? ''] ?? 'server';
}

/** A generated file: its name and comments follow from its source. */
export function isMade(source: string): boolean {
  return /^\/[/*]+ ?(?:Made|Generated) (?:from|by)/i.test(source);
}

/** Comments become blanks, so that positions stay. */
export function blankComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, (comment) => comment.replace(/[^\n]/g, ' '));
}
