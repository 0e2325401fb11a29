import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { outcomeOfJourneys, outcomeOfVitest } from './test-outcomes.ts';

const root = join(import.meta.dirname, '..');

it.each([
  [['nowhere'], 'No test file has nowhere in its path\n'],
  [['src/kernel', './no/where.test.ts'], 'No test file has no/where.test.ts in its path\n'],
  [['test/recovery.slow'], 'test/recovery.slow is part of npm run test:slow\n'],
  [
    ['--slow', join(root, 'src/features/booking/lock.ts')],
    'No test file has src/features/booking/lock.ts in its path\n',
  ],
  [['--slow', 'offline.e2e'], 'offline.e2e is part of npm test\n'],
])('a test run of %j fails with one sentence', (args, sentence) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts/test.ts'), ...args], {
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: sentence, stderr: '' });
});

const assertion = (status: string, fullName: string, ...failureMessages: string[]) => ({
  status,
  fullName,
  failureMessages,
});
const file = (name: string, status: string, message: string, ...assertionResults: ReturnType<typeof assertion>[]) => ({
  name: join(root, name),
  status,
  message,
  startTime: 1_000,
  endTime: 3_500,
  assertionResults,
});
const firstLine = (entry: string) => entry.split('\n')[0];

it('the stack of a failure has the lines of the product and its tests, and none of the runner', () => {
  const stack = 'Error: late\n    at run (file:///p/node_modules/vitest/dist/run.js:1:2)\n    at /p/src/a.test.ts:3:4';
  const report = { testResults: [file('src/a.test.ts', 'failed', '', assertion('failed', 'one', stack))] };
  expect(outcomeOfVitest(report, 1).failures).toEqual([
    'src/a.test.ts > one: Error: late\n    at /p/src/a.test.ts:3:4',
  ]);
});

it('a failed test, a file that cannot be loaded, and a failed hook are each named in one line with their error', () => {
  const outcome = outcomeOfVitest(
    {
      numPassedTests: 1,
      numPendingTests: 1,
      numTodoTests: 0,
      testResults: [
        file(
          'src/a.test.ts',
          'failed',
          '',
          assertion('passed', 'one'),
          assertion('failed', 'a moved booking keeps its link', '\u001b[31mError: expected 1\u001b[39m\n    at x.ts:1'),
        ),
        file('src/b.test.ts', 'failed', 'SyntaxError: Unexpected token\n  at b'),
        file('src/c.test.ts', 'failed', 'Error: no database', assertion('skipped', 'three')),
      ],
    },
    1,
  );
  expect(outcome).toMatchObject({ passed: 1, failed: 3, skipped: 1 });
  expect(outcome.failures.map(firstLine)).toEqual([
    'src/a.test.ts > a moved booking keeps its link: Error: expected 1',
    'src/b.test.ts: SyntaxError: Unexpected token',
    'src/c.test.ts: Error: no database',
  ]);
  expect(outcome.durations['src/b.test.ts']).toBe(2.5);
});

it('a runner that fails without a failed test is named', () => {
  for (const outcome of [outcomeOfVitest({}, 134), outcomeOfJourneys({}, 134)]) {
    expect(outcome.failed).toBe(1);
    expect(outcome.failures).toEqual([expect.stringContaining('ended with code 134')]);
  }
  expect(outcomeOfVitest({}, 0).failures).toEqual([]);
});

it('a failed journey, an unsteady one, and a setup that failed are each named in one line with their error', () => {
  const result = (message?: string) => ({
    duration: 2_000,
    errors: message === undefined ? [] : [{ message }],
    attachments: message === undefined ? [] : [{ name: 'trace', path: join(root, 'test-results/x/trace.zip') }],
  });
  const outcome = outcomeOfJourneys(
    {
      errors: [{ message: 'Error: no cluster', location: { file: join(root, 'test/e2e/cluster-of-run.ts') } }],
      suites: [
        {
          file: 'offline.e2e.ts',
          suites: [
            {
              file: 'offline.e2e.ts',
              specs: [
                {
                  title: 'fails',
                  tests: [{ status: 'unexpected', results: [result('Error: gone\nat'), result('b')] }],
                },
                { title: 'wavers', tests: [{ status: 'flaky', results: [result('Error: late'), result()] }] },
                { title: 'works', tests: [{ status: 'expected', results: [result()] }] },
                { title: 'waits', tests: [{ status: 'skipped', results: [] }] },
              ],
            },
          ],
        },
      ],
    },
    1,
  );
  expect(outcome).toMatchObject({ passed: 2, failed: 2, skipped: 1 });
  expect(outcome.failures.map(firstLine)).toEqual([
    'test/e2e/cluster-of-run.ts: Error: no cluster',
    'test/e2e/offline.e2e.ts > fails: Error: gone',
  ]);
  expect(outcome.unsteady).toEqual([
    'test/e2e/offline.e2e.ts > wavers: Error: late\nnpx playwright show-trace test-results/x/trace.zip',
  ]);
});

it.runIf(process.platform === 'linux')('the end of a CI log names every failed and unsteady test', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'hf-ci-'));
  try {
    await mkdir(join(dir, '.ci'));
    await symlink(join(root, '.ci/run'), join(dir, '.ci/run'));
    const program = async (name: string, text: string) => {
      await writeFile(join(dir, name), `#!/bin/sh\n${text}\n`);
      await chmod(join(dir, name), 0o755);
    };
    for (const name of ['radicale', 'xandikos', 'chromium']) await program(name, 'exit 0');
    await program(
      'npm',
      `case "$*" in
        test) echo 'FAILED  lint  29 s'; seq 200; echo 'Failed: src/a.test.ts > one: Error: x'; echo '    at a.ts'
          echo '3 passed, 2 failed, 1 skipped'; exit 1 ;;
        *slow) echo 'Unsteady, passed when retried: test/e2e/b.e2e.ts > two: Error: y'; echo '4 passed, 0 failed, 0 skipped' ;;
        *) seq 200; echo 'the quickstart failed'; exit 1 ;;
      esac`,
    );
    const { status, stdout } = spawnSync(join(dir, '.ci/run'), {
      encoding: 'utf8',
      env: { ...process.env, PATH: `${dir}:${process.env.PATH}` },
    });
    expect(status).toBe(1);
    expect(stdout.split('the quickstart failed\n')[1]).toBe(
      [
        '',
        'FAILED  lint  29 s',
        'Failed: src/a.test.ts > one: Error: x',
        'Unsteady, passed when retried: test/e2e/b.e2e.ts > two: Error: y',
        'Failed: npm test',
        'Failed: npm run quickstart',
        '',
        '7 passed, 2 failed, 1 skipped',
        '',
      ].join('\n'),
    );
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});
