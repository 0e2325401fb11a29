import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { LongestFirst } from './test/harness/longest-first.ts';

/** `npm test` runs all but the slow files, `npm run test:slow` those and every law with its full number of examples. */
const which = process.env.TEST_RUN;

const kernelFiles = ['src/kernel/**'];
const webFiles = ['src/ui/**', 'src/web/**', 'src/features/*/web/**', 'src/features/*/page/**'];
const slow = '**/*.slow.test.ts';
/** They start and kill real processes and look at the clock: after the others. */
const alone = ['test/{crash-shapes,processes,recovery}.slow.test.ts'];

/** The names of the test files below some folders that this run wants. */
const wanted = (folders: string[]) =>
  folders.map((folder) => `${folder}/*${which === 'slow' ? '.property' : ''}.test.{ts,tsx}`);
const except = ['**/node_modules/**', 'test/e2e/**', 'test/servers/**', slow];
const database = { globalSetup: ['test/harness/global-setup.ts'], testTimeout: 60_000, hookTimeout: 60_000 };

// The files of a project run one after another in a worker that has read the product once: reading it for each file was a third
// of the work. Each file with an app has a database of its own.
const projects: TestProjectConfiguration[] = [
  {
    extends: true,
    test: { name: 'slow', include: [slow], exclude: ['**/node_modules/**', ...alone], ...database },
  },
  {
    extends: true,
    test: {
      name: 'server',
      include: wanted(['src/**', 'scripts/**', 'test/**', 'bench/**']),
      exclude: [...except, ...kernelFiles, ...webFiles],
      setupFiles: ['test/harness/set-law-budget.ts'],
      ...database,
    },
  },
  {
    extends: true,
    test: {
      name: 'web',
      include: wanted(webFiles),
      exclude: except,
      environment: 'happy-dom',
      setupFiles: ['src/web/fresh-page.ts'],
      testTimeout: 60_000,
    },
  },
  {
    extends: true,
    test: {
      name: 'kernel',
      include: wanted(kernelFiles),
      exclude: except,
      setupFiles: ['test/harness/set-law-budget.ts'],
      testTimeout: 60_000,
    },
  },
  {
    extends: true,
    test: {
      name: 'processes',
      include: alone,
      ...database,
      isolate: true,
      sequence: { groupOrder: 1 },
    },
  },
];

export default defineConfig({
  test: {
    // Deadlines of what hangs, not measures of speed: beside other work a machine once took nine times as long.
    expect: { poll: { timeout: 30_000 } },
    // The end of a log has the first line of each error only.
    chaiConfig: { truncateThreshold: 250 },
    // They work four fifths of their time and wait the rest, for their databases and for what they killed.
    maxWorkers: 3,
    isolate: false,
    sequence: { sequencer: LongestFirst },
    projects: which === 'main' ? projects.slice(1, 4) : projects,
    // A stylesheet is an empty module in tests, except those whose numbers are tested.
    css: { include: [/tokens\.css/, /event-card\.module\.css/] },
  },
});
