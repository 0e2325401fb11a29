import fc from 'fast-check';

/** Laws try every fourth example in `npm test` (`quick`), and all of them in `npm run test:slow` (`full`). */
if (process.env.TEST_BUDGET === 'quick') fc.configureGlobal({ numRuns: 25 });
