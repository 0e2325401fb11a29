/** The door of holds. */
export { exportHolds } from './export-holds.ts';
