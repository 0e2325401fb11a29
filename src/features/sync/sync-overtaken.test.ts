import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Side, type SyncWorld, startSyncWorld } from '../../../test/harness/sync-world.ts';
import { connectRemote } from '../../emulators/caldav/remote.ts';
import type { FaultMatch } from '../../emulators/kit/faults.ts';
import { inTransaction } from '../../platform/db.ts';
import { meetingsContract } from '../meetings/contract.ts';
import { pullCalendar } from './pull.ts';
import { listKnownBlocks, markTouched } from './store/own-blocks.ts';

/**
 * Others change or delete a block, and a pull stores that, while the call that writes the block is still without its
 * answer. No listing follows: what is to be noticed is noticed from that pull alone.
 */

let world: SyncWorld;
beforeEach(async () => {
  world = await startSyncWorld();
});
afterEach(() => world.close());

const event = (hour: number) =>
  `UID:a@x\nSUMMARY:Secret\nDTSTART:20270302T${hour}0000Z\nDTEND:20270302T${hour + 1}0000Z`;

/** Writes an event on the left; `meanwhile` happens on the right as the block of it is being written there. */
async function overtake(hour: number, match: FaultMatch, meanwhile: () => void) {
  const { left, right, server, emulatorUrl } = world;
  const hold = await connectRemote(emulatorUrl).hold({ path: '/calendars/right/', ...match });
  left.put('a.ics', event(hour));
  const signal = AbortSignal.timeout(10_000);
  await pullCalendar(server.app, left.calendarId, signal);
  await hold.parked();
  meanwhile();
  await pullCalendar(server.app, right.calendarId, signal);
  return async () => {
    await hold.release('answer');
    await server.settle();
  };
}

const change = (how: (inner: string) => string) => () => {
  const [block] = world.right.objects();
  const inner = block?.body.split('BEGIN:VEVENT')[1]?.split('END:VEVENT')[0] ?? '';
  world.right.put(block?.name ?? '', how(inner));
};
const retitle = change((inner) => inner.replace('SUMMARY:Busy', 'SUMMARY:Mine'));
const remove = () => world.right.remove(world.right.objects()[0]?.name ?? '');

const refOf = (side: Side) => `/calendars/${side.user.name}/${side.calendar.name}/${side.objects()[0]?.name}`;
const standing = () =>
  world.right.objects().map(({ body }) => [/SUMMARY:(.*)\r/.exec(body)?.[1], /DTSTART:(.*)\r/.exec(body)?.[1]]);
const trail = async () => {
  const meetings = world.person.as(meetingsContract);
  const { mirrors } = await meetings.listMeetings({ query: { scope: 'mirrors' } });
  const { logs } = await meetings.readAudit({ params: { id: mirrors[0]?.event_id ?? '' } });
  return { status: mirrors.map((row) => row.status), types: logs.map((one) => one.type).toReversed() };
};

/** As the planner has left them. */
const generations = async () => {
  const { rows } = await sql<{ generation: number }>`select generation from sync.mirrors`.execute(world.server.app.db);
  return rows.map((row) => row.generation);
};

/** No unread notifications again, and nothing is left to do. */
async function expectRest() {
  await world.server.settle();
  world.writes();
  await world.pass();
  expect(world.writes()).toBe(0);
}

describe('mirrors changed before their write is confirmed', () => {
  test('a new mirror that is changed before its write is confirmed is restored', async () => {
    const release = await overtake(15, { op: 'create', phase: 'after' }, retitle);
    await release();
    expect(standing()).toEqual([['Busy', '20270302T150000Z']]);
    expect(await trail()).toEqual({ status: ['created'], types: ['mirror.created', 'mirror.drift', 'mirror.updated'] });
    await expectRest();
  });

  test('a moved mirror that is changed before its write is confirmed is restored', async () => {
    world.left.put('a.ics', event(15));
    await world.pass();
    const release = await overtake(18, { op: 'update', phase: 'after' }, retitle);
    await release();
    expect(standing()).toEqual([['Busy', '20270302T180000Z']]);
    await expectRest();
  });

  test('a mirror that loses its tags before its write is confirmed is recognized and not mirrored back', async () => {
    const strip = change((inner) => inner.replaceAll(/X-HOLDFAST[^\r]*\r\n/g, '').replace('Busy', 'Mine'));
    const release = await overtake(15, { op: 'create', phase: 'after' }, strip);
    await release();
    expect(standing()).toEqual([['Busy', '20270302T150000Z']]);
    expect(world.left.objects().map((one) => one.name)).toEqual(['a.ics']);
    await expectRest();
  });

  test('a mirror that is changed before its next write arrives is written over', async () => {
    world.left.put('a.ics', event(15));
    await world.pass();
    const release = await overtake(18, { op: 'update', phase: 'before' }, retitle);
    await release();
    expect(standing()).toEqual([['Busy', '20270302T180000Z']]);
    expect((await trail()).types).toEqual(['mirror.created', 'mirror.updated']);
    await expectRest();
  });
});

