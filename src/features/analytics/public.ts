/** The door of analytics: recounts, and the data of a person. */
export { exportAnalytics } from './analytics.ts';
export { recountAll } from './sums.ts';
