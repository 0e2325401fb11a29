import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { scanComments } from './scan-comments.ts';
import { scanExports, scanImports } from './scan-imports.ts';
import { FEATURE_FILES, isMade, listSources, type Place, placeOf } from './source-tree.ts';

/**
 * Limits on the size, names and language of the code. Exceptions are in scripts/allowed-structure.json, which may only
 * shrink. `node scripts/check-architecture.ts --update` writes the list from the tree.
 */

interface Limit {
  /** The end of a message, after the place and its number. */
  says: string;
  /** Whether each exception counts with its number. Otherwise each counts as one. */
  summed?: boolean;
}

const LIMITS = {
  'folder size': { says: 'source files; a folder has at most 20' },
  'file size': { says: 'lines; a source file has at most 350' },
  'public exports': { says: 'exports; a public.ts has at most 15' },
  'file names': {
    says: 'outside the closed list: name a file after its noun and put the function there; a folder has four extra nouns',
  },
  'type cycles': { says: 'part of a cycle of imports, types included' },
  'comments that begin with a pronoun': { says: 'comments begin with a pronoun; begin with the subject', summed: true },
  'glossary terms': { says: 'definitions; the glossary defines a term once' },
  'module state': { says: 'mutable variables of a module; pass state through App or a port', summed: true },
} satisfies Record<string, Limit>;

type Rule = keyof typeof LIMITS;
const RULES = Object.keys(LIMITS) as Rule[];

/** Numbers above the limits by place, for each rule. */
export type Exceptions = Record<string, Record<string, number>>;

const most = { files: 20, lines: 350, exports: 15, extraNouns: 4 };
const LIST = 'scripts/allowed-structure.json';
const PRONOUN = /^(?:what|who|whoever|whose|of|theirs|those)$/i;
/** Folders of a feature whose files a reader finds by their content: a store for each table, routes for each noun. */
const OPEN_FOLDERS = ['routes', 'rules', 'store'];
/** Folders beside `src` whose comments the check reads. */
const COMMENTED = ['src', 'test', 'bench', 'scripts'];

/** Reads the tree under `root` (the folder that holds `src/` and `docs/`). */
export function measureStructure(root: string): Exceptions {
  const found: Exceptions = Object.fromEntries(RULES.map((rule) => [rule, {}]));
  const note = (rule: Rule, place: string, count: number) => {
    if (count > 0) found[rule]![place] = count;
  };
  const src = join(root, 'src');
  const sources = new Map<string, { place: Place; text: string }>();
  for (const file of listSources(src)) {
    const place = placeOf(file);
    const text = readFileSync(join(src, file), 'utf8');
    if (place.zone !== 'test') sources.set(file, { place, text });
  }

  const folders = Map.groupBy(sources.keys(), (file) => posix.dirname(file));
  for (const [folder, { length }] of folders) note('folder size', `src/${folder}`, length > most.files ? length : 0);
  for (const [file, { text }] of sources) {
    if (isMade(text)) continue;
    const lines = text.split('\n').length - 1;
    note('file size', `src/${file}`, lines > most.lines ? lines : 0);
    note('module state', `src/${file}`, countState(text));
    const doors = file.endsWith('/public.ts') ? countExports(text) : 0;
    note('public exports', `src/${file}`, doors > most.exports ? doors : 0);
  }
  noteNames(sources, folders, note);
  for (const file of filesInCycles(sources)) note('type cycles', `src/${file}`, 1);
  for (const folder of COMMENTED)
    for (const file of listSources(join(root, folder))) {
      const text = readFileSync(join(root, folder, file), 'utf8');
      if (!isMade(text)) note('comments that begin with a pronoun', `${folder}/${file}`, countPronouns(text));
    }
  for (const [term, count] of countTerms(join(root, 'docs', 'glossary.md')))
    note('glossary terms', term, count > 1 ? count : 0);
  return found;
}

export function countPronouns(text: string): number {
  return scanComments(text).filter(({ firstWord }) => PRONOUN.test(firstWord)).length;
}

/** Names that a module exports, types included. */
function countExports(text: string): number {
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)];
  const listed = lists.flatMap((match) => match[1]!.split(',').filter((name) => name.trim() !== '')).length;
  return (
    listed + [...text.matchAll(/^export (?:async |abstract )?(?:function|const|let|class|type \w|interface)/gm)].length
  );
}

/** Variables that can be assigned, and collections that begin empty. */
function countState(text: string): number {
  return [
    ...text.matchAll(
      /^(?:export )?(?:let |var |const [^=\n]+ = (?:new (?:Weak)?(?:Map|Set)(?:<.*>)?\(\)|\[\]|\{\});$)/gm,
    ),
  ].length;
}

type Note = (rule: Rule, place: string, count: number) => void;

/** Server files of a feature: the closed list, the noun of the folder, and few further nouns. */
function noteNames(sources: Map<string, { place: Place; text: string }>, folders: Map<string, string[]>, note: Note) {
  for (const [folder, files] of folders) {
    if (OPEN_FOLDERS.includes(posix.basename(folder))) continue;
    let extraNouns = 0;
    for (const file of files) {
      const { place, text } = sources.get(file)!;
      const name = posix.basename(file);
      if (place.zone !== 'server' || name in FEATURE_FILES || name === `${posix.basename(folder)}.ts`) continue;
      if (isVerb(name, text)) note('file names', `src/${file}`, 1);
      else extraNouns += 1;
    }
    note('file names', `src/${folder}`, extraNouns > most.extraNouns ? extraNouns : 0);
  }
}

