import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from '#platform/app.ts';

export type OperatorText = 'privacy' | 'terms' | 'security' | 'claim';

/** Nobody reads more of it. */
const mostChars = 200_000;

/** What the operator has written in `DATA_DIR/site/<name>.md`; null where they have not. Read anew each time: it is small. */
export async function readOperatorText({ dataDir }: Pick<App['config'], 'dataDir'>, name: OperatorText) {
  try {
    const text = await readFile(join(dataDir, 'site', `${name}.md`), 'utf8');
    return text.trim() === '' ? null : text.slice(0, mostChars);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
