/** The door of edits. */
export { exportEdits } from './export-edits.ts';
export { listShown, listUnsettled } from './store/edits.ts';
export { writeFor } from './write-for.ts';
