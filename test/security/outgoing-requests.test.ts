import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/**
 * Row 27 of the security test plan: a request to an address that a person entered has one way out, `platform/fetch.ts`.
 * That code pins the resolved address, follows no redirect, and bounds size and time.
 */

const root = join(import.meta.dirname, '../..');
const sources = globSync('src/**/*.ts', { cwd: root })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !/\.test\.|\/(?:web|page)\/|^src\/(?:web|ui|emulators)\//.test(path));
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
const thatHave = (pattern: RegExp) => sources.filter((path) => pattern.test(textOf(path))).toSorted();

test('only two files of the server open connections over HTTP', () => {
  expect(thatHave(/^import (?!type\b).* from '(?:undici|node:https?|node:http2)';/m)).toEqual([
    'src/platform/api-fetch.ts',
    'src/platform/fetch.ts',
  ]);
});

test('the global fetch is called only by emulated services that this server started, and by clients that are given one', () => {
  expect(thatHave(/(?<![\w.])fetch\(|globalThis\.fetch\)/)).toEqual([
    'src/features/simulation/providers.ts',
    'src/features/simulation/stripe.ts',
    'src/kernel/contract-client.ts',
    // asks the port of this machine that is taken who has it
    'src/main.ts',
    'src/platform/oauth.ts',
  ]);
});

test('the fetch to private hosts of the operator is given to connected accounts only', () => {
  expect(thatHave(/app\.connectionFetch/)).toEqual(['src/features/connections/adapters.ts']);
});
