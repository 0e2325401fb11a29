/** The door of takeout: an export that is prepared for somebody by whoever runs the install. */

export { openExport } from './open-export.ts';
export { prepareExport } from './prepare-export.ts';
export { showExport } from './show-export.ts';
