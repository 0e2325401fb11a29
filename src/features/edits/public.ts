/** The door of edits. */
export { exportEdits } from './export-edits.ts';
