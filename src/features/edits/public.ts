/** The door of edits. */

export { writeFor } from './changes.ts';
export { exportEdits } from './edits.ts';
export { listShown, listUnsettled } from './store/edits.ts';
