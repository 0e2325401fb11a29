import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';

/**
 * Merges modules into one and rewrites every import of them. It goes once issue 32 is done.
 *
 *     node scripts/merge-modules.ts src/features/x/x.ts src/features/x/show-x.ts src/features/x/change-x.ts
 *     node scripts/merge-modules.ts --rename showX=getX demandX=requireX
 *     node scripts/merge-modules.ts --move src/features/x/web/people src/features/x/web/people-*
 *
 * It works on formatted code: each import and each declaration starts its line. Run Biome on the result.
 */

interface Named {
  imported: string;
  typeOnly: boolean;
}

/** The static imports of one specifier. */
interface Imports {
  attributes: string;
  byDefault: { name: string; typeOnly: boolean } | null;
  namespace: { name: string; typeOnly: boolean } | null;
  /** By local name. */
  named: Map<string, Named>;
}

const IMPORT = /^import (?:(type) )?(?:([^'"`;]*?) from )?'([^'\n]+)'( with \{[^}]*\})?;\n/gm;
const RE_EXPORT = /^export (?:(type) )?\{([^}]*)\} from '([^'\n]+)';\n/gm;
const DECLARATION = /^(?:export )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;
const SEARCHED = ['src', 'test', 'bench', 'scripts'];

export class Merger {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** Paths from the root. `target` may exist, or be one of `files`. Returns remarks for a person. */
  merge(target: string, files: readonly string[]): string[] {
    const merged = [...new Set([...(this.#has(target) ? [target] : []), ...files])];
    const missing = merged.filter((file) => !this.#has(file));
    if (missing.length > 0) throw new Error(`not there: ${missing.join(', ')}`);
    const text = this.#unite(target, this.#inOrder(merged));
    const remarks = this.#moveTests(target, merged);
    mkdirSync(join(this.#root, posix.dirname(target)), { recursive: true });
    for (const file of merged) if (file !== target) rmSync(join(this.#root, file));
    this.#write(target, text);
    for (const file of this.#list()) this.#redirect(file, new Set(merged), target);
    this.#closeExports(target);
    return remarks;
  }

  /** Renames identifiers wherever they are not a property or the key of an object. */
  rename(names: ReadonlyMap<string, string>): void {
    const files = this.#list().map((file) => ({ file, before: this.#read(file) }));
    for (const [old, name] of names) {
      if (!files.some(({ before }) => new RegExp(`(?<![\\w$])${old}(?![\\w$])`).test(before)))
        throw new Error(`nothing is called ${old}`);
      const declaring = files.filter(({ before }) =>
        [...before.matchAll(DECLARATION)].some((match) => match[1] === old),
      );
      if (declaring.length > 1)
        throw new Error(`${old} is declared in ${declaring.map(({ file }) => file).join(', ')}`);
      const taken = files.find(({ before }) => [...before.matchAll(DECLARATION)].some((match) => match[1] === name));
      if (taken) throw new Error(`${taken.file} declares ${name} already`);
    }
    const pattern = new RegExp(`(?<![\\w$'])(?<!(?:^|[^.])\\.)(?:${[...names.keys()].join('|')})(?![\\w$:'])`, 'gm');
    for (const { file, before } of files) {
      const after = before.replace(pattern, (old) => names.get(old)!);
      if (after !== before) this.#write(file, after);
    }
  }

  /** The given order, but a constant that is no function comes before the modules that import it. */
  #inOrder(merged: readonly string[]): string[] {
    const ordered: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (ordered.includes(file) || path.includes(file)) return;
      for (const { clause, specifier } of importsOf(this.#read(file))) {
        const other = resolve(file, specifier);
        if (other === null || !merged.includes(other)) continue;
        const constants = declarationsOf(this.#read(other)).filter(({ text }) => /^(?:export )?const /.test(text));
        const eager = constants.filter(({ text }) => !/^[^\n]*(?:=>|= (?:async )?\($|= (?:async )?<)/.test(text));
        const wanted = [...clause.named.values()].map(({ imported }) => imported);
        if (eager.some(({ name }) => wanted.includes(name))) visit(other, [...path, file]);
      }
      ordered.push(file);
    };
    for (const file of merged) visit(file, []);
    return ordered;
  }

  /** Moves files of any kind into a folder, with their tests if these are named too. */
  move(folder: string, files: readonly string[]): void {
    const moves = new Map(files.map((file) => [file, posix.join(folder, posix.basename(file))]));
    const taken = [...moves.values()].find(this.#has);
    if (taken) throw new Error(`${taken} is there already`);
    for (const file of this.#list(['ts', 'tsx', 'mjs', 'css', 'json', 'md'])) {
      const moved = moves.get(file) ?? file;
      const before = this.#read(file);
      let after = before.replace(/(['"])(\.\.?\/[^'"\n]+|#[^'"\n]+)\1/g, (quoted, quote: string, specifier: string) => {
        const path = resolve(file, specifier);
        if (path === null || !this.#has(path) || (moved === file && !moves.has(path))) return quoted;
        const target = moves.get(path) ?? path;
        return quote + (specifier.startsWith('#') ? target.replace(/^src\//, '#') : relativeTo(moved, target)) + quote;
      });
      for (const [old, name] of moves) after = after.replaceAll(old, name);
      if (after !== before) this.#write(file, after);
    }
    mkdirSync(join(this.#root, folder), { recursive: true });
    for (const [file, name] of moves) renameSync(join(this.#root, file), join(this.#root, name));
  }

  #unite(target: string, merged: readonly string[]): string {
    const imports = new Map<string, Imports>();
    const declared = new Map<string, { file: string; text: string }>();
    const locals = new Map<string, string>();
    const bodies: string[] = [];
    let head = '';
    for (const file of merged) {
      let body = this.#read(file);
      if (file === target && this.#has(target)) {
        head = /^\/\*\*[\s\S]*?\*\/\n(?=import )/.exec(body)?.[0] ?? '';
        body = body.slice(head.length);
      }
      for (const { clause, specifier } of importsOf(body)) {
        const path = resolve(file, specifier);
        if (path !== null && merged.includes(path)) {
          for (const [local, { imported }] of clause.named)
            if (local !== imported) body = body.replace(new RegExp(`\\b${local}\\b`, 'g'), imported);
          if (clause.namespace) throw new Error(`${file} imports all of ${path}`);
          continue;
        }
        const moved = path === null || specifier.startsWith('#') ? specifier : relativeTo(target, path);
        for (const [local, { imported }] of clause.named) {
          const origin = `${imported} of ${moved}`;
          if (locals.has(local) && locals.get(local) !== origin)
            throw new Error(`${file}: ${local} is ${origin}, elsewhere ${locals.get(local)}`);
          locals.set(local, origin);
        }
        add(imports, moved, clause);
      }
      body = body.replace(IMPORT, '').replace(/^\n+/, '');
      body = body.replace(RE_EXPORT, (statement, type: string | undefined, list: string, specifier: string) => {
        const path = resolve(file, specifier);
        if (path === null || specifier.startsWith('#')) return statement;
        if (merged.includes(path)) return '';
        return `export ${type ? 'type ' : ''}{${list}} from '${relativeTo(target, path)}';\n`;
      });
      for (const { name, text } of declarationsOf(body)) {
        const other = declared.get(name);
        if (other && bare(other.text) !== bare(text)) throw new Error(`${file} and ${other.file} both declare ${name}`);
        if (other) body = body.replace(text, '');
        else declared.set(name, { file, text });
      }
      if (posix.dirname(file) !== posix.dirname(target))
        body = body.replace(
          /import\('(\.[^']*)'\)/g,
          (_, specifier: string) => `import('${relativeTo(target, resolve(file, specifier)!)}')`,
        );
      bodies.push(body.trim());
    }
    for (const name of declared.keys())
      if (locals.has(name))
        throw new Error(`${name} is declared in ${declared.get(name)!.file} and imported elsewhere`);
    return `${head}${print(imports)}\n${bodies.filter((body) => body !== '').join('\n\n')}\n`;
  }

  /** A test beside a merged file follows it. */
  #moveTests(target: string, merged: readonly string[]): string[] {
    const remarks: string[] = [];
    for (const file of merged)
      for (const ending of ['.test', '.property.test', '.slow.test']) {
        const test = file.replace(/\.(tsx?)$/, `${ending}.$1`);
        if (file === target || !this.#has(test)) continue;
        let moved = target.replace(/\.(tsx?)$/, `${ending}.$1`);
        if (this.#has(moved)) {
          moved = posix.join(posix.dirname(target), posix.basename(test));
          remarks.push(`${moved} keeps its name`);
        }
        if (moved === test) continue;
        renameSync(join(this.#root, test), join(this.#root, moved));
        const text = this.#read(moved).replace(
          /(['"])(\.\.?\/[^'"\n]+)\1/g,
          (quoted, quote: string, specifier: string) =>
            this.#has(resolve(test, specifier)!)
              ? quote + relativeTo(moved, resolve(test, specifier)!) + quote
              : quoted,
        );
        this.#write(moved, text);
        for (const one of this.#list(['json', 'md'])) this.#replaceIn(one, test, moved);
      }
    return remarks;
  }

  /** Lets `file` name the target in place of the merged files. */
  #redirect(file: string, merged: ReadonlySet<string>, target: string): void {
    const before = this.#read(file);
    let after = before.replace(/(['"])(\.\.?\/[^'"\n]+|#[^'"\n]+)\1/g, (quoted, quote: string, specifier: string) => {
      const path = resolve(file, specifier);
      if (path === null || path === target || !merged.has(path)) return quoted;
      return quote + (specifier.startsWith('#') ? target.replace(/^src\//, '#') : relativeTo(file, target)) + quote;
    });
    for (const path of merged) after = after.replaceAll(`'${path}'`, `'${target}'`);
    if (after !== before) this.#write(file, joinStatements(after));
  }

  /** Removes `export` where no other file imports the name. */
  #closeExports(target: string): void {
    const wanted = new Set<string>();
    for (const file of this.#list()) {
      const text = this.#read(file);
      if (file === target || !text.includes(posix.basename(target))) continue;
      for (const { clause, specifier } of importsOf(text)) {
        if (resolve(file, specifier) !== target) continue;
        if (clause.namespace) return;
        for (const { imported } of clause.named.values()) wanted.add(imported);
      }
      for (const match of text.matchAll(RE_EXPORT))
        if (resolve(file, match[3]!) === target)
          for (const { imported } of namesIn(match[2]!, true)) wanted.add(imported);
      for (const match of text.matchAll(/import\('([^']+)'\)/g)) if (resolve(file, match[1]!) === target) return;
    }
    const text = this.#read(target);
    this.#write(
      target,
      text.replace(DECLARATION, (line, name: string) => (wanted.has(name) ? line : line.replace(/^export /, ''))),
    );
  }

  #list(endings: readonly string[] = ['ts', 'tsx', 'mjs']): string[] {
    const inFolders = [...SEARCHED, 'docs'].flatMap((folder) =>
      existsSync(join(this.#root, folder))
        ? readdirSync(join(this.#root, folder), { recursive: true, withFileTypes: true })
            .filter((entry) => entry.isFile())
            .map((entry) => relative(this.#root, join(entry.parentPath, entry.name)).split(sep).join('/'))
        : [],
    );
    return inFolders.filter((file) => endings.includes(file.split('.').at(-1)!));
  }

  #replaceIn(file: string, old: string, name: string): void {
    const before = this.#read(file);
    if (before.includes(old)) this.#write(file, before.replaceAll(old, name));
  }

  readonly #has = (file: string) => existsSync(join(this.#root, file));
  readonly #read = (file: string) => readFileSync(join(this.#root, file), 'utf8');
  readonly #write = (file: string, text: string) => writeFileSync(join(this.#root, file), text);
}

/** The path of a local specifier from the root, or null for a package. */
function resolve(file: string, specifier: string): string | null {
  if (specifier.startsWith('#')) return `src/${specifier.slice(1)}`;
  return specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : null;
}

function relativeTo(file: string, path: string): string {
  const found = posix.relative(posix.dirname(file), path);
  return found.startsWith('.') ? found : `./${found}`;
}

function importsOf(text: string): { specifier: string; clause: Imports }[] {
  return [...text.matchAll(IMPORT)].map((match) => {
    const typeOnly = match[1] !== undefined;
    const clause: Imports = { attributes: match[4] ?? '', byDefault: null, namespace: null, named: new Map() };
    const rest = (match[2] ?? '').replace(/\{([\s\S]*)\}/, (_, list: string) => {
      for (const { local, imported, isType } of namesIn(list, typeOnly))
        clause.named.set(local, { imported, typeOnly: isType });
      return '';
    });
    for (const part of rest.split(',').map((one) => one.trim())) {
      if (part.startsWith('* as ')) clause.namespace = { name: part.slice(5), typeOnly };
      else if (part !== '') clause.byDefault = { name: part, typeOnly };
    }
    return { specifier: match[3]!, clause };
  });
}

function namesIn(list: string, typeOnly: boolean): { local: string; imported: string; isType: boolean }[] {
  const names = list.split(',').map((name) => name.trim());
  return names
    .filter((name) => name !== '')
    .map((name) => {
      const isType = typeOnly || name.startsWith('type ');
      const [imported, local = imported] = name.replace(/^type /, '').split(' as ');
      return { local: local!, imported: imported!, isType };
    });
}

function add(all: Map<string, Imports>, specifier: string, clause: Imports): void {
  const known = all.get(specifier);
  if (!known) {
    all.set(specifier, clause);
    return;
  }
  known.byDefault ??= clause.byDefault;
  known.namespace ??= clause.namespace;
  for (const [local, named] of clause.named)
    known.named.set(local, { ...named, typeOnly: named.typeOnly && (known.named.get(local)?.typeOnly ?? true) });
}

function print(imports: Map<string, Imports>): string {
  const statements: string[] = [];
  for (const [specifier, { attributes, byDefault, namespace, named }] of imports) {
    const from = `from '${specifier}'${attributes};\n`;
    if (!byDefault && !namespace && named.size === 0) statements.push(`import '${specifier}'${attributes};\n`);
    if (namespace) statements.push(`import ${namespace.typeOnly ? 'type ' : ''}* as ${namespace.name} ${from}`);
    if (byDefault) statements.push(`import ${byDefault.typeOnly ? 'type ' : ''}${byDefault.name} ${from}`);
    if (named.size === 0) continue;
    const typeOnly = [...named.values()].every((one) => one.typeOnly);
    const list = [...named].map(([local, one]) => {
      const name = one.imported === local ? local : `${one.imported} as ${local}`;
      return one.typeOnly && !typeOnly ? `type ${name}` : name;
    });
    statements.push(`import ${typeOnly ? 'type ' : ''}{ ${list.join(', ')} } ${from}`);
  }
  return statements.join('');
}

/** One statement for each specifier that several imports or re-exports of a file now share. */
function joinStatements(text: string): string {
  const specifiers = [...text.matchAll(IMPORT)].map((match) => match[3]!);
  let joined = text;
  for (const specifier of new Set(specifiers.filter((one, index) => specifiers.indexOf(one) !== index))) {
    const united = new Map<string, Imports>();
    for (const one of importsOf(text)) if (one.specifier === specifier) add(united, specifier, one.clause);
    let isFirst = true;
    joined = joined.replace(IMPORT, (statement, _type, _clause, found: string) => {
      if (found !== specifier) return statement;
      const replacement = isFirst ? print(united) : '';
      isFirst = false;
      return replacement;
    });
  }
  const lists = Map.groupBy(text.matchAll(RE_EXPORT), (match) => match[3]!);
  for (const [specifier, matches] of lists) {
    if (matches.length < 2) continue;
    const names = matches.flatMap((match) =>
      namesIn(match[2]!, match[1] !== undefined).map(
        ({ local, imported, isType }) =>
          `${isType ? 'type ' : ''}${imported}${local === imported ? '' : ` as ${local}`}`,
      ),
    );
    let isFirst = true;
    joined = joined.replace(RE_EXPORT, (statement, _type, _list, found: string) => {
      if (found !== specifier) return statement;
      const replacement = isFirst ? `export { ${names.join(', ')} } from '${specifier}';\n` : '';
      isFirst = false;
      return replacement;
    });
  }
  return joined;
}

/** Top-level declarations with their text, which ends where the next line begins at the margin. */
function declarationsOf(body: string): { name: string; text: string }[] {
  return [...body.matchAll(DECLARATION)].map((match) => {
    const rest = body.slice(match.index);
    const end = /\n(?=[^\s)}\]]|$)/.exec(rest)?.index ?? rest.length;
    return { name: match[1]!, text: rest.slice(0, end) };
  });
}

const bare = (text: string) => text.replace(/^export /, '').trim();

if (import.meta.main) {
  const merger = new Merger(join(import.meta.dirname, '..'));
  const [first, ...rest] = process.argv.slice(2);
  if (first === undefined || rest.length === 0) {
    console.error('Usage: merge-modules.ts <target> <files…>, or merge-modules.ts --rename <old=new…>');
    process.exit(2);
  }
  if (first === '--move') merger.move(rest[0]!, rest.slice(1));
  else if (first === '--rename') merger.rename(new Map(rest.map((pair) => pair.split('=') as [string, string])));
  else for (const remark of merger.merge(first, rest)) console.log(remark);
}
