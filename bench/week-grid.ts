import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test';
import react from '@vitejs/plugin-react';
import { build, type InlineConfig } from 'vite';
import { gridBudgetKb, measureBundle, measureGrid } from '../scripts/measure-grid.ts';
import { findChromium } from '../test/harness/chromium.ts';
import { type Bench, type BenchRow, median } from './harness.ts';

/**
 * The week grid in a headless browser, beside FullCalendar 7 with the same events: W3 its size, W4 and W5 a week of 1,000
 * and 3,000 events from nothing to painted, W6 and W7 a change of week, W8 a drag among 1,000 with the processor slowed
 * down four times. The floor is the browser's own share of it: the same markup put in place as text. W4 to W7 are the
 * main thread's own time, so that a busy machine does not change them; W8 is by the clock, as the eye sees it. The gates
 * are the budgets of the product's look and feel, and the peer's figure of the same run.
 */

const pageRoot = join(import.meta.dirname, 'week-grid-page');
const target = ['chrome125', 'safari17.5', 'firefox125'];
const peer = 'FullCalendar 7';
const fullCalendar = [
  "export { default } from '@fullcalendar/react';",
  "export { default as timeGrid } from '@fullcalendar/react/timegrid';",
  "export { default as interaction } from '@fullcalendar/react/interaction';",
  "export { default as theme } from '@fullcalendar/react/themes/classic';",
  "import '@fullcalendar/react/skeleton.css';",
  "import '@fullcalendar/react/themes/classic/theme.css';",
  "import '@fullcalendar/react/themes/classic/palette.css';",
];
const inPages = ['W4', 'W5', 'W6', 'W7', 'W8'];

export const weekGridBench: Bench = {
  rows: ['W3', ...inPages],
  async run(wanted, { quick }, print) {
    if (wanted.has('W3')) print(await sizeRow());
    if (!inPages.some((id) => wanted.has(id))) return;
    const rounds = quick ? 2 : 9;
    await withBenchPages(async (ours, theirs) => {
      for (const { id, count, gateMs } of [
        { id: 'W4', count: 1_000, gateMs: 350 },
        { id: 'W5', count: 3_000, gateMs: 600 },
      ]) {
        if (!wanted.has(id)) continue;
        const samples = { ours: [] as Cost[], floor: [] as Cost[], theirs: [] as Cost[] };
        let elements = '';
        for (let round = -2; round < rounds; round += 1) {
          const cost = await ours.costOf(`render(${count})`);
          elements = `${await ours.ask('elements()')} elements`;
          const floor = await ours.costOf('markup()');
          const peers = await theirs.costOf(`render(${count})`);
          elements += `, theirs ${await theirs.ask('elements()')}`;
          if (round < 0) continue;
          samples.ours.push(cost);
          samples.floor.push(floor);
          samples.theirs.push(peers);
        }
        const [own, floor, other] = [medianOf(samples.ours), medianOf(samples.floor), medianOf(samples.theirs)];
        print({
          id,
          what: `Week of ${count} events, from nothing to painted`,
          unit: 'ms',
          ours: own.cpuMs,
          floor: floor.cpuMs,
          peers: { [peer]: other.cpuMs },
          gate: `<= ${gateMs} ms, and ahead`,
          passed: own.cpuMs <= gateMs && own.cpuMs < other.cpuMs,
          note: `${elements}; by the clock ${own.wallMs.toFixed(0)} ms, floor ${floor.wallMs.toFixed(0)} ms, theirs ${other.wallMs.toFixed(0)} ms`,
        });
      }
      for (const { id, count } of [
        { id: 'W6', count: 1_000 },
        { id: 'W7', count: 3_000 },
      ]) {
        if (!wanted.has(id)) continue;
        const samples = { ours: [] as Cost[], theirs: [] as Cost[] };
        for (const page of [ours, theirs]) await page.ask(`render(${count})`);
        for (let round = -2; round < rounds; round += 1) {
          const cost = await ours.costOf(`next(${count})`);
          const peers = await theirs.costOf(`next(${count})`);
          if (round < 0) continue;
          samples.ours.push(cost);
          samples.theirs.push(peers);
        }
        const [own, other] = [medianOf(samples.ours), medianOf(samples.theirs)];
        print({
          id,
          what: `Change of week, ${count} events each`,
          unit: 'ms',
          ours: own.cpuMs,
          floor: null,
          peers: { [peer]: other.cpuMs },
          gate: '<= 150 ms, and ahead',
          passed: own.cpuMs <= 150 && own.cpuMs < other.cpuMs,
          note: `by the clock ${own.wallMs.toFixed(0)} ms, theirs ${other.wallMs.toFixed(0)} ms`,
        });
      }
      if (wanted.has('W8')) {
        const drags = { ours: [] as Drag[], theirs: [] as Drag[] };
        for (let round = -1; round < Math.ceil(rounds / 3); round += 1) {
          const own = await dragIn(ours);
          const other = await dragIn(theirs);
          if (round < 0) continue;
          drags.ours.push(own);
          drags.theirs.push(other);
        }
        const p95 = (of: Drag[]) => median(of.map(({ p95Ms }) => p95Ms));
        const [own, other] = [p95(drags.ours), p95(drags.theirs)];
        const half = (of: Drag[]) => median(of.map(({ medianMs }) => medianMs)).toFixed(0);
        print({
          id: 'W8',
          what: 'A frame of a drag among 1000 events, processor slowed down four times: p95',
          unit: 'ms',
          ours: own,
          floor: null,
          peers: { [peer]: other },
          gate: '<= 33 ms, and ahead',
          passed: own <= 33 && own < other,
          note: `median ${half(drags.ours)} ms, theirs ${half(drags.theirs)} ms`,
        });
      }
    });
  },
};

