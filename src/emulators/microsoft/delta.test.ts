import { beforeEach, describe, expect, it } from 'vitest';
import { createClock } from '#emulators/kit/clock.ts';
import { connectGraph, type GraphClient } from './graph-client.ts';
import { embedMicrosoft } from './launch.ts';

/**
 * The content of calendarView/delta. Rows without another source: "event: delta", "Get incremental changes to events in
 * a calendar view".
 */

const clock = createClock();
const microsoft = embedMicrosoft({ clock });
const { control } = microsoft;
const account = 'ada@contoso.example';
const window = 'startDateTime=2026-12-01T00:00:00Z&endDateTime=2027-01-01T00:00:00Z';
let graph: GraphClient;
let start: string;

async function seed(
  ...events: Parameters<typeof control.seed>[0]['calendars'] extends (infer C)[] | undefined
    ? (C extends { events?: (infer E)[] } ? E : never)[]
    : never
) {
  await control.seed({ account, calendars: [{ key: 'side', events }] });
}

/** A round from the beginning, and what changes afterwards. */
async function baseline() {
  return await graph.round(start);
}

beforeEach(async () => {
  clock.freeze();
  clock.set(Temporal.Instant.from('2026-11-23T08:00:00Z').epochMilliseconds);
  await control.reset();
  await control.seed({ account, calendars: [{ key: 'home' }, { key: 'side' }] });
  graph = await connectGraph(microsoft, account);
  const { accounts } = await control.snapshot();
  start = `/me/calendars/${accounts[account]!.calendars.side!.id}/calendarView/delta?${window}`;
});

