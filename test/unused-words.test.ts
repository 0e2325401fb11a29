import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

interface Words {
  [key: string]: string | Words;
}

const keysOf = (words: Words, before = ''): string[] =>
  Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'string' ? [before + key] : keysOf(value, `${before}${key}.`),
  );
const plain = (key: string) => key.replace(/_(?:zero|one|two|few|many|other)$/, '');

/** Catalogues whose words the server says, and where they are said: in the folder of their feature. */
const catalogues = [
  ...globSync('src/features/*/{mail.en,page/words/en}.json', { cwd: root }).map((file) => ({
    file,
    said: `${file.split('/').slice(0, 3).join('/')}/**/*.{ts,tsx}`,
  })),
  { file: 'src/platform/words/en.json', said: 'src/platform/*.ts' },
];

/** Returns the unused keys of a catalog. A key with a variable state (`booked.${state}`) counts for every state. */
function unsaid(keys: readonly string[], code: string): string[] {
  const families = [...code.matchAll(/`((?:[\w.-]|\$\{[^}`]+\})+)`/g)]
    .map(([, key = '']) => key.split(/\$\{[^}]+\}/))
    .filter((parts) => parts.length > 1 && parts.some((part) => /[a-z]/i.test(part)) && parts.join('').includes('.'))
    .map((parts) => new RegExp(`^${parts.map((part) => RegExp.escape(part)).join('[\\w-]+')}$`));
  return [...new Set(keys.map(plain))].filter(
    (key) => !code.includes(`'${key}'`) && !families.some((family) => family.test(key)),
  );
}

test.each(catalogues)('every text of $file is used in the code', ({ file, said }) => {
  const sources = globSync(said, { cwd: root }).filter((one) => !/\.test\.|\/web\//.test(one));
  const keys = keysOf(JSON.parse(read(file)) as Words);
  expect(keys.length).toBeGreaterThan(0);
  expect(unsaid(keys, sources.map(read).join('\n'))).toEqual([]);
});

test('the check for unused texts finds an unused text', () => {
  const keys = ['a.said', 'b.one.text', 'c.lost', 'd.count_one', 'd.count_other', 'b.one.lost'];
  const code = ["say('a.said')", 'say(`b.$', "{kind}.text`), say('d.count')"].join('');
  expect(unsaid(keys, code)).toEqual(['c.lost', 'b.one.lost']);
});
