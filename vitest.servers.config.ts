import { defineConfig } from 'vitest/config';

/** `npm run test:servers`: suites against servers too large for every machine. */
export default defineConfig({
  test: {
    include: ['test/servers/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 90_000,
    fileParallelism: false,
    // says why a row was skipped
    reporters: ['verbose'],
  },
});
