import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const screens = ['src/{ui,web}/**/*.tsx', 'src/features/*/{web,page}/**/*.tsx'];

/** Names, addresses, units and signs, the same in every language. */
const names =
  /(?:https?|webcal):\/\/\S*|#\w+|Holdfast|Google|Microsoft|Outlook|iCloud|Apple|Zoho|CalDAV|Stripe|\b(?:UTC|px|min|ms|iCal|ics)\b/g;
const isSaid = (text: string) => /\p{L}{2}/u.test(text.replace(names, '').replace(/&\w+;/g, ''));
/** Attributes that people read or hear. */
const heard =
  /^(?:aria-(?:label|description|roledescription|valuetext|placeholder)|alt|title|label|placeholder|description|hint|heading|message)$/;

interface SyntaxNode {
  type: string;
  start: number;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';

function textOf(node: unknown): string {
  if (!isNode(node)) return '';
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : '';
  if (node.type === 'JSXText') return String(node.value);
  if (node.type === 'TemplateLiteral')
    return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join(' ');
  if (node.type === 'JSXExpressionContainer') return textOf(node.expression);
  if (node.type === 'ConditionalExpression') return `${textOf(node.consequent)} ${textOf(node.alternate)}`;
  if (node.type === 'LogicalExpression') return textOf(node.right);
  return '';
}

function saidIn(file: string): string[] {
  const found: string[] = [];
  const source = readFileSync(join(root, file), 'utf8');
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) visit(one);
    if (!isNode(node)) return;
    const isChild = node.type === 'JSXElement' || node.type === 'JSXFragment';
    const texts = isChild ? (node.children as unknown[]).map(textOf) : [];
    if (node.type === 'JSXAttribute' && heard.test(String((node.name as SyntaxNode).name)))
      texts.push(textOf(node.value));
    for (const text of texts.filter(isSaid)) found.push(`${file}: ${text.trim()}`);
    for (const value of Object.values(node)) if (typeof value === 'object') visit(value);
  };
  visit(parseSync(file, source).program.body);
  return found;
}

const files = globSync(screens, { cwd: root }).filter((file) => !file.includes('.test.'));

test('screens contain no text outside the catalogs', () => {
  expect(files.length).toBeGreaterThan(300);
  expect(files.flatMap(saidIn)).toEqual([]);
});

test('stylesheets contain no physical sides except measured ones', () => {
  const physical =
    /^\s*(?:left|right|(?:margin|padding|border)-(?:left|right)[\w-]*|border-(?:top|bottom)-(?:left|right)-radius)\s*:|\b(?:text-align|float)\s*:\s*(?:left|right)\b/;
  const sided = globSync('src/**/*.css', { cwd: root }).flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      // a place that was measured on the screen is where it is
      .filter((line) => physical.test(line) && !line.includes('/* measured'))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(sided).toEqual([]);
});
