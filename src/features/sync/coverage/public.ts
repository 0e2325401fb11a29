/** The door of coverage: which dates the block of a series includes. */
export { seriesCoverage } from './coverage.ts';
