import { spawn } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { whyMissing } from '../test/harness/caldav-servers.ts';
import { chromiumInstallLine, findHeadlessChromium } from '../test/harness/chromium.ts';
import { durationsFile, readDurations } from '../test/harness/durations.ts';
import { isMainJourney } from '../test/harness/main-journeys.ts';
import {
  type Counts,
  type JourneyReport,
  nothing,
  type Outcome,
  outcomeOfJourneys,
  outcomeOfVitest,
  type VitestReport,
} from './test-outcomes.ts';

/**
 * `npm test` runs the checks, the tests that most changes can break, and the main journeys. `npm run test:slow` runs all other
 * tests, and every law with its full number of examples. Arguments choose the files whose paths contain them
 * (`npm test -- src/kernel`). `--record` stores how long each file took, which decides the order of later runs.
 */

const root = join(import.meta.dirname, '..');
const builtPage = join(root, 'dist/web/index.html');
const { values: flags, positionals } = parseArgs({
  options: { slow: { type: 'boolean', default: false }, record: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const wanted = positionals.map((part) => (isAbsolute(part) ? relative(root, part) : part.replace(/^\.\//, '')));
const isCi = process.env.CI === 'true';
const startedMs = performance.now();
const say = (line: string) => process.stdout.write(`${line}\n`);
const files = findFiles();
const scratch = await mkdtemp(join(tmpdir(), 'holdfast-report-'));
const selection: Record<string, string> = {
  TEST_RUN: flags.slow ? 'slow' : 'main',
  TEST_BUDGET: flags.slow ? 'full' : 'quick',
};

let running: ReturnType<typeof spawn> | undefined;
let stopped = false;
const stop = (signal: NodeJS.Signals) => {
  stopped = true;
  running?.kill(signal);
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal));
process.on('disconnect', () => stop('SIGTERM'));

function run(args: string[], environment: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    running = spawn(process.execPath, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...selection, ...environment },
    });
    running.on('error', reject);
    running.on('exit', (code) => resolve(code ?? 1));
  });
}

/** Checks and journeys need the browser bundle, and so do tests that serve it, measure it, or start the product as a process. */
async function buildBundle(): Promise<void> {
  const needsIt = (file: string) =>
    /spawn-holdfast|check-bundle|built-app/.test(readFileSync(join(root, file), 'utf8'));
  const isNeeded =
    wanted.length === 0 || files.journeys.length > 0 || !existsSync(builtPage) || files.unit.some(needsIt);
  const code = isNeeded ? await run(['scripts/bootstrap.mjs', 'build']) : 0;
  if (code !== 0) process.exit(code);
  if (isNeeded) selection.TEST_PAGES = join(root, 'dist/pages');
}

async function runChecks(): Promise<Outcome> {
  const code = await run(['scripts/check.ts']);
  return code === 0
    ? nothing
    : { ...nothing, failed: 1, failures: ['npm run check: the steps marked FAILED above say why'] };
}

async function runVitest(): Promise<Outcome> {
  if (files.unit.length === 0) return nothing;
  const report = join(scratch, 'vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const code = await run(['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...wanted]);
  return outcomeOfVitest((await readReport(report)) as Partial<VitestReport>, code);
}

async function runJourneys(): Promise<Outcome> {
  const { journeys } = files;
  if (journeys.length === 0) return nothing;
  const failed = (reason: string) => ({
    ...nothing,
    failed: journeys.length,
    failures: [`Browser journeys (${journeys.length} files): ${reason}`],
  });
  if (findHeadlessChromium() === undefined) {
    const reason = `there is no Chromium. Install it: ${chromiumInstallLine}`;
    if (isCi) return failed(reason);
    say(`Browser journeys (${journeys.length} files) skipped: ${reason}`);
    return { ...nothing, skipped: journeys.length };
  }
  say('\nBrowser journeys');
  for (const program of isCi ? [] : (['radicale', 'xandikos'] as const)) {
    const reason = whyMissing(program);
    if (reason !== null) say(`Journeys that need it are skipped: ${reason}`);
  }
  const report = join(scratch, 'playwright.json');
  const code = await run(['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json', ...journeys], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  });
  return outcomeOfJourneys((await readReport(report)) as Partial<JourneyReport>, code);
}

/** The files that this run has. Ends the process where an argument chooses none. */
function findFiles(): { unit: string[]; journeys: string[] } {
  const all = globSync(['{src,scripts,test,bench}/**/*.test.{ts,tsx}', 'test/e2e/**/*.e2e.ts'], {
    cwd: root,
    exclude: ['test/servers/**'],
  });
  const isJourney = (file: string) => file.endsWith('.e2e.ts');
  const isSlow = (file: string) => (isJourney(file) ? !isMainJourney(file) : file.endsWith('.slow.test.ts'));
  // Laws belong to both runs.
  const isHere = (file: string) => isSlow(file) === flags.slow || /\.property\.test\.tsx?$/.test(file);
  const here = all.filter(isHere);
  // vitest takes the number of a line too
  const matches = (part: string) => (file: string) => file.includes(part.replace(/:\d+$/, ''));
  const unknown = wanted.find((part) => !here.some(matches(part)));
  if (unknown !== undefined) {
    const other = flags.slow ? 'npm test' : 'npm run test:slow';
    const isElsewhere = all.some(matches(unknown));
    say(isElsewhere ? `${unknown} is part of ${other}` : `No test file has ${unknown} in its path`);
    process.exit(1);
  }
  const chosen = here.filter((file) => wanted.length === 0 || wanted.some((part) => matches(part)(file)));
  return { unit: chosen.filter((file) => !isJourney(file)), journeys: chosen.filter(isJourney) };
}

async function readReport(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8').catch(() => '{}'));
}

/** Files that were not part of this run keep their durations, unless they are gone. */
async function record(durations: Record<string, number>): Promise<void> {
  const all = Object.entries({ ...readDurations(), ...durations })
    .filter(([file]) => existsSync(join(root, file)))
    .map(([file, seconds]) => [file, Math.round(seconds * 10) / 10] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  await writeFile(durationsFile, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}

function sayLongest(durations: Record<string, number>): void {
  say('\nThe files that took longest, in seconds:');
  for (const [file, seconds] of Object.entries(durations)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 15))
    say(`${seconds.toFixed(0).padStart(5)}  ${file}`);
  const recorded = readDurations();
  const unrecorded = Object.keys(durations).filter((file) => recorded[file] === undefined);
  if (unrecorded.length > 0) say(`\nWithout a recorded duration, until --record: ${unrecorded.join(', ')}`);
}

await buildBundle();
const outcomes: Outcome[] = [];
for (const part of [...(flags.slow || wanted.length > 0 ? [] : [runChecks]), runVitest, runJourneys])
  if (!stopped) outcomes.push(await part());
await rm(scratch, { recursive: true, force: true });

const durations = Object.assign({}, ...outcomes.map((one) => one.durations)) as Record<string, number>;
if (flags.record) await record(durations);
if (wanted.length === 0) sayLongest(durations);
for (const failure of outcomes.flatMap(({ failures }) => failures)) say(`\nFailed: ${failure}`);
for (const journey of outcomes.flatMap(({ unsteady }) => unsteady)) say(`\nUnsteady, passed when retried: ${journey}`);

const sum = (key: keyof Counts) => outcomes.reduce((total, counts) => total + counts[key], 0);
say(`\nTests took ${Math.round((performance.now() - startedMs) / 1000)} s`);
say(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
process.exit(!stopped && sum('failed') === 0 && sum('passed') > 0 ? 0 : 1);
