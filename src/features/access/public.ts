/** The door of access: what a person takes with them. */
export { exportAccess } from './export-access.ts';
