import { spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { whyMissing } from '../test/harness/caldav-servers.ts';
import { chromiumInstallLine, findChromium } from '../test/harness/chromium.ts';

/**
 * `npm test`: everything that runs, and one closing line over all runners. With arguments (`npm test -- src/kernel`)
 * only the files whose paths contain them.
 */

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** What failed, by name: the runner's own account of it may be thousands of lines further up. */
const failures: string[] = [];

const root = join(import.meta.dirname, '..');
const wanted = process.argv.slice(2);
const isCi = process.env.CI === 'true';
const startedMs = performance.now();
const scratch = await mkdtemp(join(tmpdir(), 'holdfast-report-'));

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
      env: { ...process.env, ...environment },
    });
    running.on('error', reject);
    running.on('exit', (code) => resolve(code ?? 1));
  });
}

interface VitestReport {
  success: boolean;
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

async function runVitest(): Promise<Counts> {
  const report = join(scratch, 'vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  // What was asked for may be a journey.
  const few = wanted.length > 0 ? ['--passWithNoTests'] : [];
  const code = await run(['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...few, ...wanted]);
  const found = JSON.parse(await readFile(report, 'utf8').catch(() => '{}')) as Partial<VitestReport>;
  // A file that cannot even be loaded has no tests to fail.
  const broken = (found.testResults ?? []).filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  for (const { name, message } of broken) failures.push(`${relative(root, name)}\n${message}`);
  for (const { name, assertionResults } of found.testResults ?? []) {
    for (const { status, fullName, failureMessages } of assertionResults) {
      if (status !== 'failed') continue;
      const why = failureMessages.join('\n').split('\n').slice(0, 12).join('\n');
      failures.push(`${relative(root, name)} > ${fullName}\n${why}`);
    }
  }
  if (wanted.length === 0) tellSlowest(found.testResults ?? []);
  return withExitCode(code, {
    passed: found.numPassedTests ?? 0,
    failed: (found.numFailedTests ?? 0) + broken.length,
    skipped: (found.numPendingTests ?? 0) + (found.numTodoTests ?? 0),
  });
}

/** Where to look when the whole takes too long. */
function tellSlowest(files: VitestReport['testResults']): void {
  const took = files.map(({ name, startTime, endTime }) => ({
    name,
    seconds: Math.round((endTime - startTime) / 1000),
  }));
  say('\nThe files that took longest, in seconds:');
  for (const { name, seconds } of took.sort((a, b) => b.seconds - a.seconds).slice(0, 25))
    say(`${String(seconds).padStart(5)}  ${relative(root, name)}`);
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
}

async function runJourneys(): Promise<Counts> {
  const files = globSync('test/e2e/**/*.e2e.ts', { cwd: root }).filter(
    (file) => wanted.length === 0 || wanted.some((part) => file.includes(part)),
  );
  if (files.length === 0) return { passed: 0, failed: 0, skipped: 0 };
  if (findChromium() === undefined) {
    say(
      `Browser journeys (${files.length} files) ${isCi ? 'FAILED' : 'skipped'}: there is no Chromium. Install it: ${chromiumInstallLine}`,
    );
    return isCi ? { passed: 0, failed: files.length, skipped: 0 } : { passed: 0, failed: 0, skipped: files.length };
  }
  if (!existsSync(join(root, 'dist/web/index.html'))) {
    say('Browser journeys FAILED: there is no browser bundle, run them through `npm test`');
    return { passed: 0, failed: files.length, skipped: 0 };
  }
  say('\nBrowser journeys');
  for (const program of isCi ? [] : (['radicale', 'xandikos'] as const)) {
    const reason = whyMissing(program);
    if (reason !== null) say(`Those that need it are skipped: ${reason}`);
  }
  const report = join(scratch, 'playwright.json');
  const code = await run(['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json', ...files], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  });
  const found = JSON.parse(await readFile(report, 'utf8').catch(() => '{}')) as Partial<PlaywrightReport>;
  const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = found.stats ?? {};
  return withExitCode(code, { passed: expected, failed: unexpected + flaky, skipped });
}

/** A runner that says "failed" without a failed test is a failure nevertheless. */
function withExitCode(code: number, counts: Counts): Counts {
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

const results = [await runVitest()];
if (!stopped) results.push(await runJourneys());
await rm(scratch, { recursive: true, force: true });

const sum = (key: keyof Counts) => results.reduce((total, counts) => total + counts[key], 0);
const ok = !stopped && sum('failed') === 0 && sum('passed') > 0;
for (const failure of failures) say(`\nFailed before the journeys: ${failure}`);
say(`\nTests took ${Math.round((performance.now() - startedMs) / 1000)} s`);
say(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
process.exit(ok ? 0 : 1);
