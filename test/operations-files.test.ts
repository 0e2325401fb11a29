import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backUpInto } from '#platform/backup-job.ts';
import { beginMaintenance } from '#platform/maintenance.ts';
import { addressWithKey } from '#platform/this-machine.ts';
import { type SyncWorld, startSyncWorld } from './harness/sync-world.ts';

/** Alerts and dashboards for Prometheus and Grafana use only metrics that Holdfast exports. */

const root = join(import.meta.dirname, '..');
let world: SyncWorld;
let scrape: string;
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'holdfast-ops-'));
  world = await startSyncWorld();
  const { app, inject } = world.server;
  world.left.put('one', 'UID:one\nSUMMARY:Dentist\nDTSTART:20270302T100000Z\nDTEND:20270302T103000Z');
  await world.pass();
  await inject({ url: '/healthz' });
  await sql`insert into platform.mails (id, key, message_id, kind, recipient, body, expires_at)
    values (gen_random_uuid(), 'w', 'w', 'test', 'a@example.org', 'sealed', now() + interval '1 day')`.execute(app.db);
  const seal = { keyring: app.keyring };
  await backUpInto(dir, { databaseUrl: world.server.database.url, dataDir: dir, seal }, app.db, app.log);
  await sql`insert into sync.channels (id, calendar_id, connection_id, state, secret_hash, opened_at, expires_at)
    select gen_random_uuid(), calendar_id, connection_id, 'live', '', now(), now() + interval '5 minutes'
    from sync.pulls limit 1`.execute(app.db);
  await beginMaintenance(app.db, 'So that a job waits.');
  await app.maintenance.look();
  await sql`insert into jobs.job (name, data) values ('mail.sweep', '{}')`.execute(app.db);
  // counted by what this test does not do: a mail that goes out
  app.metrics.mails.inc({ kind: 'test', outcome: 'sent' });
  scrape = (await inject({ url: addressWithKey(app, '/metrics') })).body;
}, 60_000);
afterAll(async () => {
  await world.close();
  await rm(dir, { recursive: true, force: true });
});

/** Names of metrics in an expression: not functions, labels, or what stands in braces, brackets or quotes. */
function namesIn(expression: string): string[] {
  const bare = expression
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\b(by|without|on|ignoring) *\([^)]*\)/g, '');
  return [...bare.matchAll(/[a-zA-Z_:][\w:]*\b(?! *\()/g)].map(([name]) => name).filter((name) => name.includes('_'));
}

const isKnown = (name: string) => new RegExp(`^${name}(\\{| )`, 'm').test(scrape);

/** Enough of YAML for this file: rules, each a map with one level of maps. */
function readRules(text: string) {
  return text
    .split(/^ {6}- alert: /m)
    .slice(1)
    .map((part) => {
      const [name = '', ...lines] = part.split('\n');
      const of = (key: string) =>
        new RegExp(`^ *${key}: (.*)$`).exec(lines.find((line) => line.trim().startsWith(`${key}:`)) ?? '')?.[1];
      return {
        name,
        expr: of('expr'),
        severity: /severity: (\w+)/.exec(of('labels') ?? '')?.[1],
        for: of('for'),
        summary: of('summary'),
        runbook: of('runbook'),
      };
    });
}

test('every alert rule is complete and uses only metrics of the scrape', async () => {
  const rules = readRules(await readFile(join(root, 'ops/prometheus/alerts.yml'), 'utf8'));
  expect(rules.length).toBeGreaterThan(15);
  expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
  for (const rule of rules) {
    expect(rule).toMatchObject({ severity: expect.stringMatching(/^(page|warn)$/), summary: expect.any(String) });
    const names = namesIn(rule.expr ?? '').filter((name) => name !== 'up');
    expect(names.length + Number(rule.name === 'HoldfastDown'), rule.name).toBeGreaterThan(0);
    for (const name of names) expect([rule.name, name, isKnown(name)]).toEqual([rule.name, name, true]);
    expect(count(rule.expr ?? '', '(')).toBe(count(rule.expr ?? '', ')'));
  }
});

const count = (text: string, sign: string) => text.split(sign).length - 1;

test('every alert links to an existing section of the operating guide', async () => {
  const guide = await readFile(join(root, 'docs/operating.md'), 'utf8');
  const places = [...guide.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .trim()
      .replace(/\s+/g, '-'),
  );
  for (const { name, runbook } of readRules(await readFile(join(root, 'ops/prometheus/alerts.yml'), 'utf8')))
    expect([name, places]).toEqual([name, expect.arrayContaining([runbook?.replace('operating.md#', '')])]);
});

describe('Grafana dashboard', () => {
  interface Panel {
    id: number;
    type: string;
    title: string;
    gridPos: { x: number; y: number; w: number; h: number };
    targets?: { expr: string; refId: string }[];
  }
  let panels: Panel[];
  beforeAll(async () => {
    panels = (JSON.parse(await readFile(join(root, 'ops/grafana/holdfast.json'), 'utf8')) as { panels: Panel[] })
      .panels;
  });

  test('the Grafana dashboard queries only metrics of the scrape', () => {
    const asked = panels.flatMap(({ title, targets = [] }) =>
      targets.flatMap(({ expr }) => namesIn(expr).map((name) => [title, name])),
    );
    expect(asked.length).toBeGreaterThan(25);
    expect(asked.filter(([, name]) => !isKnown(name ?? ''))).toEqual([]);
  });

  test('the Grafana dashboard shows every Holdfast metric', () => {
    const shown = panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => namesIn(expr)));
    const ours = [...scrape.matchAll(/^# TYPE (holdfast_\w+) (\w+)$/gm)].map(([, name = '']) => name);
    expect(ours.filter((name) => !shown.some((one) => one === name || one.startsWith(`${name}_`)))).toEqual([]);
  });

  test('the Grafana panels do not overlap and have unique ids', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
    const apart = (a: Panel['gridPos'], b: Panel['gridPos']) =>
      a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
    for (const a of panels)
      for (const b of panels)
        if (a !== b) expect([a.title, b.title, apart(a.gridPos, b.gridPos)]).toEqual([a.title, b.title, true]);
  });
});

test('metrics follow the naming conventions, use few labels, and contain no personal data', async () => {
  const types = [...scrape.matchAll(/^# TYPE (holdfast_\w+) (\w+)$/gm)].map(([, name = '', type]) => ({ name, type }));
  for (const { name, type } of types) {
    if (type === 'counter') expect(name).toMatch(/_total$/);
    else expect(name).not.toMatch(/_(total|count|sum|bucket)$/);
    expect(name).not.toMatch(/_(ms|minutes|hours|days|kb|mb)$/);
  }
  const labels = new Set(
    [...scrape.matchAll(/^holdfast_\w+\{([^}]*)\}/gm)].flatMap(([, all = '']) =>
      [...all.matchAll(/(\w+)="/g)].map(([, one = '']) => one),
    ),
  );
  expect([...labels].sort()).toEqual([
    'job',
    'kind',
    'le',
    'method',
    'outcome',
    'pool',
    'provider',
    'route',
    'state',
    'status',
  ]);
  const own = await sql<{
    id: string;
  }>`select id from accounts.users union all select id from connections.calendars`.execute(world.server.app.db);
  for (const text of ['@', 'Dentist', 'person', 'left', 'right', ...own.rows.map(({ id }) => id)])
    expect(scrape.replace(/^#.*$/gm, '')).not.toContain(text);
});
