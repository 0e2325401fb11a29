import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** The outcomes of both test runners, for the end of a log: the runners' own lists may be thousands of lines up. */

const root = join(import.meta.dirname, '..');

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export interface Outcome extends Counts {
  /** Each begins with one line: file, test, and the first line of the error. */
  failures: string[];
  /** Journeys that passed only at their second attempt, in the same form. */
  unsteady: string[];
  /** Seconds by file. */
  durations: Record<string, number>;
}

export const nothing: Outcome = { passed: 0, failed: 0, skipped: 0, failures: [], unsteady: [], durations: {} };

export interface VitestReport {
  numPassedTests: number;
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

/** `code` is the runner's exit code. A runner that crashed wrote no report. */
export function outcomeOfVitest(report: Partial<VitestReport>, code: number): Outcome {
  const files = report.testResults ?? [];
  const failures = files.flatMap(({ name, message, status, assertionResults }) => {
    const file = relative(root, name);
    const failed = assertionResults.filter((one) => one.status === 'failed');
    // A file that cannot be loaded, or whose hook failed, has no failed test.
    if (failed.length === 0) return status === 'failed' ? [entryOf(file, [message])] : [];
    return failed.map(({ fullName, failureMessages }) => entryOf(`${file} > ${fullName}`, failureMessages));
  });
  return withExitCode('vitest', code, {
    ...nothing,
    passed: report.numPassedTests ?? 0,
    failed: failures.length,
    skipped: (report.numPendingTests ?? 0) + (report.numTodoTests ?? 0),
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

export interface JourneyReport {
  suites: JourneySuite[];
  /** Outside of tests: a file that cannot be loaded, the setup of the run. */
  errors: { message: string; location?: { file: string } }[];
}

export function outcomeOfJourneys({ suites = [], errors = [] }: Partial<JourneyReport>, code: number): Outcome {
  const outcome: Outcome = { ...nothing, failures: [], unsteady: [], durations: {} };
  for (const { message, location } of errors) {
    outcome.failed += 1;
    const where = location === undefined ? 'Browser journeys' : relative(root, location.file);
    outcome.failures.push(entryOf(where, [message]));
  }
  for (const { file, title, test } of suites.flatMap(testsIn)) {
    const path = join('test/e2e', file);
    const [first] = test.results;
    outcome.durations[path] = (outcome.durations[path] ?? 0) + (test.results.at(-1)?.duration ?? 0) / 1000;
    if (test.status === 'skipped') outcome.skipped += 1;
    else if (test.status === 'unexpected') outcome.failed += 1;
    else outcome.passed += 1;
    const lists = { unexpected: outcome.failures, flaky: outcome.unsteady, expected: undefined, skipped: undefined };
    const trace = first?.attachments.find(({ name }) => name === 'trace')?.path;
    const messages = first?.errors.map(({ message }) => message) ?? [];
    lists[test.status]?.push(
      [
        entryOf(`${path} > ${title}`, messages),
        ...(trace === undefined ? [] : [`npx playwright show-trace ${relative(root, trace)}`]),
      ].join('\n'),
    );
  }
  return withExitCode('Playwright', code, outcome);
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

const longestLine = 300;
const mostLines = 12;

function entryOf(name: string, messages: readonly string[]): string {
  const lines = stripVTControlCharacters(messages.join('\n'))
    .trim()
    .split('\n')
    .filter((line) => !/^\s+at .*\/node_modules\//.test(line));
  const [first = '', ...others] = lines.slice(0, mostLines);
  return [`${name}: ${first}`.slice(0, longestLine), ...others].join('\n');
}

/** A runner that says "failed" without a failed test is a failure nevertheless. */
function withExitCode(runner: string, code: number, outcome: Outcome): Outcome {
  if (code === 0 || outcome.failed > 0) return outcome;
  const failure = `${runner} ended with code ${code}, and no test failed: its output above says why`;
  return { ...outcome, failed: 1, failures: [...outcome.failures, failure] };
}
