import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { builtPages } from '../test/harness/built-pages.ts';
import { checkBundle, checkPages } from './check-bundle.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A build whose sign-in page weighs so many KB even after gzip. */
function build(signInKb: number): string {
  const dist = mkdtempSync(join(tmpdir(), 'holdfast-bundle-'));
  folders.push(dist);
  mkdirSync(join(dist, '.vite'));
  const manifest: Record<string, { file: string; imports?: string[] }> = {
    'index.html': { file: 'index.js' },
    'app.tsx': { file: 'app.js' },
    'locales/en.ts': { file: 'shell.js' },
    'locales/en/accounts.json': { file: 'words.js' },
    'shared.ts': { file: 'shared.js' },
    '../features/accounts/web/sign-in-page.tsx': { file: 'sign-in.js', imports: ['shared.ts'] },
  };
  for (const { file } of Object.values(manifest)) writeFileSync(join(dist, file), '');
  writeFileSync(join(dist, 'shared.js'), randomBytes(signInKb * 1024));
  writeFileSync(join(dist, '.vite', 'manifest.json'), JSON.stringify(manifest));
  return dist;
}

test('a route within its budget passes, with its imports counted', () => {
  const { ok, lines } = checkBundle(build(40));
  expect(ok).toBe(true);
  expect(lines.join()).toMatch(/sign-in: route JS 40\.\d\/61 KB/);
});

test('a route over its budget fails and is named', () => {
  const { ok, lines } = checkBundle(build(70));
  expect(ok).toBe(false);
  expect(lines.join()).toContain('sign-in: route JS 70');
  expect(lines.join()).toContain('OVER');
});

test('a build without screens fails the bundle check', () => {
  const dist = build(1);
  writeFileSync(join(dist, '.vite', 'manifest.json'), '{}');
  expect(checkBundle(dist).ok).toBe(false);
});

test('the built bundle stays within its budgets', () => {
  const { ok, lines } = checkBundle(join(import.meta.dirname, '..', 'dist', 'web'));
  expect(ok, lines.join('\n')).toBe(true);
});

// builds them where no test has
test('the server-rendered pages stay within their budgets, auth pages included', {
  timeout: 120_000,
}, async () => {
  const { ok, lines } = checkPages(await builtPages());
  expect(ok, lines.join('\n')).toBe(true);
  expect(lines.join('\n')).toMatch(/^entrance: JS \d/m);
});