/** Whether a file holds one function and is called after it: `cancel-booking.ts` exports `cancelBooking`. */
function isVerb(name: string, text: string): boolean {
  const words = name.replace(/\.ts$/, '').split('-');
  const { functions } = scanExports(text);
  return words.length > 1 && functions.some((one) => one.toLowerCase() === words.join(''));
}

/** Tarjan's strongly connected components with more than one file. */
function filesInCycles(sources: Map<string, { text: string }>): string[] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const path: string[] = [];
  const onPath = new Set<string>();
  const inCycle: string[] = [];
  const visit = (file: string): void => {
    index.set(file, index.size);
    low.set(file, index.get(file)!);
    path.push(file);
    onPath.add(file);
    for (const next of targetsOf(file, sources)) {
      if (!index.has(next)) visit(next);
      if (onPath.has(next)) low.set(file, Math.min(low.get(file)!, low.get(next)!));
    }
    if (low.get(file) !== index.get(file)) return;
    const component = path.splice(path.indexOf(file));
    for (const one of component) onPath.delete(one);
    if (component.length > 1) inCycle.push(...component);
  };
  for (const file of sources.keys()) if (!index.has(file)) visit(file);
  return inCycle.sort();
}

function targetsOf(file: string, sources: Map<string, { text: string }>): string[] {
  return scanImports(sources.get(file)!.text)
    .filter(({ specifier }) => /^[.#]/.test(specifier))
    .map(({ specifier }) =>
      specifier.startsWith('#') ? specifier.slice(1) : posix.join(posix.dirname(file), specifier),
    )
    .filter((target) => sources.has(target));
}

/** Terms of the glossary without what tells them apart: `series (of bookings)` is a second `series`. */
function countTerms(path: string): Map<string, number> {
  const counts = new Map<string, number>();
  if (!existsSync(path)) return counts;
  const rows = readFileSync(path, 'utf8').matchAll(/^\| ([^|]+?) *\|/gm);
  for (const term of [...rows].flatMap((match) => match[1]!.split(', '))) {
    const base = term.replace(/ \(.*\)$/, '');
    if (!/^(?:-+|Word)$/.test(base)) counts.set(base, (counts.get(base) ?? 0) + 1);
  }
  return counts;
}

export function readAllowed(root: string): Exceptions {
  return existsSync(join(root, LIST)) ? (JSON.parse(readFileSync(join(root, LIST), 'utf8')) as Exceptions) : {};
}

/** Keeps the places sorted, so that two branches rarely touch the same line. */
export function writeAllowed(root: string, found: Exceptions): void {
  const sorted = RULES.map((rule) => [
    rule,
    Object.fromEntries(Object.entries(found[rule] ?? {}).sort(([one], [other]) => (one < other ? -1 : 1))),
  ]);
  writeFileSync(join(root, LIST), `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}

/**
 * The list where this branch left the main one, or before the last commit of the main branch itself. Null without
 * history, such as in a release archive.
 */
export function readBaseline(root: string): Exceptions | null {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  for (const branch of ['main', 'origin/main'])
    try {
      const shared = git('merge-base', 'HEAD', branch);
      return JSON.parse(git('show', `${shared === git('rev-parse', 'HEAD') ? 'HEAD^' : shared}:${LIST}`)) as Exceptions;
    } catch {
      // no such branch, or no list yet
    }
  return null;
}

/** One line for each breach: a place above its allowance, an entry that nothing needs, a rule with more exceptions. */
export function compareWithAllowed(found: Exceptions, allowed: Exceptions, baseline: Exceptions | null): string[] {
  const offences: string[] = [];
  for (const rule of RULES) {
    for (const [place, count] of Object.entries(found[rule] ?? {})) {
      const allowance = allowed[rule]?.[place] ?? 0;
      if (count > allowance)
        offences.push(`${place}: ${count} ${LIMITS[rule].says}${allowance > 0 ? ` (${allowance} allowed)` : ''}`);
    }
    for (const place of Object.keys(allowed[rule] ?? {}))
      if (found[rule]?.[place] === undefined)
        offences.push(`${LIST}: "${place}" needs no exception from "${rule}" any more; run with --update`);
    if (baseline?.[rule] === undefined) continue;
    const [before, now] = [countOf(rule, baseline), countOf(rule, allowed)];
    if (now > before) offences.push(`${LIST}: "${rule}" grew from ${before} to ${now} exceptions; it may only shrink`);
  }
  return offences;
}

export function describeAllowed(allowed: Exceptions): string {
  const counts = RULES.map((rule) => [rule, countOf(rule, allowed)] as const).filter(([, count]) => count > 0);
  const sum = counts.reduce((total, [, count]) => total + count, 0);
  return `${sum} exceptions (${counts.map(([rule, count]) => `${count} ${rule}`).join(', ')})`;
}

function countOf(rule: Rule, list: Exceptions): number {
  const counts = Object.values(list[rule] ?? {});
  const { summed = false }: Limit = LIMITS[rule];
  return summed ? counts.reduce((sum, count) => sum + count, 0) : counts.length;
}
