import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** `npm run new-feature reminders`: the files a feature starts with, and what is left to do by hand. */

const name = process.argv[2];
if (!name || !/^[a-z]+(?:-[a-z]+)*$/.test(name)) {
  console.error('Usage: npm run new-feature <name>, in kebab-case');
  process.exit(2);
}
const root = join(import.meta.dirname, '..');
const folder = join(root, 'src', 'features', name);
if (existsSync(folder)) {
  console.error(`src/features/${name} exists already`);
  process.exit(1);
}

const camel = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
const files: Record<string, string> = {
  'contract.ts': `/**
 * Owns:
 * Announces:
 * Never:
 */
import type { Contract } from '#kernel/contract.ts';

export const ${camel}Contract = {} satisfies Contract;
`,
  'feature.ts': `import type { Feature } from '#platform/feature.ts';

export const ${camel}: Feature = { name: '${name}' };
`,
};
mkdirSync(folder, { recursive: true });
for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
console.log(`Made src/features/${name}/${Object.keys(files).join(`, src/features/${name}/`)}

Next:
  1. src/features.ts: import and list ${camel} below the features it uses
  2. migrations/: the next number, create schema ${camel.toLowerCase()}, its tables
  3. web/screens.ts, and its line in src/web/screens.ts, if it has screens
  4. npm run check`);
