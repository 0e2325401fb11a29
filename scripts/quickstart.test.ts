import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readStart } from './quickstart.ts';

const root = join(import.meta.dirname, '..');

test('the README has the two commands and four steps that `npm run quickstart` carries out', () => {
  const { commands, steps } = readStart(readFileSync(join(root, 'README.md'), 'utf8'));
  expect(commands).toEqual(['git clone <address of this repository> holdfast && cd holdfast', 'npm start']);
  expect(steps).toHaveLength(4);
});

test('the quickstart reads commands and steps only from the section "Start"', () => {
  const readme =
    '# X\n```sh\nrm x\n```\n## Start\nFirst.\n```sh\none\n\ntwo\n```\n1. **A**\n   b\n2. C\n\n## Test\n1. no\n';
  expect(readStart(readme)).toEqual({ commands: ['one', 'two'], steps: ['**A** b', 'C'] });
});
