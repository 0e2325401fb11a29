import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { checkBundle, checkPages } from './check-bundle.ts';
import { gridBudgetKb, measureGrid } from './measure-grid.ts';

/**
 * `npm run check`: everything that can be said about the code without running it. Prints each step with its time, and
 * the output of those that failed. `npm run check -- lint types` runs the steps whose names start so.
 */

const root = join(import.meta.dirname, '..');

interface Step {
  name: string;
  run(): Promise<{ ok: boolean; output: string }>;
}

const tool = (name: string) => join(root, 'node_modules', '.bin', name);

/** A script runs with this Node: the first one in PATH may be older. */
const command = (script: string, ...args: string[]) => {
  return () =>
    new Promise<{ ok: boolean; output: string }>((resolve, reject) => {
      const color: Record<string, string> = process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' };
      const child = spawn(process.execPath, [script, ...args], { cwd: root, env: { ...process.env, ...color } });
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
      child.on('error', reject);
      child.on('close', (code) => resolve({ ok: code === 0, output }));
    });
};

async function bundleBudget(): Promise<{ ok: boolean; output: string }> {
  const { ok, lines } = checkBundle(join(root, 'dist', 'web'));
  const pages = checkPages(join(root, 'dist', 'pages'));
  const gridKb = (await measureGrid()).js / 1024;
  const grid = `week grid: ${gridKb.toFixed(1)}/${gridBudgetKb} KB of its own`;
  return { ok: ok && pages.ok && gridKb <= gridBudgetKb, output: [...lines, ...pages.lines, grid].join('\n') };
}

/** The next run checks only what has changed since this one. */
const types = (part: string) =>
  command(tool('tsc'), '-p', `tsconfig.${part}.json`, '--incremental', '--tsBuildInfoFile', `dist/types/${part}.json`);

/** The longest first, so that none of them runs alone at the end. */
const steps: Step[] = [
  { name: 'lint', run: command(tool('oxlint')) },
  { name: 'dead code', run: command(tool('knip'), '--treat-config-hints-as-errors') },
  { name: 'types of the server', run: types('server') },
  { name: 'types of the browser', run: types('web') },
  { name: 'bundle budget', run: bundleBudget },
  { name: 'format and base lint', run: command(tool('biome'), 'ci', '--error-on-warnings', '.') },
  { name: 'architecture', run: command(join(root, 'scripts', 'check-architecture.ts')) },
  { name: 'types of the service worker', run: types('worker') },
];

const wanted = process.argv.slice(2);
const chosen = steps.filter(({ name }) => wanted.length === 0 || wanted.some((prefix) => name.startsWith(prefix)));
if (chosen.length === 0) {
  console.error(`No such step. There are: ${steps.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}

const started = performance.now();
const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(2)} s`;
const failed: string[] = [];
const queue = [...chosen];

async function worker(): Promise<void> {
  for (let step = queue.shift(); step; step = queue.shift()) {
    const since = performance.now();
    const { ok, output } = await step.run();
    const lastLine = output.trim().split('\n').at(-1) ?? '';
    const note = ok && (step.name === 'architecture' || step.name === 'bundle budget') ? `  ${lastLine}` : '';
    console.log(`${ok ? 'ok    ' : 'FAILED'}  ${step.name.padEnd(22)} ${seconds(since).padStart(8)}${note}`);
    if (!ok) {
      failed.push(step.name);
      console.log(output.trim().replace(/^/gm, '    '));
    }
  }
}

const files = readdirSync(join(root, 'src'), { recursive: true }).filter((file) => /\.tsx?$/.test(String(file))).length;
if (files === 0) {
  console.error('src/ holds no sources: nothing was checked');
  process.exit(1);
}
await Promise.all(Array.from({ length: Math.min(availableParallelism(), chosen.length) }, worker));
console.log(`${files} files, ${chosen.length - failed.length} of ${chosen.length} steps passed in ${seconds(started)}`);
process.exitCode = failed.length > 0 ? 1 : 0;
