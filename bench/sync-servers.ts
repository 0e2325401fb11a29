import { generateCalendar } from '#emulators/caldav/generate-calendar.ts';
import { type CaldavServer, startRadicale, startXandikos, whyMissing } from '../test/harness/caldav-servers.ts';
import { type Contender, interleave, median, ratio, timed } from './harness.ts';
import { createMinimalClient, type MinimalClient, mirrorMinimally } from './minimal-client.ts';
import { prepare, prepareEmpty, runOurs } from './scenario.ts';
import type { SyncWorld } from './sync.ts';
import { createVdirsyncer, hasVdirsyncer } from './vdirsyncer.ts';

/** M3: real servers, whose own work for each new object is the limit. */
export async function measureRealServers(world: SyncWorld): Promise<void> {
  const count = world.options.quick ? 100 : 1_000;
  for (const [program, start] of [
    ['radicale', startRadicale],
    ['xandikos', startXandikos],
  ] as const) {
    const missing = whyMissing(program);
    if (missing !== null) {
      world.print(missingRow('M3', `initial mirror of ${count} into ${program}`, missing));
      continue;
    }
    const server = await start();
    try {
      await measureRealServer(world, server, count);
    } finally {
      await server.stop();
    }
  }
}

async function measureRealServer(world: SyncWorld, server: CaldavServer, count: number): Promise<void> {
  const { source } = await prepare(world.emulator, count);
  let made = 0;
  // A new empty calendar for each run; the server keeps the old ones apart.
  const fresh = async () => {
    made += 1;
    const url = await server.createCalendar(`run ${made}`);
    return { url, path: new URL(url).pathname, name: `run-${made}` };
  };
  const account = { url: server.url, user: server.username, password: server.password };
  const floorWith = (writers: number) => async () => {
    const calendar = await fresh();
    const from = createMinimalClient(source, 1);
    const to = createMinimalClient(account, writers);
    const ms = await timed(() =>
      mirrorMinimally({
        source: from,
        sourceCollection: source.path,
        target: to,
        targetCollection: calendar.path,
        writers,
      }),
    );
    await expectStored(to, calendar.path, count);
    from.close();
    to.close();
    await server.removeCalendar(calendar.url);
    return ms;
  };
  const contenders = [
    {
      name: 'ours',
      async run() {
        const calendar = await fresh();
        const empty = await prepareEmpty(world.emulator, count);
        const ms = await runOurs(world, empty, { ...account, calendar: calendar.name });
        const check = createMinimalClient(account, 1);
        await expectStored(check, calendar.path, count);
        check.close();
        await server.removeCalendar(calendar.url);
        return ms;
      },
    },
    { name: '2 writers', run: floorWith(2) },
    { name: '8 writers', run: floorWith(8) },
  ];
  if (hasVdirsyncer()) {
    contenders.push({
      name: 'vdirsyncer',
      async run() {
        const calendar = await fresh();
        const vdirsyncer = await createVdirsyncer(
          { ...source, collection: source.calendar },
          { ...account, collection: calendar.name },
        );
        const ms = await timed(() => vdirsyncer.sync());
        vdirsyncer.close();
        await server.removeCalendar(calendar.url);
        return ms;
      },
    });
  }
  const samples = await interleave(contenders, 1);
  const best = median(samples['2 writers']!) < median(samples['8 writers']!) ? '2 writers' : '8 writers';
  const times = ratio(samples, 'ours', best);
  world.print({
    id: 'M3',
    what: `initial mirror of ${count} events into ${server.name}`,
    unit: 's',
    ours: median(samples.ours!) / 1000,
    floor: median(samples[best]!) / 1000,
    peers: { vdirsyncer: samples.vdirsyncer ? median(samples.vdirsyncer) / 1000 : null },
    gate: '<= 1.2x the best floor of the run',
    passed: times <= 1.2,
    note: `${times.toFixed(2)}x floor (${best}; 2 writers ${(median(samples['2 writers']!) / 1000).toFixed(1)} s, 8 writers ${(median(samples['8 writers']!) / 1000).toFixed(1)} s); one run each: the server's own work is steady`,
  });
}

async function expectStored(client: MinimalClient, path: string, count: number): Promise<void> {
  const { changed } = await client.list(path, '');
  if (changed.length !== count) throw new Error(`${changed.length} of ${count} objects stand: nothing to compare`);
}