describe('delta rounds', () => {
  it('a delta round is paged by $skiptoken, and its last page has the link for the next round', async () => {
    await control.seed({
      account,
      calendars: [{ key: 'side', generate: { count: 7, fromDay: '2026-12-01', days: 20 } }],
    });
    const headers = { prefer: 'IdType="ImmutableId", odata.maxpagesize=3' };
    const first = await graph.get(start, headers);
    expect(first.body.value).toHaveLength(3);
    expect(first.body['@odata.nextLink']).toMatch(/\/me\/calendars\/[^/]+\/calendarView\/delta\?\$skiptoken=[\w-]+$/);
    expect(first.body).not.toHaveProperty('@odata.deltaLink');
    const { rows, pages, deltaLink } = await graph.round(start, headers);
    expect([rows.length, pages, new Set(rows.map(({ id }) => id)).size]).toEqual([7, 3, 7]);
    expect(deltaLink).toMatch(/\?\$deltatoken=[\w-]+$/);
    expect(await graph.round(deltaLink)).toMatchObject({ rows: [], pages: 1 });
  });

  it('a delta page has fifty rows by default', async () => {
    await control.seed({
      account,
      calendars: [{ key: 'side', generate: { count: 60, fromDay: '2026-12-01', days: 20 } }],
    });
    expect((await graph.get(start)).body.value).toHaveLength(50);
  });

  it('a delta round reports each created, changed and deleted event once, in its current state', async () => {
    await seed(
      { key: 'a', subject: 'A', start: '2026-12-02T09:00' },
      { key: 'b', subject: 'B', start: '2026-12-03T09:00' },
    );
    const { deltaLink } = await baseline();
    await control.act({ account, do: 'edit', event: 'a', changes: { subject: 'A2' } });
    await control.act({ account, do: 'edit', event: 'a', changes: { showAs: 'oof' } });
    await control.act({ account, do: 'delete', event: 'b' });
    await control.act({
      account,
      do: 'create',
      calendar: 'side',
      event: { key: 'c', subject: 'C', start: '2026-12-04T09:00' },
    });
    const { rows } = await graph.round(deltaLink);
    expect(rows).toMatchObject([
      { '@odata.type': '#microsoft.graph.event', subject: 'A2', showAs: 'oof' },
      { '@removed': { reason: 'deleted' } },
      { subject: 'C' },
    ]);
    expect(Object.keys(rows[1]!).sort()).toEqual(['@odata.type', '@removed', 'id']);
  });

  it('a change made between the pages of a delta round is reported in the next round', async () => {
    await control.seed({
      account,
      calendars: [{ key: 'side', generate: { count: 6, fromDay: '2026-12-01', days: 20 } }],
    });
    const headers = { prefer: 'IdType="ImmutableId", odata.maxpagesize=3' };
    const first = await graph.get(start, headers);
    await control.act({ account, do: 'delete', event: 'Meeting 5' });
    await control.act({ account, do: 'edit', event: 'Meeting 1', changes: { subject: 'Changed' } });
    const rest = await graph.round(first.body['@odata.nextLink']!, headers);
    expect(rest.rows.map(({ subject }) => subject)).toEqual(['Meeting 4', 'Meeting 5', 'Meeting 6']);
    expect((await graph.round(rest.deltaLink)).rows).toMatchObject([
      { '@removed': { reason: 'deleted' } },
      { subject: 'Changed' },
    ]);
  });

  it('a delta query refuses select, expand, filter, orderby, search and top', async () => {
    for (const option of [
      '$select=subject',
      '$expand=instances',
      '$filter=type',
      '$orderby=subject',
      '$search=a',
      '$top=5',
    ]) {
      const { status, body } = await graph.get(`${start}&${option}`);
      expect([status, body.error.code]).toEqual([400, 'ErrorInvalidUrlQuery']);
    }
  });

  it('a delta query needs both ends of its window, and its token keeps that window', async () => {
    expect((await graph.get(start.split('?')[0]!)).body.error.code).toBe('ErrorInvalidParameter');
    await seed({ key: 'a', start: '2026-12-02T09:00' });
    const { deltaLink } = await baseline();
    await control.act({
      account,
      do: 'create',
      calendar: 'side',
      event: { subject: 'Later', start: '2027-02-01T09:00' },
    });
    const { rows } = await graph.round(
      `${deltaLink}&startDateTime=2027-01-01T00:00:00Z&endDateTime=2028-01-01T00:00:00Z`,
    );
    expect(rows).toMatchObject([{ '@removed': { reason: 'deleted' } }]);
  });

  it("a delta query exists for the default calendar's view, and not for /me/events", async () => {
    expect((await graph.get(`/me/calendarView/delta?${window}`)).body['@odata.deltaLink']).toContain(
      '/me/calendarView/delta?',
    );
    expect((await graph.get('/me/events/delta')).body.error.message).toContain('Change tracking is not supported');
  });

  it('a delta row has transactionId but no extended properties', async () => {
    await seed({
      key: 'a',
      start: '2026-12-02T09:00',
      transactionId: 'hf1:a:1',
      extended: { 'String {6e9f1a5b-8c5d-4b0e-9e57-0a4a7b0f5d11} Name holdfast': '1' },
    });
    const { rows } = await baseline();
    expect(rows).toMatchObject([{ transactionId: 'hf1:a:1' }]);
    expect(rows[0]).not.toHaveProperty('singleValueExtendedProperties');
  });

  it('delta ids have the form that the request prefers, and tokens work with both [outlook-immutable-id]', async () => {
    await seed({ key: 'a', start: '2026-12-02T09:00' });
    const { rows, deltaLink } = await baseline();
    await control.act({ account, do: 'edit', event: 'a', changes: { subject: 'New' } });
    const regular = await graph.round(deltaLink, { prefer: '' });
    expect(regular.rows[0]!.id).not.toBe(rows[0]!.id);
    expect((await graph.round(deltaLink)).rows[0]!.id).toBe(rows[0]!.id);
  });
});

describe('@removed rows', () => {
  it('an event moved out of the window is reported as @removed and still exists', async () => {
    await seed({ key: 'a', start: '2026-12-02T09:00' });
    const { rows, deltaLink } = await baseline();
    await control.act({ account, do: 'move', event: 'a', minutes: 60 * 24 * 60 });
    expect((await graph.round(deltaLink)).rows).toEqual([
      { '@odata.type': '#microsoft.graph.event', id: rows[0]!.id, '@removed': { reason: 'deleted' } },
    ]);
    expect((await graph.get(`/me/events/${rows[0]!.id}`)).status).toBe(200);
  });

  it('an event created outside the window is reported as @removed', async () => {
    const { deltaLink } = await baseline();
    await control.act({ account, do: 'create', calendar: 'side', event: { start: '2027-06-01T09:00' } });
    expect((await graph.round(deltaLink)).rows).toMatchObject([{ '@removed': { reason: 'deleted' } }]);
  });

  it('a first round has no @removed rows unless so configured', async () => {
    await seed({ key: 'far', start: '2027-06-01T09:00' });
    expect((await baseline()).rows).toEqual([]);
    await control.knobs({ removedInFirstRound: true });
    expect((await baseline()).rows).toMatchObject([{ '@removed': { reason: 'deleted' } }]);
  });

  it('an event moved to another calendar is @removed in its old one and keeps its immutable id', async () => {
    await seed({ key: 'a', start: '2026-12-02T09:00' });
    const { rows, deltaLink } = await baseline();
    await control.act({ account, do: 'move-to-calendar', event: 'a', calendar: 'home' });
    expect((await graph.round(deltaLink)).rows).toMatchObject([{ id: rows[0]!.id, '@removed': {} }]);
    expect((await graph.round(`/me/calendarView/delta?${window}`)).rows).toMatchObject([{ id: rows[0]!.id }]);
  });
});

