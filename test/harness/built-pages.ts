import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, globSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');
const sources = [
  'src/features/*/{page,rules}/**/*.*',
  'src/features/{access,calendar}/web/**/*.*',
  'src/web/locales/en/calendar.json',
  'src/kernel/**/*.ts',
  'src/ui/*.*',
  'scripts/*.ts',
];

/**
 * The folder of the public pages as they are in the sources, built once for each state of them. A run that begins with a
 * build has them already.
 */
export async function builtPages(): Promise<string> {
  if (process.env.TEST_PAGES !== undefined) return process.env.TEST_PAGES;
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  for (const file of globSync(sources, { cwd: root }).sort()) hash.update(file).update(readFileSync(join(root, file)));
  const dir = join(root, 'node_modules/.cache/holdfast-pages', hash.digest('hex').slice(0, 16));
  if (existsSync(join(dir, 'pages.json'))) return dir;
  const fresh = `${dir}.${randomUUID()}`;
  // a process of its own: in a test React would be built for development
  const env = { ...process.env, NODE_ENV: '' };
  await promisify(execFile)(process.execPath, [join(root, 'scripts/build-pages.ts'), fresh], { env });
  try {
    renameSync(fresh, dir);
  } catch (error) {
    // another test file was faster
    if (!existsSync(join(dir, 'pages.json'))) throw error;
    rmSync(fresh, { recursive: true, force: true });
  }
  return dir;
}
