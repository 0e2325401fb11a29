/** The door of workflows. */

export { confirmReader, findReader, type Reader, stopReader } from './store/reader-rows.ts';
export { exportWorkflows } from './workflows.ts';