describe('mirrors deleted before their write is confirmed', () => {
  test.each([
    ['before it was moved', 'before', false],
    ['before it was moved, and planned anew', 'before', true],
    ['after it was moved', 'after', false],
    ['after it was moved, and planned anew', 'after', true],
  ] as const)('a mirror that was deleted %s comes back once', async (_, phase, isPlanned) => {
    world.left.put('a.ics', event(15));
    await world.pass();
    const [block] = world.right.blocks();
    const release = await overtake(18, { op: 'update', phase }, remove);
    if (isPlanned) await expect.poll(generations).toEqual([2]);
    await release();
    expect(standing()).toEqual([['Busy', '20270302T180000Z']]);
    expect(world.right.blocks()[0]?.name).not.toBe(block?.name);
    expect((await trail()).status).toEqual(['created']);
    await expectRest();
  });
});

describe('pull responses that are older than a write', () => {
  /** Delivers an answer of the right side that is outdated: `meanwhile` runs before it is stored. */
  async function answerLate(op: string, meanwhile: () => Promise<void>) {
    const { right, server, emulatorUrl } = world;
    const hold = await connectRemote(emulatorUrl).hold({ path: '/calendars/right/', op, phase: 'after' });
    const pull = pullCalendar(server.app, right.calendarId, AbortSignal.timeout(10_000));
    await hold.parked();
    await meanwhile();
    await hold.release('answer');
    await pull;
    await server.settle();
  }
  const readLeft = async () => {
    await pullCalendar(world.server.app, world.left.calendarId, AbortSignal.timeout(10_000));
    await world.server.settle();
  };

  test('a late pull response does not mark a rewritten mirror as deleted', async () => {
    world.left.put('a.ics', event(15));
    await world.pass();
    const [block] = world.right.blocks();
    world.left.remove('a.ics');
    await readLeft();
    expect(world.right.objects()).toEqual([]);
    await answerLate('sync-collection', async () => {
      world.left.put('a.ics', event(18));
      await readLeft();
    });
    expect(standing()).toEqual([['Busy', '20270302T180000Z']]);
    expect(world.right.objects()[0]?.name).toBe(block?.name);
    await expectRest();
  });

  test('a late pull response does not mark a rewritten mirror as changed', async () => {
    world.left.put('a.ics', event(15));
    await readLeft();
    retitle();
    await answerLate('multiget', async () => {
      world.left.put('a.ics', event(18));
      await readLeft();
    });
    expect(standing()).toEqual([['Busy', '20270302T180000Z']]);
    expect((await trail()).types).toEqual(['mirror.created', 'mirror.updated', 'mirror.repaired']);
    await expectRest();
  });
});

test('a deletion that is reported again while its mirror is rewritten counts once', async () => {
  const { left, right, server } = world;
  left.put('a.ics', event(15));
  await world.pass();
  const { db } = server.app;
  const seen = await listKnownBlocks(db, right.calendarId, [refOf(right)], null);
  const touched = seen.map(({ id, ref }) => ({ id, ref: ref ?? '', seen: 'gone' as const, version: null }));
  remove();
  const hold = await connectRemote(world.emulatorUrl).hold({
    path: '/calendars/right/',
    op: 'create',
    phase: 'before',
  });
  await pullCalendar(server.app, right.calendarId, AbortSignal.timeout(10_000));
  await hold.parked();
  // by a reader of the ledger before the planner changed it
  expect(await inTransaction(db, async (tx) => markTouched(tx, touched))).toEqual([]);
  await hold.release('answer');
  await server.settle();
  expect(standing()).toEqual([['Busy', '20270302T150000Z']]);
  expect((await trail()).types).toEqual(['mirror.created', 'mirror.drift', 'mirror.created']);
  await expectRest();
});

test('a mirror that is removed while it is planned is written again', async () => {
  const { left, right, server } = world;
  left.put('a.ics', event(15));
  await world.pass();
  const { db } = server.app;
  // the writer's effect on the row, which the planner has read and waits to lock
  await inTransaction(db, async (tx) => {
    await sql`select from sync.mirrors for update`.execute(tx);
    left.put('a.ics', event(18));
    await pullCalendar(server.app, left.calendarId, AbortSignal.timeout(10_000));
    await expect.poll(waitsForRow, { message: 'whether the planner waits for the row' }).toBe(true);
    remove();
    await sql`delete from sync.mirrors`.execute(tx);
  });
  await server.settle();
  expect(standing()).toEqual([['Busy', '20270302T180000Z']]);
  expect(right.objects()).toHaveLength(1);
  await expectRest();
});

async function waitsForRow(): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%update sync.mirrors m set%'`.execute(
    world.server.app.db,
  );
  return rows.length > 0;
}
