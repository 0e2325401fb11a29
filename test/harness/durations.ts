import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Seconds that each test file took, by its path from the root. `npm test -- --record` writes it. */
export const durationsFile = join(import.meta.dirname, '../durations.json');

export function readDurations(): Record<string, number> {
  return JSON.parse(readFileSync(durationsFile, 'utf8')) as Record<string, number>;
}
