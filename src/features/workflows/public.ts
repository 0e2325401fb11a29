/** The door of workflows. */
export { exportWorkflows } from './export-workflows.ts';
