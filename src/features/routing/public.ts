/** The door of routing. */
export { exportRouting } from './export-routing.ts';
