import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a directory and those above it. `mkdir` with `recursive` never ends below /proc, where a directory that exists
 * answers ENOENT to a new one in it.
 *
 * *Errors*: the one of the system.
 */
export async function makeDirectory(path: string, mode?: number): Promise<void> {
  try {
    await mkdir(path, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && !(await isDirectory(dirname(path)))) {
      await makeDirectory(dirname(path), mode);
      await makeDirectory(path, mode);
    } else if (!(await isDirectory(path))) throw error;
  }
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