/** M4: a pass over two full Radicale calendars in which nothing changed. */
export async function measureQuietRadicale(world: SyncWorld): Promise<void> {
  const missing = whyMissing('radicale');
  for (const count of world.options.quick ? [100] : [1_000, 5_000]) {
    const what = `a pass with nothing changed in two Radicale calendars of ${count}`;
    if (missing !== null) {
      world.print(missingRow('M4', what, missing));
      continue;
    }
    const server = await startRadicale();
    try {
      await measureQuietRadicalePair(world, server, count, what);
    } finally {
      await server.stop();
    }
  }
}

async function measureQuietRadicalePair(
  world: SyncWorld,
  server: CaldavServer,
  count: number,
  what: string,
): Promise<void> {
  const account = { url: server.url, user: server.username, password: server.password };
  const [work, copy] = [await server.createCalendar('work'), await server.createCalendar('copy')];
  await uploadWhole(server, work, count);
  await uploadWhole(server, copy, count);
  const client = createMinimalClient(account, 2);
  const paths = [new URL(work).pathname, new URL(copy).pathname];
  const pair = await world.engine.connect({ ...account, calendar: 'work' }, { ...account, calendar: 'copy' });
  const home = new URL('../', work).pathname;
  const pass = async () => {
    await pair.handOut();
    return await timed(() => Promise.all([pair.pullSource(), pair.pullTarget()]));
  };
  await pass();
  const tokens = await Promise.all(paths.map(async (path) => (await client.list(path, '')).token));
  const contenders: Contender[] = [
    { name: 'ours', run: pass },
    {
      name: 'two reports',
      run: () => timed(() => Promise.all(paths.map((path, index) => client.list(path, tokens[index]!)))),
    },
    { name: 'tags', run: () => timed(() => client.tags(home)) },
  ];
  const vdirsyncer = hasVdirsyncer()
    ? await createVdirsyncer({ ...account, collection: 'work' }, { ...account, collection: 'copy' })
    : null;
  if (vdirsyncer) {
    await vdirsyncer.sync();
    contenders.push({ name: 'vdirsyncer', run: () => timed(() => vdirsyncer.sync()) });
  }
  await pair.comeToRest();
  const samples = await interleave(contenders, 3, 1);
  vdirsyncer?.close();
  client.close();
  const times = samples.vdirsyncer ? ratio(samples, 'vdirsyncer', 'ours') : null;
  const floors = { 'two reports': median(samples['two reports']!), 'the tags of the account': median(samples.tags!) };
  const [best, floorMs] = Object.entries(floors).toSorted(([, one], [, other]) => one - other)[0]!;
  world.print({
    id: 'M4',
    what,
    unit: 's',
    ours: median(samples.ours!) / 1000,
    floor: floorMs / 1000,
    peers: { vdirsyncer: samples.vdirsyncer ? median(samples.vdirsyncer) / 1000 : null },
    gate: '>= 10x vdirsyncer',
    passed: times === null ? null : times >= 10,
    note: `${times === null ? 'vdirsyncer is missing' : `${times.toFixed(1)}x faster than vdirsyncer`}; floor: ${best}, ${Object.values(
      floors,
    )
      .map((ms) => ms.toFixed(0))
      .join(' and ')} ms by reports and by tags`,
  });
}

/** Radicale takes a whole calendar in one PUT; one by one, five thousand would take nine minutes. */
async function uploadWhole(server: CaldavServer, url: string, count: number): Promise<void> {
  const fromDay = Temporal.Now.plainDateISO('UTC').add({ days: 1 }).toString();
  const objects = generateCalendar({ count, fromDay });
  const zone = /BEGIN:VTIMEZONE[\s\S]*?END:VTIMEZONE\r\n/.exec(objects[0]!.body)![0];
  const events = objects.flatMap(({ body }) => body.match(/BEGIN:VEVENT[\s\S]*?END:VEVENT\r\n/g) ?? []);
  const response = await fetch(url, {
    method: 'PUT',
    headers: {
      authorization: `Basic ${Buffer.from(`${server.username}:${server.password}`).toString('base64')}`,
      'content-type': 'text/calendar; charset=utf-8',
    },
    body: `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//bench//EN\r\n${zone}${events.join('')}END:VCALENDAR\r\n`,
  });
  if (!response.ok) throw new Error(`Radicale refused the calendar: ${response.status} ${await response.text()}`);
}

function missingRow(id: string, what: string, note: string) {
  return { id, what, unit: 's', ours: null, floor: null, peers: {}, gate: '-', passed: null, note };
}
