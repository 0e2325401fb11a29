import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isReserved } from '../src/features/booking/rules/handle.ts';
import { startTestApp, type TestApp } from './harness/test-app.ts';

/**
 * The first segment of a path is either a route of the product or a person's handle. Routes that the installed app
 * opens exist.
 */

const root = join(import.meta.dirname, '..');
let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ role: 'web' });
});
afterAll(() => server.close());

const firstOf = (path: string) => path.split('/')[1] ?? '';
const listScreens = () =>
  globSync('src/features/*/web/screens.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/path: '(\/[^']*)'/g)].map(([, path = '']) => path),
  );

test('every first path segment of the server is a reserved handle', () => {
  const firsts = new Set(server.routes().map(({ url }) => firstOf(url)));
  expect(firsts.size).toBeGreaterThan(10);
  // a handle has three signs at least; none has a dot; what begins with a colon is where they are
  const open = [...firsts].filter((first) => first.length > 2 && !/^:|\./.test(first) && !isReserved(first));
  expect(open).toEqual([]);
});

test('every screen, section, and public file name is a reserved handle', () => {
  const screens = listScreens().map(firstOf);
  const sections = [
    ...readFileSync(join(root, 'src/web/sections.ts'), 'utf8').matchAll(/(?:path|to|id|name): '\/?([a-z-]+)/g),
  ];
  const files = globSync('public/*', { cwd: root }).map((file) => firstOf(`/${file.split('/').at(-1)?.split('.')[0]}`));
  const names = [...screens, ...sections.map(([, name = '']) => name), ...files].filter((name) => name.length > 2);
  expect(names).toEqual(expect.arrayContaining(['calendar', 'integrations', 'mfa', 'dashboard']));
  expect(names.filter((name) => !isReserved(name))).toEqual([]);
});

test('every link of the web app manifest leads to a screen', () => {
  const { start_url, shortcuts, share_target } = JSON.parse(
    readFileSync(join(root, 'public/manifest.webmanifest'), 'utf8'),
  ) as {
    start_url: string;
    shortcuts: { url: string }[];
    share_target: { action: string; enctype: string };
  };
  // Chromium warns without it.
  expect(share_target.enctype).toBe('application/x-www-form-urlencoded');
  const ways = [start_url, share_target.action, ...shortcuts.map(({ url }) => url)];
  expect(ways).toHaveLength(5);
  const screens = listScreens();
  expect(ways.filter((way) => !screens.includes(way.split('?')[0] ?? ''))).toEqual([]);
});
