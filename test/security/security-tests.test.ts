import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** docs/security-tests.md says which test stands for which attack: that it stays true. */

const root = join(import.meta.dirname, '../..');

interface Section {
  title: string;
  tests: { file: string; name: string }[];
  notYet: boolean;
}

async function readSections(): Promise<{ inputs: Section[]; advisories: Section[] }> {
  const text = await readFile(join(root, 'docs/security-tests.md'), 'utf8');
  const [, inputs = '', advisories = ''] = text.split(/^## .*$/m);
  return { inputs: sectionsOf(inputs), advisories: sectionsOf(advisories) };
}

function sectionsOf(text: string): Section[] {
  return text
    .split(/^### /m)
    .slice(1)
    .map((section) => ({
      title: section.split('\n', 1)[0] ?? '',
      tests: [...section.matchAll(/^- `([^`]+)`: (.+)$/gm)].map(([, file = '', name = '']) => ({ file, name })),
      notYet: /^- Not yet: \S/m.test(section),
    }));
}

const { inputs, advisories } = await readSections();

/** The rows of the plan about accounts, sessions, OAuth, cookies, other sites, uploads and mail. */
const rows = [15, 17, [20, 64], 66, 72, 73, [75, 80], 92, 94, 95].flatMap((one) =>
  typeof one === 'number'
    ? [one]
    : Array.from({ length: (one[1] ?? 0) - (one[0] ?? 0) + 1 }, (_, at) => (one[0] ?? 0) + at),
);

test('every row of the security test page has tests or says what is missing', () => {
  expect(inputs.map(({ title }) => Number.parseInt(title, 10))).toEqual(rows);
  for (const { title, tests, notYet } of inputs) expect(tests.length > 0 || notYet, title).toBe(true);
});

test('every advisory on the security test page has a test that is named after it', () => {
  expect(advisories.length).toBeGreaterThan(25);
  for (const { title, tests } of advisories) {
    expect(tests.length, title).toBeGreaterThan(0);
    for (const { name } of tests) expect(name).toContain(title);
  }
});

test('every test named on the security test page exists', async () => {
  const named = [...inputs, ...advisories].flatMap(({ tests }) => tests);
  expect(named.length).toBeGreaterThan(150);
  for (const { file, name } of named) {
    const text = await readFile(join(root, file), 'utf8').catch(() => '');
    const titles = [
      ...text.matchAll(
        /(?:\b(?:test|it|describe)(?:\.each\([^\n]*\))?|^\s*\]\)|^\s*\))\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gm,
      ),
    ];
    const isThere = titles.some(([, , title = '']) => title.includes(name)) || text.includes(`['${name}'`);
    expect(isThere, `${file}: ${name}`).toBe(true);
  }
});
