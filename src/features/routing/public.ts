/** The door of routing. */
export { exportRouting } from './routing.ts';