async function sizeRow(): Promise<BenchRow> {
  const ours = await measureGrid();
  const theirs = await measureBundle(fullCalendar.join('\n'), (id) => /^react(-dom)?(\/|$)/.test(id));
  return {
    id: 'W3',
    what: 'Week grid with drags, own code gzipped, over React and the design system',
    unit: 'KB',
    ours: ours.js / 1024,
    floor: null,
    peers: { [peer]: theirs.js / 1024 },
    gate: `<= ${gridBudgetKb} KB`,
    passed: ours.js <= gridBudgetKb * 1024,
    note: `styles ${(ours.css / 1024).toFixed(1)} KB more, theirs ${(theirs.css / 1024).toFixed(1)} KB`,
  };
}

interface Drag {
  medianMs: number;
  p95Ms: number;
}

/** An event goes down and to the right over the week, as fast as the page takes the moves. */
async function dragIn(calendar: Calendar): Promise<Drag> {
  await calendar.ask('render(1000)');
  const from = JSON.parse(await calendar.ask<string>('JSON.stringify(weekGridBench.handle())', true)) as Point;
  const { mouse } = calendar.page;
  await mouse.move(from.x, from.y);
  await mouse.down();
  await mouse.move(from.x + 10, from.y + 10, { steps: 3 });
  await calendar.slowDown(4);
  await calendar.ask('startFrames()');
  const moves = 90;
  for (let move = 1; move <= moves; move += 1) {
    const way = move / moves;
    await mouse.move(from.x + 10 + 700 * way, from.y + 10 + 300 * Math.sin(Math.PI * way));
  }
  const pauses = await calendar.ask<number[]>('endFrames()');
  await calendar.slowDown(1);
  await mouse.up();
  const sorted = pauses.toSorted((a, b) => a - b);
  return { medianMs: median(sorted), p95Ms: sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN };
}

interface Point {
  x: number;
  y: number;
}

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

/** A calendar in a browser of its own: what one costs is not counted for the other. */
interface Calendar {
  page: Page;
  /** Asks the page; `bare` where the question is a whole expression. */
  ask<Answer = number>(question: string, bare?: boolean): Promise<Answer>;
  /** Work of the page's main thread in ms: script, style, layout and paint, whatever else the machine is doing. */
  costOf(act: string): Promise<Cost>;
  slowDown(rate: number): Promise<void>;
}

async function openCalendar(browser: Browser, url: string): Promise<Calendar> {
  const page = await browser.newPage({ viewport: { width: 1360, height: 860 }, timezoneId: 'Europe/Berlin' });
  await page.goto(url);
  await page.waitForFunction('typeof weekGridBench === "object"');
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const ask = <Answer>(question: string, bare = false) =>
    page.evaluate<Answer>(bare ? question : `weekGridBench.${question}`);
  return {
    page,
    ask,
    async costOf(act) {
      const before = await taskSeconds(devTools);
      const wallMs = await ask<number>(act);
      return { wallMs, cpuMs: ((await taskSeconds(devTools)) - before) * 1_000 };
    },
    slowDown: async (rate) => void (await devTools.send('Emulation.setCPUThrottlingRate', { rate })),
  };
}

async function withBenchPages(use: (ours: Calendar, theirs: Calendar) => Promise<void>): Promise<void> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('W4 to W8 need Chromium; CHROMIUM_PATH names it');
  const outDir = await mkdtemp(join(tmpdir(), 'week-grid-bench-'));
  const input = ['index.html', 'full-calendar.html'].map((file) => join(pageRoot, file));
  await build({ ...quietly(pageRoot, outDir), build: { target, outDir, rolldownOptions: { input } } });
  const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    readFile(join(outDir, path)).then(
      (body) => response.setHeader('content-type', types[extname(path)] ?? 'application/octet-stream').end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const args = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'];
  const browsers = await Promise.all([1, 2].map(() => chromium.launch({ executablePath, args })));
  try {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The bench pages are not served');
    const [ours, theirs] = await Promise.all(
      browsers.map((browser, index) =>
        openCalendar(browser, `http://127.0.0.1:${address.port}/${['index.html', 'full-calendar.html'][index]}`),
      ),
    );
    if (ours === undefined || theirs === undefined) throw new Error('Two browsers give two pages');
    await use(ours, theirs);
  } finally {
    await Promise.all(browsers.map((browser) => browser.close()));
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
