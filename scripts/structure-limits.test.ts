import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { scanComments } from './scan-comments.ts';
import { compareWithAllowed, describeAllowed, type Exceptions, measureStructure } from './structure-limits.ts';

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

/** The exceptions of a tree with these files, without the rules that have none. */
function measure(files: Record<string, string>): Exceptions {
  const root = mkdtempSync(join(tmpdir(), 'structure-'));
  roots.push(root);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return Object.fromEntries(
    Object.entries(measureStructure(root)).filter(([, places]) => Object.keys(places).length > 0),
  );
}

const lines = (count: number) => 'export const a = 1;\n'.repeat(count);
const filesNamed = (count: number, name: (index: number) => string, text = '') =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), text]));

describe('the limits of structure', () => {
  it('a folder may have 20 source files; tests and styles do not count', () => {
    const full = filesNamed(20, (index) => `src/kernel/a${index}.ts`);
    const beside = { 'src/kernel/a1.test.ts': '', 'src/kernel/a.css': '', 'src/kernel/below/a.ts': '' };
    expect(measure({ ...full, ...beside })).toEqual({});
    expect(measure({ ...full, 'src/kernel/b.ts': '' })).toEqual({ 'folder size': { 'src/kernel': 21 } });
  });

  it('a source file may have 350 lines; a test or a generated file more', () => {
    const long = `// Made from the migrations by a script.\n${lines(400)}`;
    expect(
      measure({ 'src/kernel/a.ts': lines(350), 'src/kernel/b.test.ts': lines(351), 'src/kernel/c.ts': long }),
    ).toEqual({});
    expect(measure({ 'src/kernel/a.ts': lines(351) })).toEqual({ 'file size': { 'src/kernel/a.ts': 351 } });
  });

  it('a public.ts may export 15 names, types and lists included', () => {
    const listed = "export {\n  a,\n  type B,\n} from './a.ts';\nexport type { C } from './c.ts';\n";
    const file = 'src/features/sync/public.ts';
    expect(measure({ [file]: listed + lines(12) })).toEqual({});
    expect(measure({ [file]: listed + lines(13) })).toEqual({ 'public exports': { [file]: 16 } });
  });

  it('a file of a feature is not called after its one function', () => {
    const verb = 'export async function cancelBooking() {}\n';
    expect(measure({ 'src/features/booking/cancel-booking.ts': verb })).toEqual({
      'file names': { 'src/features/booking/cancel-booking.ts': 1 },
    });
    expect(measure({ 'src/features/booking/show-page.ts': 'export const showPage = async () => {};\n' })).toEqual({
      'file names': { 'src/features/booking/show-page.ts': 1 },
    });
    const nouns = {
      'src/features/booking/bookings.ts': verb,
      'src/features/booking/pull.ts': 'export async function pull() {}\n',
      'src/features/booking/export-file.ts': 'export async function writeExportFile() {}\n',
      'src/features/booking/push-job.ts': 'export const pushJob = defineJob({});\n',
    };
    expect(measure(nouns)).toEqual({});
  });

  it('a folder of a feature may have four nouns beside its own and the closed list', () => {
    const closed = filesNamed(1, () => 'src/features/booking/booking.ts');
    for (const name of ['contract', 'events', 'feature', 'jobs', 'mail', 'public', 'routes', 'rules', 'store', 'views'])
      closed[`src/features/booking/${name}.ts`] = '';
    const nouns = (count: number) => filesNamed(count, (index) => `src/features/booking/noun${index}.ts`);
    const stores = filesNamed(9, (index) => `src/features/booking/store/rows${index}.ts`);
    expect(measure({ ...closed, ...nouns(4), ...stores })).toEqual({});
    expect(measure({ ...closed, ...nouns(5) })).toEqual({ 'file names': { 'src/features/booking': 5 } });
  });

  it('two files may not need each other, not even for types', () => {
    const files = {
      'src/kernel/a.ts': "import type { B } from './b.ts';\n",
      'src/kernel/b.ts': "import type { C } from '#kernel/c.ts';\n",
      'src/kernel/c.ts': "import type { A } from './a.ts';\n",
      'src/kernel/d.ts': "import type { A } from './a.ts';\n",
    };
    expect(measure(files)).toEqual({
      'type cycles': { 'src/kernel/a.ts': 1, 'src/kernel/b.ts': 1, 'src/kernel/c.ts': 1 },
    });
  });

  it('comments begin with their subject, in source and in tests', () => {
    expect(
      measure({
        'src/kernel/a.ts': '/** Whoever asks. */\nconst a = 1; // of a person\n/** Expired rows. */\n',
        'test/a.test.ts': '// What is left.\n// Of that, nothing.\n',
      }),
    ).toEqual({ 'comments that begin with a pronoun': { 'src/kernel/a.ts': 2, 'test/a.test.ts': 1 } });
  });

  it('the glossary defines a term once, whatever follows it in brackets', () => {
    const glossary =
      '| Word | Means |\n| --- | --- |\n| hold | x |\n| series, step | x |\n| series (of bookings) | x |\n';
    expect(measure({ 'docs/glossary.md': glossary })).toEqual({ 'glossary terms': { series: 2 } });
  });

  it('a module keeps no variable and no collection that begins empty', () => {
    const state = 'let turn = 0;\nexport const seen = new Map<string, number>();\nconst list: string[] = [];\n';
    const constants = "const most = 4;\nconst words = new Set(['a']);\nfunction f() {\n  let inner = 0;\n}\n";
    expect(measure({ 'src/kernel/a.ts': constants + state })).toEqual({ 'module state': { 'src/kernel/a.ts': 3 } });
  });
});

