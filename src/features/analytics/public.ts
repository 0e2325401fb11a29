/** The door of analytics: counting anew, and what is kept of a person. */
export { exportAnalytics } from './analytics.ts';
export { recountAll } from './sums.ts';
