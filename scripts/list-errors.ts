import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';

/**
 * Lists the server's refusals in English, with `{1}`, `{2}` as placeholders: the keys of
 * `src/platform/errors/<language>.json`. `node scripts/list-errors.ts de` prints those that German lacks.
 */

const root = join(import.meta.dirname, '..');
const sources = [
  'src/features/**/*.ts',
  'src/kernel/{codecs,text/shown-text,work-limits}.ts',
  'src/providers/ics/{fetch-feed,provider,read-feed}.ts',
  'src/platform/{crypto,fetch,http*,limit*,oauth-errors,picture*,proof-of-work,recipients,stream}.ts',
];
/** No refusals: screens, mails to be written, and what is said of figures. */
const others =
  /\.test\.|\/(?:web|page)\/|workflows\/rules\/(?:templates|variables)\.ts|analytics\/rules\/definitions\.ts/;

/** A sentence, or what zod expects. Parts of sentences stand in `part(…)`. */
const isSaid = (text: string) => /^(?:[A-Z“{][^\n]* [^\n]*[.?]|Expected [^\n]+)$/.test(text);

interface SyntaxNode {
  type: string;
  [key: string]: unknown;
}

export function listErrors(): string[] {
  const found = new Set<string>();
  for (const file of globSync(sources, { cwd: root }).filter((path) => !others.test(path))) {
    const visit = (node: unknown): void => {
      if (Array.isArray(node)) for (const one of node) visit(one);
      if (!isNode(node)) return;
      // told to programmers
      if (node.type === 'Property' && (node.key as SyntaxNode).name === 'summary') return;
      const text = textOf(node);
      if (text !== null && isSaid(text)) found.add(text);
      if (node.type === 'NewExpression' && (node.callee as SyntaxNode).name === 'AppError') {
        const message = textOf((node.arguments as SyntaxNode[])[2]);
        if (message !== null) found.add(message);
      }
      if (node.type === 'CallExpression' && (node.callee as SyntaxNode).name === 'part') {
        const part = textOf((node.arguments as SyntaxNode[])[0]);
        if (part !== null) found.add(part);
      }
      for (const value of Object.values(node)) if (typeof value === 'object') visit(value);
    };
    visit(parseSync(file, readFileSync(join(root, file), 'utf8')).program.body);
  }
  return [...found].sort();
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';

function textOf(node: SyntaxNode | undefined): string | null {
  if (node?.type === 'BinaryExpression' && node.operator === '+') {
    const [left, right] = [textOf(node.left as SyntaxNode), textOf(node.right as SyntaxNode)];
    return left === null || right === null ? null : left + right;
  }
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  if (node?.type !== 'TemplateLiteral') return null;
  const quasis = node.quasis as { value: { cooked: string } }[];
  return quasis.map(({ value }, at) => value.cooked + (at < quasis.length - 1 ? `{${at + 1}}` : '')).join('');
}

if (import.meta.main) {
  const [language] = process.argv.slice(2);
  const path = join(root, `src/platform/errors/${language}.json`);
  const known = new Set(language === undefined ? [] : Object.keys(JSON.parse(readFileSync(path, 'utf8')) as object));
  console.log(
    JSON.stringify(
      Object.fromEntries(
        listErrors()
          .filter((key) => !known.has(key))
          .map((key) => [key, key]),
      ),
      null,
      2,
    ),
  );
}
