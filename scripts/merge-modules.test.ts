import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { Merger } from './merge-modules.ts';

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

const TREE: Record<string, string> = {
  'src/features/sync/show-pair.ts':
    "import type { UserId } from '#kernel/ids.ts';\nimport { toView } from './view-pair.ts';\nimport { find } from './store/pairs.ts';\n\n" +
    '/** The pair of a user. */\nexport const showPair = (id: UserId) => toView(find(id));\n',
  'src/features/sync/view-pair.ts':
    "import { type PairId, type UserId } from '#kernel/ids.ts';\n\nexport const toView = (pair: PairId) => pair as UserId;\n",
  'src/features/sync/view-pair.test.ts': "import { toView } from './view-pair.ts';\ntoView('a');\n",
  'src/features/sync/store/pairs.ts': 'export const find = (id: string) => id;\n',
  'src/features/sync/public.ts': "export { showPair } from './show-pair.ts';\n",
  'test/pairs.test.ts': "import { showPair } from '#features/sync/show-pair.ts';\nshowPair('a');\n",
};

function treeWith(files: Record<string, string> = {}): { root: string; merger: Merger; read(file: string): string } {
  const root = mkdtempSync(join(tmpdir(), 'merge-'));
  roots.push(root);
  for (const [file, text] of Object.entries({ ...TREE, ...files })) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return { root, merger: new Merger(root), read: (file) => readFileSync(join(root, file), 'utf8') };
}

const both = ['src/features/sync/show-pair.ts', 'src/features/sync/view-pair.ts'];

it('two modules become one: imports are united, the importers follow, and only wanted names stay exported', () => {
  const { root, merger, read } = treeWith();
  merger.merge('src/features/sync/pairs.ts', both);
  expect(read('src/features/sync/pairs.ts')).toBe(
    "import type { UserId, PairId } from '#kernel/ids.ts';\nimport { find } from './store/pairs.ts';\n\n" +
      '/** The pair of a user. */\nexport const showPair = (id: UserId) => toView(find(id));\n\n' +
      'export const toView = (pair: PairId) => pair as UserId;\n',
  );
  expect(read('src/features/sync/public.ts')).toBe("export { showPair } from './pairs.ts';\n");
  expect(read('test/pairs.test.ts')).toContain("from '#features/sync/pairs.ts'");
  expect(read('src/features/sync/pairs.test.ts')).toContain("from './pairs.ts'");
  expect(both.filter((file) => existsSync(join(root, file)))).toEqual([]);
});

it('a name that no other file imports loses its export', () => {
  const { merger, read } = treeWith({ 'src/features/sync/view-pair.test.ts': '' });
  merger.merge('src/features/sync/pairs.ts', both);
  expect(read('src/features/sync/pairs.ts')).toContain('\n\nconst toView =');
});

it('a module that moves to another folder finds its imports again', () => {
  const { merger, read } = treeWith();
  merger.merge('src/features/sync/pairs/store.ts', ['src/features/sync/store/pairs.ts']);
  expect(read('src/features/sync/show-pair.ts')).toContain("import { find } from './pairs/store.ts';");
});

it('a constant comes before the module that reads it while it loads', () => {
  const { merger, read } = treeWith({
    [both[0]!]: "import { most } from './view-pair.ts';\n\nexport const limits = { most };\n",
    [both[1]!]: 'export const most = 3;\n',
  });
  merger.merge('src/features/sync/pairs.ts', both);
  expect(read('src/features/sync/pairs.ts')).toMatch(/most = 3;\n\n.*limits/);
});

it('two declarations of one name are refused before anything changes', () => {
  const { merger, read } = treeWith({ [both[1]!]: 'const find = 1;\nexport const toView = () => find;\n' });
  expect(() => merger.merge('src/features/sync/pairs.ts', both)).toThrow(/find is declared/);
  expect(read('src/features/sync/public.ts')).toBe(TREE['src/features/sync/public.ts']);
});

it('a screen moves with its style, and both ends of each import follow', () => {
  const { merger, read } = treeWith({
    'src/features/sync/web/pair-row.tsx':
      "import styles from './pair-row.module.css';\nimport { find } from '../store/pairs.ts';\n",
    'src/features/sync/web/pair-row.module.css': '.row {}\n',
    'src/features/sync/web/page.tsx': "import { PairRow } from './pair-row.tsx';\n",
  });
  const files = ['pair-row.tsx', 'pair-row.module.css'].map((name) => `src/features/sync/web/${name}`);
  merger.move('src/features/sync/web/pairs', files);
  expect(read('src/features/sync/web/pairs/pair-row.tsx')).toBe(
    "import styles from './pair-row.module.css';\nimport { find } from '../../store/pairs.ts';\n",
  );
  expect(read('src/features/sync/web/page.tsx')).toContain("from './pairs/pair-row.tsx'");
});

it('a renamed function is renamed where it is used, but no property or key of that name', () => {
  const { merger, read } = treeWith({ 'src/kernel/a.ts': 'api.showPair({ showPair: showPair });\n' });
  merger.rename(new Map([['showPair', 'getPair']]));
  expect(read('src/kernel/a.ts')).toBe('api.showPair({ showPair: getPair });\n');
  expect(read('src/features/sync/public.ts')).toBe("export { getPair } from './show-pair.ts';\n");
  expect(() => merger.rename(new Map([['getPair', 'find']]))).toThrow(/declares find already/);
});
