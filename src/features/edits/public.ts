/** The door of edits. */
export { exportEdits } from './export-edits.ts';
export { listShown } from './store/edits.ts';
