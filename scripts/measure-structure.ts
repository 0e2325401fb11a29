import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { scanComments } from './scan-comments.ts';
import { listSources, placeOf } from './source-tree.ts';
import { countPronouns } from './structure-limits.ts';

/** Prints the figures of ARCHITECTURE.md: `node scripts/measure-structure.ts [feature]`. */

const root = join(import.meta.dirname, '..');
const feature = process.argv[2];
const within = feature === undefined ? '' : `features/${feature}/`;
const inSource = listSources(join(root, 'src')).filter((file) => file.startsWith(within));
const sources = inSource.filter((file) => placeOf(file).zone !== 'test');
const texts = new Map(sources.map((file) => [file, readFileSync(join(root, 'src', file), 'utf8')]));

const folders = [...Map.groupBy(sources, (file) => posix.dirname(file))]
  .map(([folder, files]) => ({ folder, count: files.length }))
  .sort((one, other) => other.count - one.count);
const verbs = new Set<string>();
for (const [file, text] of texts) {
  if (!['server', 'store', 'door'].includes(placeOf(file).zone)) continue;
  for (const match of text.matchAll(/^export (?:async )?function\*? ([a-z]+)/gm)) verbs.add(match[1]!);
}
const commented = feature === undefined ? ['src', 'test', 'bench', 'scripts'] : [`src/${within}`];
let comments = 0;
let pronouns = 0;
for (const folder of commented)
  for (const file of listSources(join(root, folder))) {
    const text = readFileSync(join(root, folder, file), 'utf8');
    comments += scanComments(text).length;
    pronouns += countPronouns(text);
  }
const everything = readdirSync(join(root, 'src', within), { recursive: true, withFileTypes: true });
const lines = [...texts.values()].map((text) => text.split('\n').length - 1).sort((one, other) => one - other);
const percent = ((100 * pronouns) / Math.max(comments, 1)).toFixed(1);

console.log(`files of any kind              ${everything.filter((entry) => entry.isFile()).length}`);
console.log(`source files                   ${sources.length}`);
console.log(`lines of source                ${lines.reduce((sum, count) => sum + count, 0)}`);
console.log(`median and 90th percentile     ${lines.at(lines.length / 2)}, ${lines.at(lines.length * 0.9)} lines`);
console.log(`fullest folder                 ${folders[0]?.count} (${folders[0]?.folder})`);
console.log(`first verbs of server exports  ${verbs.size}`);
console.log(`comments                       ${comments}, ${pronouns} begin with a pronoun (${percent} %)`);
if (process.argv.includes('--verbs')) console.log([...verbs].sort().join(' '));
