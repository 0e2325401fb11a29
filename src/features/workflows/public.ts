/** The door of workflows. */
export { exportWorkflows } from './export-workflows.ts';
export { confirmReader, findReader, type Reader, stopReader } from './store/reader-rows.ts';
