export interface FoundComment {
  firstWord: string;
  line: number;
}

/**
 * The comments of a TypeScript file: docstrings, blocks, and runs of `//` lines, each as one. Works on formatted code: a
 * `//` inside a string follows no blank.
 */
export function scanComments(source: string): FoundComment[] {
  const found: FoundComment[] = [];
  let inRun = false;
  let inBlock = false;
  for (const [index, line] of source.split('\n').entries()) {
    const text = line.trim();
    const run = text.startsWith('//');
    const begin = inBlock || (run && inRun) ? null : /(?:^|\s|\{)(?:\/\*\*?|\/\/)(?:\s+([\w'’]+)|$)/.exec(line);
    if (begin) found.push({ firstWord: begin[1] ?? wordAt(source, index + 1), line: index + 1 });
    if (begin?.[0].includes('/*')) inBlock = true;
    if (inBlock && text.includes('*/')) inBlock = false;
    inRun = run;
  }
  return found;
}

/** The first word of a docstring whose text begins on its second line. */
function wordAt(source: string, index: number): string {
  return /^\s*\*?\s*([\w'’]+)/.exec(source.split('\n')[index] ?? '')?.[1] ?? '';
}
