import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { adminBench } from './admin.ts';
import { analyticsBench } from './analytics.ts';
import { bookingsBench } from './bookings.ts';
import { calendarMonthBench } from './calendar-month.ts';
import { consoleBench } from './console.ts';
import { databaseBench } from './database.ts';
import type { BenchRow } from './harness.ts';
import { hostileBench } from './hostile.ts';
import { icalBench } from './ical.ts';
import { memoryBench } from './memory.ts';
import { meshBench } from './mesh.ts';
import { publicPageBench } from './public-page.ts';
import { recurrenceBench } from './recurrence.ts';
import { remindersBench } from './reminders.ts';
import { signInBench } from './sign-in.ts';
import { slotsBench } from './slots.ts';
import { syncBench } from './sync.ts';
import { weekGridBench } from './week-grid.ts';
import { zonesBench } from './zones.ts';

/**
 * `npm run bench`, `npm run bench -- M2 M5`, `-- hostile`, `-- --json`, `-- --markdown` (for docs/performance.md), `-- --quick`. Ends
 * with 1 if a gate was not kept.
 */

const benches = [
  syncBench,
  memoryBench,
  meshBench,
  databaseBench,
  bookingsBench,
  calendarMonthBench,
  consoleBench,
  adminBench,
  analyticsBench,
  signInBench,
  slotsBench,
  icalBench,
  recurrenceBench,
  zonesBench,
  weekGridBench,
  publicPageBench,
  remindersBench,
  hostileBench,
];
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, markdown: { type: 'boolean' }, quick: { type: 'boolean' } },
});
const known = benches.flatMap(({ rows }) => rows);
const asked = positionals.flatMap((id) => (id === 'hostile' ? hostileBench.rows : id.toUpperCase()));
const wanted = new Set(positionals.length > 0 ? asked : known);
const unknown = [...wanted].filter((id) => !known.includes(id));
if (unknown.length > 0) {
  console.error(`No such row: ${unknown.join(', ')}. There are: ${known.join(', ')}`);
  process.exit(2);
}

const load = loadavg()[0]!.toFixed(2);
if (!values.json) {
  console.log(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model}, load ${load} before the first row`);
  if (values.quick) console.log('--quick: small and few, the figures mean nothing');
}
const rows: BenchRow[] = [];
for (const bench of benches) {
  if (!bench.rows.some((id) => wanted.has(id))) continue;
  await bench.run(wanted, { quick: values.quick ?? false }, (row) => {
    rows.push(row);
    if (!values.json) console.log(formatRow(row));
  });
}
if (values.json) console.log(JSON.stringify({ node: process.version, load, rows }, null, 2));
else if (values.markdown) console.log(formatTables(rows));
else console.log(`${rows.length} rows, ${rows.filter(({ passed }) => passed === false).length} gates not kept`);
if (rows.some(({ passed }) => passed === false)) process.exitCode = 1;

function formatRow(row: BenchRow): string {
  const peers = Object.entries(row.peers).map(([name, value]) => `${name} ${formatNumber(value)}`);
  const verdict = row.passed === null ? '   ' : row.passed ? 'ok ' : 'BAD';
  const figures = [`ours ${formatNumber(row.ours)}`, `floor ${formatNumber(row.floor)}`, ...peers].join(' | ');
  return `${verdict} ${row.id.padEnd(3)} ${row.what}\n        ${figures}  (${row.unit})  gate: ${row.gate}${row.note ? `\n        ${row.note}` : ''}`;
}

/** Two tables, as docs/performance.md has them: that of hostile input has columns of its own. */
function formatTables(all: BenchRow[]): string {
  const ofHostile = all.filter(({ hostile }) => hostile !== undefined);
  const others = all.filter(({ hostile }) => hostile === undefined);
  const head = ['Row', 'Input', 'Block, ms', 'At rest, ms', 'By the clock, ms', 'CPU, ms', 'Memory, MB', 'Rows', 'End'];
  const lines = ofHostile.map(
    ({ id, what, passed, hostile = [] }) =>
      `| ${[id, passed === false ? `**not kept:** ${what}` : what, ...hostile].join(' | ')} |`,
  );
  return [
    ...(others.length === 0 ? [] : [formatTable(others)]),
    ...(lines.length === 0 ? [] : [`| ${head.join(' | ')} |\n|${' --- |'.repeat(head.length)}`, lines.join('\n')]),
  ].join('\n');
}

function formatTable(all: BenchRow[]): string {
  const lines = all.map((row) => {
    const peers = Object.entries(row.peers).map(([name, value]) => `${name} ${formatNumber(value)}`);
    const kept = row.passed === null ? '-' : row.passed ? 'yes' : '**no**';
    const cells = [
      row.id,
      row.what,
      row.unit,
      formatNumber(row.ours),
      formatNumber(row.floor),
      peers.join(', '),
      row.gate,
      kept,
    ];
    return `| ${[...cells, row.note ?? ''].join(' | ')} |`;
  });
  return [
    '| Row | What | Unit | Ours | Floor | Peers | Gate | Kept | Notes |',
    '|---|---|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

function formatNumber(value: number | null): string {
  if (value === null) return 'missing';
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toPrecision(3);
}
