import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * `npm run release -- 1.2.3 [--dry-run] [--skip-checks]`: checks, changelog, version, what it is made of, commit and tag.
 * Pushes nothing. docs/release.md says more.
 */
const root = join(import.meta.dirname, '..');
const sbomFile = 'sbom.cdx.json';
const chartFile = 'ops/helm/holdfast/Chart.yaml';

/** Reason why a release cannot be made, in words for the maintainer. */
export class ReleaseError extends Error {}

/** Whether a version follows another. *Errors*: ReleaseError for what is no `major.minor.patch`. */
export function isHigher(version: string, than: string): boolean {
  const [next, last] = [version, than].map((text) => {
    if (!/^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.test(text))
      throw new ReleaseError(`${text} is no version like 1.2.3`);
    return text.split('.').map(Number);
  });
  const differs = [0, 1, 2].find((at) => next?.[at] !== last?.[at]);
  return differs !== undefined && (next?.[differs] ?? 0) > (last?.[differs] ?? 0);
}

/** Moves the entries under "Unreleased" to the version. *Errors*: ReleaseError without entries. */
export function cutChangelog(text: string, version: string, day: string): { text: string; section: string } {
  const [whole, section = ''] = /^## Unreleased\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(text) ?? [];
  if (whole === undefined || section.trim() === '')
    throw new ReleaseError('CHANGELOG.md has nothing under "Unreleased"');
  const heading = `## Unreleased\n\n## ${version} (${day})\n`;
  return { text: text.replace(whole, () => `${heading}${section}`), section: section.trim() };
}

/** Only the first `version` of a file is its own: those of packages follow. */
export function setVersion(text: string, version: string, count = 1): string {
  let left = count;
  return text.replace(/^( +"version": )"[^"]*"/gm, (line, key: string) => {
    left -= 1;
    return left < 0 ? line : `${key}"${version}"`;
  });
}

/** The chart and the images it installs have the version of the release. */
export function setChartVersion(text: string, version: string): string {
  return text.replace(/^(version|appVersion): .*$/gm, `$1: ${version}`);
}

interface Bom {
  serialNumber?: string;
  metadata: { timestamp?: string; tools?: unknown; component: { name: string } };
  components: { 'bom-ref': string; externalReferences?: unknown; properties?: { name: string }[] }[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

/**
 * The SBOM of the running product, the same for everybody who builds it from the same lockfile. Time, directory, tool
 * and download address are removed. npm's own --omit=dev drops packages that a development package needs as well, react
 * and zod among them.
 */
export function settleSbom(text: string, name: string): string {
  const { serialNumber: _, ...bom } = JSON.parse(text) as Bom;
  const { timestamp: _at, tools: _tools, ...metadata } = bom.metadata;
  const byName = (a: string, b: string) => (a < b ? -1 : Number(a > b));
  const isOfDevelopment = (one: Bom['components'][number]) =>
    one.properties?.some((property) => property.name === 'cdx:npm:package:development');
  const left = new Set(bom.components.filter(isOfDevelopment).map((one) => one['bom-ref']));
  const runs = (ref: string) => !left.has(ref);
  const settled = {
    ...bom,
    metadata: { ...metadata, component: { ...metadata.component, name } },
    components: bom.components
      .filter((one) => runs(one['bom-ref']))
      .map(({ externalReferences: _where, ...one }) => one)
      .sort((a, b) => byName(a['bom-ref'], b['bom-ref'])),
    dependencies: bom.dependencies
      .filter(({ ref }) => runs(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(runs).sort(byName) }))
      .sort((a, b) => byName(a.ref, b.ref)),
  };
  return `${JSON.stringify(settled, null, 2)}\n`;
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const write = (name: string, text: string) => writeFileSync(join(root, name), text);
const say = (line: string) => process.stdout.write(`${line}\n`);

function readSbom(name: string): string {
  const npm = execFileSync('npm', ['--version'], { cwd: root, encoding: 'utf8' }).trim();
  if (Number.parseInt(npm, 10) < 10)
    throw new ReleaseError(`A release needs npm 10 or newer for its SBOM; this is npm ${npm}`);
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
  const stdio = ['ignore', 'pipe', 'ignore'] as ('ignore' | 'pipe')[];
  return settleSbom(execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26, stdio }), name);
}

/** *Errors*: ReleaseError where this tree is nothing to release. */
function demandReady(version: string, last: string): void {
  if (!isHigher(version, last) && git('tag') !== '') throw new ReleaseError(`${version} does not follow ${last}`);
  const changed = git('status', '--porcelain');
  if (changed !== '') throw new ReleaseError(`The tree is not clean:\n${changed}`);
  const branch = git('branch', '--show-current');
  if (branch !== 'main') throw new ReleaseError(`A release is made on main, not on ${branch || 'no branch'}`);
  if (git('tag', '--list', `v${version}`) !== '') throw new ReleaseError(`There is a tag v${version} already`);
}

function runChecks(): void {
  const run = (...args: string[]) => execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  run('scripts/check.ts');
  run('node_modules/vitest/vitest.mjs', 'run');
  run('scripts/quickstart.ts');
}

function release(version: string, isDry: boolean, skipsChecks: boolean): void {
  const manifest = JSON.parse(read('package.json')) as { name: string; version: string };
  isHigher(version, manifest.version); // is one at all
  const problems: string[] = [];
  try {
    demandReady(version, manifest.version);
  } catch (error) {
    if (!(isDry && error instanceof ReleaseError)) throw error;
    problems.push(error.message);
  }
  const day = Temporal.Now.plainDateISO('UTC').toString();
  const { text: changelog, section } = cutChangelog(read('CHANGELOG.md'), version, day);
  if (!isDry && !skipsChecks) runChecks();
  const files = new Map([
    ['CHANGELOG.md', changelog],
    ['package.json', setVersion(read('package.json'), version)],
    ['package-lock.json', setVersion(read('package-lock.json'), version, 2)],
    [chartFile, setChartVersion(read(chartFile), version)],
  ]);
  if (isDry) {
    const { components } = JSON.parse(readSbom(manifest.name)) as Bom;
    say(
      `${manifest.version} would become ${version}, tagged v${version}. It would write ${[...files.keys()].join(', ')} and`,
    );
    say(
      `${sbomFile} (${components.length} packages), and put ${section.split('\n').length} lines under "${version} (${day})".`,
    );
    say('Checks, tests and the quickstart would run before. Nothing was written.');
    for (const problem of problems) say(`It could not be done now: ${problem}`);
    return;
  }
  for (const [name, text] of files) write(name, text);
  write(sbomFile, readSbom(manifest.name));
  git('add', '--', ...files.keys(), sbomFile);
  git('commit', '--quiet', '--message', `chore(release): ${version}`);
  git('tag', '--annotate', `v${version}`, '--cleanup=verbatim', '--message', `${version}\n\n${section}\n`);
  say(`${version} is committed and tagged. Look at it (git show v${version}), then: git push origin main v${version}`);
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false }, 'skip-checks': { type: 'boolean', default: false } },
  });
  try {
    const [version, ...more] = positionals;
    if (version === undefined || more.length > 0) throw new ReleaseError('Say which version: npm run release -- 1.2.3');
    release(version, values['dry-run'], values['skip-checks']);
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
