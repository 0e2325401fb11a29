import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { checkArchitecture } from './check-architecture.ts';

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

/** A small, clean product: two features, of which `sync` lies below `accounts`. */
const CLEAN: Record<string, string> = {
  'migrations/0001_accounts.sql': 'create table accounts.users (id uuid);\ncreate view accounts.people as select 1;\n',
  'migrations/0002_sync.sql': 'create table sync.mirrors (id uuid);\n',
  'src/kernel/ids.ts': 'export type UserId = string;\n',
  'src/platform/db.ts': "import pg from 'pg';\nimport type { UserId } from '#kernel/ids.ts';\nexport const db = pg;\n",
  'src/features/accounts/contract.ts': "import * as z from 'zod/mini';\nexport const a = z;\n",
  'src/features/accounts/store.ts': "import { db } from '#platform/db.ts';\nexport const q = [db, 'accounts.users'];\n",
  'src/features/accounts/public.ts': "export { q } from './store.ts';\n",
  'src/features/accounts/feature.ts': "import './public.ts';\nexport const accounts = 1;\n",
  'src/features/sync/pull.ts':
    "import { q } from '#features/accounts/public.ts';\nexport function pull() {\n  return q;\n}\n",
  'src/features/sync/feature.ts': "import { pull } from './pull.ts';\nexport const sync = pull;\n",
  'src/features.ts':
    "import { accounts } from '#features/accounts/feature.ts';\nimport { sync } from '#features/sync/feature.ts';\n" +
    'export const features: readonly Feature[] = [\n  accounts, // first\n  sync,\n];\n',
};

function offencesWith(seeded: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'architecture-'));
  roots.push(root);
  for (const [file, text] of Object.entries({ ...CLEAN, ...seeded })) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return checkArchitecture(root).offences;
}

it('the architecture check accepts a clean tree and counts its files and imports', () => {
  expect(offencesWith({})).toEqual([]);
  const { files, imports } = checkArchitecture(roots[0]!);
  expect({ files, imports }).toEqual({ files: 9, imports: 10 });
});

it('the architecture check counts zero files in an empty tree', () => {
  const root = mkdtempSync(join(tmpdir(), 'architecture-'));
  roots.push(root);
  expect(checkArchitecture(root)).toEqual({ files: 0, imports: 0, offences: [] });
});

