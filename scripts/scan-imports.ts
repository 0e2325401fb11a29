/**
 * Finds what a TypeScript file imports, without a TypeScript parser: TypeScript 7 has no stable programmatic API, and
 * tools built on the old one report success after seeing nothing. Biome's formatting makes the shapes regular: a
 * static import or re-export starts its line.
 */
export interface FoundImport {
  specifier: string;
  line: number;
}

const STATIC = /^(?:import|export)\s(?:[^'"`;]*?\sfrom\s*)?['"]([^'"\n]+)['"]/gm;
const DYNAMIC = /\bimport\(\s*['"]([^'"\n]+)['"]/g;

export function scanImports(source: string): FoundImport[] {
  const found: FoundImport[] = [];
  for (const match of source.matchAll(STATIC)) found.push(toImport(source, match));
  for (const match of source.matchAll(DYNAMIC)) {
    const lineStart = source.lastIndexOf('\n', match.index) + 1;
    if (!/^\s*(?:\/\/|\*|\/\*)/.test(source.slice(lineStart, match.index))) found.push(toImport(source, match));
  }
  return found.sort((a, b) => a.line - b.line);
}

/** Names of the values (not types) that a file exports. */
export function scanExportedValues(source: string): string[] {
  const names: string[] = [];
  for (const match of source.matchAll(/^export (?:async )?(?:function\*?|const|let|class) (\w+)/gm))
    names.push(match[1]!);
  return names;
}

function toImport(source: string, match: RegExpExecArray): FoundImport {
  return { specifier: match[1]!, line: source.slice(0, match.index).split('\n').length };
}
