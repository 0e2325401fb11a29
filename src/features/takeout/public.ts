/** Public functions of takeout, for administrators who prepare an export for a user. */

export { createExport, getExport, getExportFile } from './takeout.ts';
