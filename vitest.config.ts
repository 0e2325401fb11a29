import { defineConfig } from 'vitest/config';

const webTests = ['src/{ui,web}/**/*.test.{ts,tsx}', 'src/features/*/{web,page}/**/*.test.{ts,tsx}'];

/** They start and kill real processes and look at the clock: after the others, and as many at once as mostly wait. */
const processTests = ['test/{crash-of-worker,crash-of-postgres,crash-shapes,processes,recovery}.test.ts'];

export default defineConfig({
  test: {
    // The pure ones start no database, so that a law can be run in half a second.
    projects: [
      {
        extends: true,
        test: { name: 'kernel', include: ['src/kernel/**/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['{src,scripts,test,bench}/**/*.test.ts'],
          exclude: ['src/kernel/**', 'test/e2e/**', 'test/servers/**', ...processTests, ...webTests],
          globalSetup: ['test/harness/global-setup.ts'],
          testTimeout: 20_000,
          hookTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: { name: 'web', include: webTests, environment: 'happy-dom' },
      },
      {
        extends: true,
        test: {
          name: 'processes',
          include: processTests,
          globalSetup: ['test/harness/global-setup.ts'],
          testTimeout: 20_000,
          hookTimeout: 30_000,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
    ],
    // A stylesheet is an empty module in tests, except those whose numbers are tested.
    css: { include: [/tokens\.css/, /event-card\.module\.css/] },
  },
});
