import { join } from 'node:path';

/** The folder of the browser app. `npm test` brings it up to date before a file that imports this. */
export const builtApp = join(import.meta.dirname, '../../dist/web');
