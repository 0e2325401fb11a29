/**
 * Finds what a TypeScript file imports, without a TypeScript parser: TypeScript 7 has no stable programmatic API, and
 * tools built on the old one report success after seeing nothing. Biome's formatting makes the shapes regular: a
 * static import or re-export starts its line.
 */
export interface FoundImport {
  specifier: string;
  line: number;
  /** `import type`: erased before anything runs. */
  typeOnly: boolean;
}

const STATIC = /^(?:import|export)\s(type\s)?(?:[^'"`;]*?\sfrom\s*)?['"]([^'"\n]+)['"]/gm;
const DYNAMIC = /\bimport()\(\s*['"]([^'"\n]+)['"]/g;

export function scanImports(source: string): FoundImport[] {
  const found: FoundImport[] = [];
  for (const match of source.matchAll(STATIC)) found.push(toImport(source, match));
  for (const match of source.matchAll(DYNAMIC)) {
    const lineStart = source.lastIndexOf('\n', match.index) + 1;
    if (!/^\s*(?:\/\/|\*|\/\*)/.test(source.slice(lineStart, match.index))) found.push(toImport(source, match));
  }
  return found.sort((a, b) => a.line - b.line);
}

/** Names of the values (not types) that a file exports; `functions` are the functions among them. */
export function scanExports(source: string): { values: string[]; functions: string[] } {
  const found: { values: string[]; functions: string[] } = { values: [], functions: [] };
  for (const match of source.matchAll(/^export (?:async )?(function\*?|const|let|class) (\w+)(.*)/gm)) {
    found.values.push(match[2]!);
    if (match[1]!.startsWith('function') || /=>|= (?:async )?\($/.test(match[3]!)) found.functions.push(match[2]!);
  }
  return found;
}

function toImport(source: string, match: RegExpExecArray): FoundImport {
  return {
    specifier: match[2]!,
    line: source.slice(0, match.index).split('\n').length,
    typeOnly: match[1] !== undefined && match[1] !== '',
  };
}
