import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

test('only the authentication modules create actors', async () => {
  const callers: string[] = [];
  let seen = 0;
  for await (const path of glob('{src,scripts}/**/*.{ts,tsx}', { cwd: root })) {
    if (/\.test\.tsx?$/.test(path)) continue;
    seen += 1;
    if ((await readFile(join(root, path), 'utf8')).includes('mintActor')) callers.push(path);
  }
  expect(seen).toBeGreaterThan(100);
  expect(callers.toSorted()).toEqual(['src/features/accounts/sessions/authentication.ts', 'src/platform/actor.ts']);
});