describe('series in delta rounds', () => {
  const weekly = {
    key: 'w',
    subject: 'Weekly',
    start: '2026-11-24T09:00',
    zone: 'W. Europe Standard Time',
    repeat: { type: 'weekly' as const, daysOfWeek: ['tuesday' as const] },
  };

  it('a series has stubs for occurrences and full rows for exceptions [microsoft-graph-docs#7632]', async () => {
    await seed({
      ...weekly,
      exceptions: { '2026-12-08': { start: '2026-12-09T10:00', subject: 'Moved' } },
      cancelled: ['2026-12-15'],
    });
    const { rows } = await baseline();
    const stub = rows.find(({ type }) => type === 'occurrence')!;
    expect(Object.keys(stub).sort()).toEqual([
      '@odata.etag',
      '@odata.type',
      'end',
      'id',
      'seriesMasterId',
      'start',
      'type',
    ]);
    expect(rows.map(({ type, start: { dateTime } }) => [type, dateTime.slice(0, 10)])).toEqual([
      ['occurrence', '2026-12-01'],
      ['exception', '2026-12-09'],
      ['occurrence', '2026-12-22'],
      ['occurrence', '2026-12-29'],
    ]);
    expect(rows[1]).toMatchObject({ subject: 'Moved', originalStart: '2026-12-08T08:00:00Z' });
  });

  it('a series master is present, absent, or present only when it starts in the window, as configured', async () => {
    await seed(weekly, { ...weekly, key: 'in', subject: 'Inside', start: '2026-12-01T12:00' });
    const masters = async () =>
      (await baseline()).rows.filter(({ type }) => type === 'seriesMaster').map(({ subject }) => subject);
    expect(await masters()).toEqual(['Inside']);
    await control.knobs({ seriesMaster: 'present' });
    expect(await masters()).toEqual(['Weekly', 'Inside']);
    await control.knobs({ seriesMaster: 'absent' });
    expect(await masters()).toEqual([]);
  });

  it('an exception can lack properties when so configured', async () => {
    await control.knobs({ sparseExceptions: true });
    await seed({ ...weekly, exceptions: { '2026-12-08': { subject: 'Moved' } } });
    const exception = (await baseline()).rows.find(({ type }) => type === 'exception');
    expect(exception).not.toHaveProperty('subject');
  });

  it('a series with a deleted occurrence is sent again without it and without a tombstone', async () => {
    await seed(weekly);
    const { rows, deltaLink } = await baseline();
    expect(rows).toHaveLength(5);
    await control.act({ account, do: 'delete', event: 'w', day: '2026-12-08' });
    const again = (await graph.round(deltaLink)).rows;
    expect(again).toHaveLength(4);
    expect(again.some((row) => '@removed' in row)).toBe(false);
    expect(again.map(({ id }) => id)).not.toContain(rows[1]!.id);
  });

  it('a series is never split over pages', async () => {
    await seed(weekly, { key: 'single', start: '2026-12-02T12:00' });
    const { body } = await graph.get(start, { prefer: 'odata.maxpagesize=2' });
    expect(body.value).toHaveLength(5);
    expect(body['@odata.nextLink']).toBeDefined();
  });

  it("a deleted series is reported by its master's id, with its occurrences when so configured", async () => {
    await seed(weekly, { ...weekly, key: 'w2' });
    const { rows, deltaLink } = await baseline();
    await control.act({ account, do: 'delete', event: 'w' });
    expect((await graph.round(deltaLink)).rows).toMatchObject([{ id: rows[0]!.seriesMasterId, '@removed': {} }]);
    await control.knobs({ removedSeries: 'master-and-occurrences' });
    await control.act({ account, do: 'delete', event: 'w2' });
    expect((await graph.round(deltaLink)).rows).toHaveLength(2 * (1 + 5));
  });
});

