import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isReserved } from '../src/features/booking/rules/handle.ts';
import { startTestApp, type TestApp } from './harness/test-app.ts';

/** The first part of an address is the product's, or a person's handle: never both. */

const root = join(import.meta.dirname, '..');
let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ role: 'web' });
});
afterAll(() => server.close());

const firstOf = (path: string) => path.split('/')[1] ?? '';

test('whatever the server answers at is no handle', () => {
  const firsts = new Set(server.routes().map(({ url }) => firstOf(url)));
  expect(firsts.size).toBeGreaterThan(10);
  // a handle has three signs at least; none has a dot; what begins with a colon is where they are
  const open = [...firsts].filter((first) => first.length > 2 && !/^:|\./.test(first) && !isReserved(first));
  expect(open).toEqual([]);
});

test('whatever is a screen, a section or a file of the app is no handle', () => {
  const screens = globSync('src/features/*/web/screens.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/path: '(\/[^']*)'/g)].map(([, path = '']) => firstOf(path)),
  );
  const sections = [
    ...readFileSync(join(root, 'src/web/sections.ts'), 'utf8').matchAll(/(?:path|to|id|name): '\/?([a-z-]+)/g),
  ];
  const files = globSync('public/*', { cwd: root }).map((file) => firstOf(`/${file.split('/').at(-1)?.split('.')[0]}`));
  const names = [...screens, ...sections.map(([, name = '']) => name), ...files].filter((name) => name.length > 2);
  expect(names).toEqual(expect.arrayContaining(['calendar', 'integrations', 'mfa', 'dashboard']));
  expect(names.filter((name) => !isReserved(name))).toEqual([]);
});