const seeded: [what: string, file: string, text: string, offence: RegExp][] = [
  [
    'kernel reaching for the platform',
    'src/kernel/x.ts',
    "import '#platform/db.ts';",
    /kernel may not import platform/,
  ],
  [
    'a screen that needs TLS',
    'src/features/sync/web/x.tsx',
    '// crypto.randomUUID\nconst id = crypto.randomUUID();',
    /x\.tsx:2 crypto\.randomUUID is not there without TLS/,
  ],
  ['node: in the kernel', 'src/kernel/x.ts', "import 'node:fs';", /node:fs: kernel also runs in the browser/],
  ['platform using a feature', 'src/platform/x.ts', "import '#features/sync/pull.ts';", /may not import sync's server/],
  [
    'a driver outside the stores',
    'src/features/sync/apply.ts',
    "import 'kysely';\nexport function apply() {}",
    /package kysely/,
  ],
  [
    'the component library outside ui/',
    'src/features/sync/web/a-page.tsx',
    "import '@mantine/core';",
    /@mantine\/core/,
  ],
  [
    'another feature by the back door',
    'src/features/sync/apply.ts',
    "import { q } from '#features/accounts/store.ts';\nexport function apply() {}",
    /sync's server may not import accounts's store/,
  ],
  [
    'a door of a feature below',
    'src/features/accounts/sign-in.ts',
    "import '#features/sync/public.ts';\nexport function signIn() {}",
    /does not exist/,
  ],
  [
    'another feature in the browser',
    'src/features/sync/web/a-page.tsx',
    "import '#features/accounts/web/b-page.tsx';",
    /does not exist/,
  ],
  [
    'platform in the browser',
    'src/features/sync/web/a-page.tsx',
    "import '#platform/db.ts';",
    /sync's web may not import platform/,
  ],
  ['a name that says nothing', 'src/kernel/string-utils.ts', '', /"utils" names nothing/],
  ['a folder that says nothing', 'src/kernel/common/a.ts', '', /"common" names nothing/],
  ['a stray file in src/', 'src/app.ts', '', /only main.ts and features.ts/],
  ['camel case', 'src/kernel/fooBar.ts', '', /kebab-case/],
  ['JSX on the server', 'src/platform/a.tsx', '', /Node does not run .tsx/],
  ['a relative path through a wall', 'src/platform/x.ts', "import '../kernel/ids.ts';", /crosses a wall/],
  ['the product importing test code', 'src/platform/x.ts', "import './x.test.ts';", /does not exist|is test code/],
  ['full zod', 'src/features/sync/contract.ts', "import * as z from 'zod';", /import zod\/mini/],
  ['a file that is not there', 'src/kernel/x.ts', "import './gone.ts';", /does not exist/],
  [
    'a dynamic import through a wall',
    'src/kernel/x.ts',
    "export const f = () => import('#platform/db.ts');",
    /kernel may not import platform/,
  ],
  [
    'an import over several lines',
    'src/kernel/x.ts',
    "import {\n  db,\n} from '#platform/db.ts';",
    /kernel may not import platform/,
  ],
  [
    'a database in a kernel test',
    'src/kernel/x.test.ts',
    "import '#platform/db.ts';",
    /kernel tests use the kernel alone/,
  ],
  [
    'a foreign table in SQL',
    'src/features/sync/store.ts',
    "export const a = 'select 1 from accounts.users';",
    /belongs to the store of "accounts"/,
  ],
  [
    'a foreign table in Kysely',
    'src/features/sync/store.ts',
    "export const a = (d) => d.selectFrom('accounts.users as u');",
    /belongs to the store/,
  ],
  [
    'own tables outside the store',
    'src/features/sync/pull.ts',
    "export function pull() {\n  return 'delete from only sync.mirrors';\n}",
    /:2 names the table sync.mirrors/,
  ],
  [
    'a feature nobody lists',
    'src/features/booking/feature.ts',
    'export const booking = 1;',
    /does not list the feature "booking"/,
  ],
];

it.each(seeded)('the architecture check refuses %s', (_, file, text, offence) => {
  expect(offencesWith({ [file]: text }).join('\n')).toMatch(offence);
});

it('the architecture check refuses the public.ts of a feature below', () => {
  const offences = offencesWith({
    'src/features/sync/public.ts': "export { pull } from './pull.ts';\n",
    'src/features/accounts/sign-in.ts':
      "import { pull } from '#features/sync/public.ts';\nexport const signIn = pull;\n",
  });
  expect(offences.join('\n')).toMatch(/"sync" is not above "accounts"/);
});

it('the architecture check refuses an import cycle and prints it', () => {
  const offences = offencesWith({
    'src/kernel/a.ts': "import './b.ts';\n",
    'src/kernel/b.ts': "import './c.ts';\n",
    'src/kernel/c.ts': "import './a.ts';\n",
  });
  expect(offences).toEqual([
    'src/kernel/a.ts:1 import cycle: kernel/a.ts -> kernel/b.ts -> kernel/c.ts -> kernel/a.ts',
  ]);
});

it('the architecture check allows two files to import types from each other', () => {
  const offences = offencesWith({
    'src/kernel/a.ts': "import type { B } from './b.ts';\nexport type A = B;\n",
    'src/kernel/b.ts': "import type { A } from './a.ts';\nexport type B = A;\n",
  });
  expect(offences).toEqual([]);
});

it('the architecture check allows a published view in SQL and a property named like a table', () => {
  const offences = offencesWith({
    'src/features/sync/store.ts': "export const a = 'select 1 from accounts.people';\n",
    'src/features/sync/pull.ts': 'export function pull(accounts) {\n  return accounts.users;\n}\n',
  });
  expect(offences).toEqual([]);
});
