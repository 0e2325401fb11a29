import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type CDPSession, chromium, type Page } from '@playwright/test';
import react from '@vitejs/plugin-react';
import { build, type InlineConfig } from 'vite';
import { findChromium } from '../test/harness/chromium.ts';
import { type Bench, median } from './harness.ts';

/**
 * The week grid in a headless browser: W3 its size, W4 and W5 a week of 1,000 and 3,000 events from nothing to
 * painted, W6 and W7 a change of week. The floor is the browser's own share of it: the same markup put in place as
 * text. Figures are the main thread's own time, so that a busy machine does not change them; the gates are the budgets
 * of the product's look and feel.
 */

const pageRoot = join(import.meta.dirname, 'week-grid-page');
const target = ['chrome125', 'safari17.5', 'firefox125'];

export const weekGridBench: Bench = {
  rows: ['W3', 'W4', 'W5', 'W6', 'W7'],
  async run(wanted, { quick }, print) {
    if (wanted.has('W3')) {
      const { js, css } = await measureSize();
      print({
        id: 'W3',
        what: 'Week grid, own code gzipped, over React and the design system',
        unit: 'KB',
        ours: js / 1000,
        floor: null,
        // Their published bundles, measured once with their own styles aside (docs/performance.md).
        peers: { 'FullCalendar 7': 80.8, 'react-big-calendar': 59.4, 'Schedule-X 4': 70.3, 'Mantine schedule 9': 99.3 },
        gate: '<= 25 KB with its styles',
        passed: js + css <= 25_000,
        note: `styles ${(css / 1000).toFixed(1)} KB more`,
      });
    }
    if (!['W4', 'W5', 'W6', 'W7'].some((id) => wanted.has(id))) return;
    const rounds = quick ? 2 : 9;
    await withBenchPage(async (page) => {
      const devTools = await page.context().newCDPSession(page);
      await devTools.send('Performance.enable', { timeDomain: 'threadTicks' });
      /** Of the page's main thread, ms: script, style, layout and paint, whatever else the machine is doing. */
      const cpuOf = async (act: () => Promise<number>): Promise<Cost> => {
        const before = await taskSeconds(devTools);
        const wallMs = await act();
        return { wallMs, cpuMs: ((await taskSeconds(devTools)) - before) * 1_000 };
      };
      const renders = async (count: number) => {
        const ours: Cost[] = [];
        const floor: Cost[] = [];
        let elements = 0;
        for (let round = -2; round < rounds; round += 1) {
          const cost = await cpuOf(() => page.evaluate<number>(`weekGridBench.render(${count})`));
          elements = await page.evaluate<number>('weekGridBench.elements()');
          const bare = await cpuOf(() => page.evaluate<number>('weekGridBench.markup()'));
          if (round < 0) continue;
          ours.push(cost);
          floor.push(bare);
        }
        return { ours: medianOf(ours), floor: medianOf(floor), elements };
      };
      const changes = async (count: number) => {
        await page.evaluate<number>(`weekGridBench.render(${count})`);
        const costs: Cost[] = [];
        for (let round = -2; round < rounds; round += 1) {
          const cost = await cpuOf(() => page.evaluate<number>(`weekGridBench.next(${count})`));
          if (round >= 0) costs.push(cost);
        }
        return medianOf(costs);
      };
      for (const { id, count, gateMs } of [
        { id: 'W4', count: 1_000, gateMs: 350 },
        { id: 'W5', count: 3_000, gateMs: 700 },
      ]) {
        if (!wanted.has(id)) continue;
        const { ours, floor, elements } = await renders(count);
        print({
          id,
          what: `Week of ${count} events, from nothing to painted`,
          unit: 'ms',
          ours: ours.cpuMs,
          floor: floor.cpuMs,
          peers: {},
          gate: `<= ${gateMs} ms`,
          passed: ours.cpuMs <= gateMs,
          note: `${elements} elements; by the clock ${ours.wallMs.toFixed(0)} ms, floor ${floor.wallMs.toFixed(0)} ms`,
        });
      }
      for (const { id, count, gateMs } of [
        { id: 'W6', count: 1_000, gateMs: 150 },
        { id: 'W7', count: 3_000, gateMs: 300 },
      ]) {
        if (!wanted.has(id)) continue;
        const ours = await changes(count);
        print({
          id,
          what: `Change of week, ${count} events each`,
          unit: 'ms',
          ours: ours.cpuMs,
          floor: null,
          peers: {},
          gate: `<= ${gateMs} ms`,
          passed: ours.cpuMs <= gateMs,
          note: `by the clock ${ours.wallMs.toFixed(0)} ms`,
        });
      }
    });
  },
};

interface Cost {
  wallMs: number;
  cpuMs: number;
}

function medianOf(costs: readonly Cost[]): Cost {
  return { wallMs: median(costs.map((cost) => cost.wallMs)), cpuMs: median(costs.map((cost) => cost.cpuMs)) };
}

async function taskSeconds(devTools: CDPSession): Promise<number> {
  const { metrics } = await devTools.send('Performance.getMetrics');
  const found = metrics.find(({ name }) => name === 'TaskDuration');
  if (found === undefined) throw new Error('Chromium tells no TaskDuration');
  return found.value;
}

/** Bytes of the grid's own JavaScript and styles, gzipped; React, translations, icons and the design system aside. */
async function measureSize(): Promise<{ js: number; css: number }> {
  const outDir = await mkdtemp(join(tmpdir(), 'week-grid-size-'));
  try {
    await build({
      ...quietly(pageRoot, outDir),
      build: {
        target,
        outDir,
        cssCodeSplit: false,
        lib: {
          entry: join(import.meta.dirname, '../src/features/calendar/web/week-grid.tsx'),
          formats: ['es'],
          fileName: 'grid',
        },
        minify: true,
        // A library keeps its white space unless told otherwise; what people load does not.
        rolldownOptions: { external: [/^react/, /^@tabler/, /^#ui\//], output: { minify: true } },
      },
    });
    const sizes = { js: 0, css: 0 };
    for (const file of await readdir(outDir)) {
      const bytes = gzipSync(await readFile(join(outDir, file)), { level: 9 }).length;
      if (extname(file) === '.css') sizes.css += bytes;
      else sizes.js += bytes;
    }
    return sizes;
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}

async function withBenchPage(use: (page: Page) => Promise<void>): Promise<void> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('W4 to W7 need Chromium; CHROMIUM_PATH names it');
  const outDir = await mkdtemp(join(tmpdir(), 'week-grid-bench-'));
  await build({ ...quietly(pageRoot, outDir), build: { target, outDir } });
  const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const file = path === '/' ? '/index.html' : path;
    readFile(join(outDir, file)).then(
      (body) => response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream').end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch({
    executablePath,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1360, height: 860 }, timezoneId: 'Europe/Berlin' });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The bench page is not served');
    await page.goto(`http://127.0.0.1:${address.port}/`);
    await page.waitForFunction('typeof weekGridBench === "object"');
    await use(page);
  } finally {
    await browser.close();
    server.close();
    await rm(outDir, { recursive: true, force: true });
  }
}

function quietly(root: string, cacheDir: string): InlineConfig {
  return { configFile: false, root, cacheDir: join(cacheDir, '.vite'), plugins: [react()], logLevel: 'error' };
}

if (import.meta.main) {
  const quick = process.argv.includes('--quick');
  await weekGridBench.run(new Set(weekGridBench.rows), { quick }, (row) => console.log(JSON.stringify(row)));
}