describe('delta tokens [delta-query-overview, synchronization reset]', () => {
  it.each([
    ['gone', 410, 'syncStateNotFound'],
    ['syncStateNotFound', 404, 'syncStateNotFound'],
    ['syncStateInvalid', 400, 'syncStateInvalid'],
    ['resyncRequired', 400, 'resyncRequired'],
  ] as const)('an expired delta token is refused with %s', async (reset, status, code) => {
    await seed({ key: 'a', start: '2026-12-02T09:00' });
    const { deltaLink } = await baseline();
    await control.knobs({ reset });
    await control.act({ account, do: 'expire-delta-tokens', calendar: 'side' });
    const refused = await graph.get(deltaLink);
    expect([refused.status, refused.body.error.code]).toEqual([status, code]);
    const location = refused.headers.get('location');
    if (reset !== 'gone') return expect(location).toBeNull();
    expect(location).toMatch(/\$deltatoken=$/);
    expect((await graph.round(location!)).rows).toHaveLength(1);
  });

  it('an unknown delta token and that of another calendar are refused', async () => {
    const path = start.split('?')[0]!;
    expect((await graph.get(`${path}?$deltatoken=made-up`)).status).toBe(400);
    const { deltaLink } = await graph.round(`/me/calendarView/delta?${window}`);
    expect((await graph.get(`${path}?${deltaLink.split('?')[1]}`)).status).toBe(400);
  });
});

describe('replicas', () => {
  it('a lagging replica reports a change late, and the previous state until then (M10)', async () => {
    await seed({ key: 'a', subject: 'Old', start: '2026-12-02T09:00' });
    clock.advance(60_000);
    const { deltaLink } = await baseline();
    await control.knobs({ lagMs: 30_000 });
    await control.act({ account, do: 'edit', event: 'a', changes: { subject: 'New' } });
    expect((await graph.round(deltaLink)).rows).toEqual([]);
    expect((await baseline()).rows).toMatchObject([{ subject: 'Old' }]);
    clock.advance(31_000);
    expect((await graph.round(deltaLink)).rows).toMatchObject([{ subject: 'New' }]);
  });
});

describe('faults of a delta round', () => {
  beforeEach(() =>
    seed({ key: 'a', subject: 'A', start: '2026-12-02T09:00' }, { key: 'b', subject: 'B', start: '2026-12-03T09:00' }),
  );

  it('M7 refuses a delta token once', async () => {
    const { deltaLink } = await baseline();
    await control.addFaults({ name: 'M7' }, { name: 'M7', variant: 'resyncRequired', nth: 2 });
    expect((await graph.get(deltaLink)).status).toBe(410);
    expect((await graph.get(deltaLink)).body.error.code).toBe('resyncRequired');
    expect((await graph.get(deltaLink)).status).toBe(200);
  });

  it('M8 reports an existing event as @removed', async () => {
    const { deltaLink, rows } = await baseline();
    await control.addFaults({ name: 'M8' });
    expect((await graph.round(deltaLink)).rows).toMatchObject([{ id: rows[1]!.id, '@removed': {} }]);
    expect((await graph.get(`/me/events/${rows[1]!.id}`)).status).toBe(200);
  });

  it('M11 gives duplicate or stale rows, an empty page, a foreign link or a series of further pages', async () => {
    await control.addFaults({ name: 'M11' });
    expect((await baseline()).rows.map(({ subject }) => subject)).toEqual(['A', 'B', 'A', 'B']);
    await control.act({ account, do: 'edit', event: 'a', changes: { subject: 'A2' } });
    await control.addFaults({ name: 'M11', variant: 'stale' });
    expect((await baseline()).rows.map(({ subject }) => subject)).toEqual(['B', 'A2', 'A']);
    await control.addFaults({ name: 'M11', variant: 'empty-page' });
    const empty = await graph.get(start);
    expect([empty.body.value, empty.body['@odata.nextLink'] !== undefined]).toEqual([[], true]);
    expect((await graph.round(empty.body['@odata.nextLink']!)).rows).toHaveLength(2);
    await control.addFaults({ name: 'M11', variant: 'foreign-link' });
    expect((await graph.get(start)).body['@odata.deltaLink']).toContain('https://graph.attacker.example/v1.0/me/');
    await control.addFaults({ name: 'M11', variant: 'wedged', times: 5 });
    let link = start;
    for (let page = 0; page < 5; page += 1) link = (await graph.get(link)).body['@odata.nextLink']!;
    expect((await graph.round(link)).rows).toHaveLength(2);
  });

  it('F6 shuffles the rows of a page', async () => {
    await control.addFaults({ name: 'F6', variant: 'shuffled' });
    expect((await baseline()).rows.map(({ subject }) => subject)).toEqual(['B', 'A']);
  });
});
