import { defineConfig } from 'vitest/config';

const webTests = ['src/{ui,web}/**/*.test.{ts,tsx}', 'src/features/*/{web,page}/**/*.test.{ts,tsx}'];

/** They start and kill real processes and look at the clock: after the others, one at a time. */
const processTests = ['test/{crash-shapes,processes,recovery}.test.ts'];
/** Those that mostly wait for what they killed, for minutes: first (a group goes by the names of its projects). */
const crashTests = ['test/crash-of-{worker,postgres,rotation}.test.ts'];

export default defineConfig({
  test: {
    // They work four fifths of their time and wait the rest, for their databases and for what they killed.
    maxWorkers: 3,
    // The pure ones start no database, so that a law can be run in half a second.
    projects: [
      {
        extends: true,
        test: { name: 'kernel', include: ['src/kernel/**/*.test.ts'], isolate: false, testTimeout: 20_000 },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['{src,scripts,test,bench}/**/*.test.ts'],
          exclude: ['src/kernel/**', 'test/e2e/**', 'test/servers/**', ...processTests, ...crashTests, ...webTests],
          globalSetup: ['test/harness/global-setup.ts'],
          // Each file has a product and a database of its own; reading the product anew for each was a third of the work.
          isolate: false,
          testTimeout: 20_000,
          hookTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'web',
          include: webTests,
          environment: 'happy-dom',
          setupFiles: ['src/web/patient-screens.ts'],
          testTimeout: 20_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'processes',
          include: processTests,
          globalSetup: ['test/harness/global-setup.ts'],
          testTimeout: 20_000,
          hookTimeout: 30_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: 'crashes', include: crashTests, globalSetup: ['test/harness/global-setup.ts'] },
      },
    ],
    // A stylesheet is an empty module in tests, except those whose numbers are tested.
    css: { include: [/tokens\.css/, /event-card\.module\.css/] },
  },
});
