import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import en from '../page/words/en.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');
const sources = globSync('{page,visit,rules}/**/*.{ts,tsx}', { cwd: root })
  .filter((file) => !file.includes('.test.'))
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n');

const plain = (key: string) => key.replace(/_(?:one|other)$/, '');

test('every text of the public pages is used', () => {
  // `booked.${state}` and the like name many
  const patterns = [...sources.matchAll(/`([a-z]+\.[^`$]*)\$\{[^}]+\}([^`$]*)`/g)].map(
    ([, before = '', after = '']) => new RegExp(`^${before.replaceAll('.', '\\.')}[\\w-]+${after}$`),
  );
  const unsaid = Object.keys(en)
    .map(plain)
    .filter((key) => !sources.includes(`'${key}'`) && !patterns.some((pattern) => pattern.test(key)));
  expect(unsaid).toEqual([]);
});

test('every text that the public pages use exists', () => {
  const keys = new Set(Object.keys(en).map(plain));
  const said = [...sources.matchAll(/(?:\bsay\(|words, |key: )'([a-z][\w.-]*)'/g)].map(([, key = '']) => key);
  expect(said.length).toBeGreaterThan(40);
  expect(said.filter((key) => !keys.has(key))).toEqual([]);
});
