import { spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { whyMissing } from '../test/harness/caldav-servers.ts';
import { chromiumInstallLine, findChromium } from '../test/harness/chromium.ts';
import { durationsFile, readDurations } from '../test/harness/durations.ts';
import { isMainJourney } from '../test/harness/main-journeys.ts';

/**
 * `npm test` runs the checks, the tests that most changes can break, and the main journeys. `npm run test:slow` runs all other
 * tests, and every law with its full number of examples. Arguments choose the files whose paths contain them
 * (`npm test -- src/kernel`). `--record` stores how long each file took, which decides the order of later runs.
 */

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

interface Outcome extends Counts {
  /** Failures by name: the runner's own report may be thousands of lines further up. */
  failures: string[];
  /** Journeys that passed only at their second attempt. */
  unsteady: string[];
  /** Seconds by file. */
  durations: Record<string, number>;
}

const root = join(import.meta.dirname, '..');
const { values: flags, positionals: wanted } = parseArgs({
  options: { slow: { type: 'boolean', default: false }, record: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const isCi = process.env.CI === 'true';
const startedMs = performance.now();
const scratch = await mkdtemp(join(tmpdir(), 'holdfast-report-'));
const selection = {
  TEST_RUN: flags.slow ? 'slow' : 'main',
  TEST_BUDGET: flags.slow ? 'full' : 'quick',
};

const say = (line: string) => process.stdout.write(`${line}\n`);

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

const nothing: Outcome = { passed: 0, failed: 0, skipped: 0, failures: [], unsteady: [], durations: {} };

async function runChecks(): Promise<Outcome> {
  const code = await run(['scripts/check.ts']);
  return code === 0 ? nothing : { ...nothing, failed: 1, failures: ['npm run check'] };
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    startTime: number;
    endTime: number;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

async function runVitest(): Promise<Outcome> {
  const report = join(scratch, 'vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  // The arguments may name journeys only.
  const few = wanted.length > 0 ? ['--passWithNoTests'] : [];
  const code = await run(['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...few, ...wanted]);
  const found = (await readReport(report)) as Partial<VitestReport>;
  const files = found.testResults ?? [];
  const failures: string[] = [];
  for (const { name, message, status, assertionResults } of files) {
    // A file that cannot be loaded has no tests to fail.
    if (status === 'failed' && assertionResults.length === 0) failures.push(`${relative(root, name)}\n${message}`);
    for (const { fullName, failureMessages } of assertionResults.filter((one) => one.status === 'failed'))
      failures.push(`${relative(root, name)} > ${fullName}\n${firstLines(failureMessages.join('\n'))}`);
  }
  return withExitCode(code, {
    ...nothing,
    passed: found.numPassedTests ?? 0,
    failed: failures.length,
    skipped: (found.numPendingTests ?? 0) + (found.numTodoTests ?? 0),
    failures,
    durations: Object.fromEntries(
      files.map(({ name, startTime, endTime }) => [relative(root, name), (endTime - startTime) / 1000]),
    ),
  });
}

interface JourneySuite {
  file: string;
  specs?: { title: string; tests: JourneyTest[] }[];
  suites?: JourneySuite[];
}

interface JourneyTest {
  status: 'expected' | 'unexpected' | 'flaky' | 'skipped';
  results: {
    duration: number;
    errors: { message: string }[];
    attachments: { name: string; path?: string }[];
  }[];
}

async function runJourneys(): Promise<Outcome> {
  const files = globSync('test/e2e/**/*.e2e.ts', { cwd: root })
    .filter((file) => isMainJourney(file) !== flags.slow)
    .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)));
  if (files.length === 0) return nothing;
  if (findChromium() === undefined) {
    say(
      `Browser journeys (${files.length} files) ${isCi ? 'FAILED' : 'skipped'}: there is no Chromium. Install it: ${chromiumInstallLine}`,
    );
    return isCi ? { ...nothing, failed: files.length } : { ...nothing, skipped: files.length };
  }
  if (!existsSync(join(root, 'dist/web/index.html'))) {
    say('Browser journeys FAILED: there is no browser bundle, run them through `npm test`');
    return { ...nothing, failed: files.length };
  }
  say('\nBrowser journeys');
  for (const program of isCi ? [] : (['radicale', 'xandikos'] as const)) {
    const reason = whyMissing(program);
    if (reason !== null) say(`Journeys that need it are skipped: ${reason}`);
  }
  const report = join(scratch, 'playwright.json');
  const code = await run(['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json', ...files], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  });
  const { suites = [] } = (await readReport(report)) as { suites?: JourneySuite[] };
  const outcome: Outcome = { ...nothing, failures: [], unsteady: [], durations: {} };
  for (const { file, title, test } of suites.flatMap(testsIn)) {
    const path = join('test/e2e', file);
    const [first] = test.results;
    outcome.durations[path] = (outcome.durations[path] ?? 0) + (test.results.at(-1)?.duration ?? 0) / 1000;
    if (test.status === 'skipped') outcome.skipped += 1;
    else if (test.status === 'unexpected') outcome.failed += 1;
    else outcome.passed += 1;
    const lists = { unexpected: outcome.failures, flaky: outcome.unsteady, expected: undefined, skipped: undefined };
    const trace = first?.attachments.find(({ name }) => name === 'trace')?.path;
    lists[test.status]?.push(
      [
        `${path} > ${title}`,
        firstLines(first?.errors.map(({ message }) => message).join('\n') ?? ''),
        ...(trace === undefined ? [] : [`npx playwright show-trace ${relative(root, trace)}`]),
      ].join('\n'),
    );
  }
  return withExitCode(code, outcome);
}

function testsIn({
  file,
  specs = [],
  suites = [],
}: JourneySuite): { file: string; title: string; test: JourneyTest }[] {
  return [
    ...specs.flatMap(({ title, tests }) => tests.map((test) => ({ file, title, test }))),
    ...suites.flatMap(testsIn),
  ];
}

async function readReport(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8').catch(() => '{}'));
}

const firstLines = (text: string) => text.split('\n').slice(0, 12).join('\n');

/** A runner that says "failed" without a failed test is a failure nevertheless. */
function withExitCode(code: number, outcome: Outcome): Outcome {
  return code !== 0 && outcome.failed === 0 ? { ...outcome, failed: 1 } : outcome;
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
}

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
if (!stopped && sum('passed') + sum('failed') + sum('skipped') === 0)
  say(
    `No test of this run has a path with ${wanted.join(' or ')}; try ${flags.slow ? 'npm test' : 'npm run test:slow'}`,
  );
say(`\nTests took ${Math.round((performance.now() - startedMs) / 1000)} s`);
say(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
process.exit(!stopped && sum('failed') === 0 && sum('passed') > 0 ? 0 : 1);
