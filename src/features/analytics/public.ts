/** The door of analytics: counting anew, and what is kept of a person. */
export { exportAnalytics } from './export-analytics.ts';
export { recountAll } from './recount-all.ts';