describe('the list of allowed exceptions', () => {
  const names = 'file names';
  const comments = 'comments that begin with a pronoun';

  it('covers what it names, up to its number', () => {
    const allowed = { [comments]: { 'src/a.ts': 2 } };
    expect(compareWithAllowed({ [comments]: { 'src/a.ts': 2 } }, allowed, null)).toEqual([]);
    expect(compareWithAllowed({ [comments]: { 'src/a.ts': 3 } }, allowed, null)).toEqual([
      'src/a.ts: 3 comments begin with a pronoun; begin with the subject (2 allowed)',
    ]);
    expect(compareWithAllowed({ [names]: { 'src/b.ts': 1 } }, allowed, null).join()).toMatch(/src\/b\.ts: 1 outside/);
  });

  it('loses the entries that nothing needs any more', () => {
    expect(compareWithAllowed({ [names]: {} }, { [names]: { 'src/gone.ts': 1 } }, null).join()).toMatch(
      /"src\/gone\.ts" needs no exception from "file names" any more/,
    );
  });

  it('may not grow against what is committed: by entries, or by the sum of comments', () => {
    const baseline = { [names]: { 'src/a.ts': 1 }, [comments]: { 'src/a.ts': 2, 'src/b.ts': 1 } };
    const moved = { [names]: { 'src/z.ts': 1 }, [comments]: { 'src/z.ts': 3 } };
    expect(compareWithAllowed(moved, moved, baseline)).toEqual([]);
    const grown = { [names]: { 'src/a.ts': 1, 'src/b.ts': 1 }, [comments]: { 'src/a.ts': 4 } };
    expect(compareWithAllowed(grown, grown, baseline)).toEqual([
      'scripts/allowed-structure.json: "file names" grew from 1 to 2 exceptions; it may only shrink',
      `scripts/allowed-structure.json: "${comments}" grew from 3 to 4 exceptions; it may only shrink`,
    ]);
  });

  it('prints its length', () => {
    expect(describeAllowed({ [names]: { 'src/a.ts': 1 }, [comments]: { 'src/a.ts': 4 } })).toBe(
      '5 exceptions (1 file names, 4 comments that begin with a pronoun)',
    );
  });
});

describe('the scanner of comments', () => {
  const firstWords = (source: string) => scanComments(source).map(({ firstWord }) => firstWord);

  it('finds docstrings, runs of lines, and comments behind code and in markup', () => {
    expect(firstWords('/** One. */\n/**\n * Two of\n * what.\n */\n// three\n// of\nconst a = 1; // four\n')).toEqual([
      'One',
      'Two',
      'three',
      'four',
    ]);
    expect(firstWords('  <p>\n    {/* Five */}\n  </p>\n')).toEqual(['Five']);
  });

  it('takes no address for a comment', () => {
    expect(firstWords("const url = 'https://example.org/what';\n")).toEqual([]);
  });
});
