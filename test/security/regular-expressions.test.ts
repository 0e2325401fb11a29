import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyse } from 'scslre';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const files = globSync('src/**/*.{ts,tsx}', { cwd: root }).filter((file) => !/\.test\.|^src\/emulators\//.test(file));

interface SyntaxNode {
  type: string;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';

function patternsOf(file: string): { source: string; flags: string }[] {
  const found: { source: string; flags: string }[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) visit(one);
    if (!isNode(node)) return;
    if (node.regex !== undefined && node.regex !== null) {
      const { pattern, flags } = node.regex as { pattern: string; flags: string };
      found.push({ source: pattern, flags });
    }
    for (const value of Object.values(node)) if (typeof value === 'object') visit(value);
  };
  visit(parseSync(file, readFileSync(join(root, file), 'utf8')).program.body);
  return found;
}

test('no input makes a regular expression take quadratic or exponential time', () => {
  const patterns = files.flatMap((file) => patternsOf(file).map((pattern) => ({ file, ...pattern })));
  expect(patterns.length).toBeGreaterThan(400);
  const slow = patterns.filter((pattern) => analyse(pattern).reports.length > 0);
  expect(slow.map(({ file, source, flags }) => `${file}: /${source}/${flags}`)).toEqual([]);
});

test('a regular expression that is quadratic is recognized', () => {
  for (const source of ['[).,]+$', '(?<=.)[/.,]+$', '(?:\\\\.|[^;\\\\])*(?:;|$)', '(a+)+$', '^#+(.+?) *#*$'])
    expect(analyse({ source, flags: '' }).reports).not.toEqual([]);
});
