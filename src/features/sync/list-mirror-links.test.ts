import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertOwnAccount } from '../../../test/harness/own-account.ts';
import { type SyncWorld, startSyncWorld } from '../../../test/harness/sync-world.ts';
import { signUpUser } from '../../../test/harness/test-client.ts';
import type { Actor } from '../../platform/actor.ts';
import { calendarContract } from '../calendar/contract.ts';
import { mostMirrorLinks, syncContract } from './contract.ts';
import { listMirrorLinks } from './list-mirror-links.ts';

let world: SyncWorld;
beforeAll(async () => {
  world = await startSyncWorld();
  const { left, right } = world;
  left.put('a.ics', 'UID:a@x\nSUMMARY:Talk\nDTSTART:20270302T150000Z\nDTEND:20270302T160000Z');
  left.put(
    's.ics',
    'UID:s@x\nSUMMARY:Standup\nDTSTART:20270303T090000Z\nDTEND:20270303T091500Z\nRRULE:FREQ=DAILY;COUNT=3',
  );
  right.put('f.ics', 'UID:f@x\nSUMMARY:Free\nTRANSP:TRANSPARENT\nDTSTART:20270302T150000Z\nDTEND:20270302T160000Z');
  await world.pass();
});
afterAll(() => world.close());

async function itemsOfWeek() {
  const range = { from: '2027-03-01T00:00:00Z', to: '2027-03-08T00:00:00Z' };
  const { events } = await world.person.as(calendarContract).listEvents({ query: range });
  return [...new Map(events.map((event) => [event.item_id, event])).values()];
}

const linksOf = async (ids: string[], person = world.person) => {
  const { links } = await person.as(syncContract).listMirrorLinks({ query: { item_ids: ids.join(',') } });
  return links;
};

test('mirror links show the state of mirrors or the original event, and leave out other events', async () => {
  const items = await itemsOfWeek();
  const links = await linksOf(items.map((item) => item.item_id));
  const linkOf = (title: string, calendarId: string) => {
    const item = items.find((one) => one.title === title && one.calendar_id === calendarId);
    return links.find((link) => link.item_id === item?.item_id);
  };
  const { left, right } = world;
  expect(links).toHaveLength(4);
  expect(linkOf('Talk', left.calendarId)).toMatchObject({
    origin: null,
    counts: { created: 1, pending: 0, failed: 0 },
  });
  expect(linkOf('Free', right.calendarId)).toBeUndefined();
  const blocks = links.filter((link) => link.origin !== null);
  expect(new Set(blocks.map((link) => link.origin?.title))).toEqual(new Set(['Standup', 'Talk']));
  for (const block of blocks) {
    expect(block).toMatchObject({ counts: null, origin: { calendar_name: 'left work' } });
    expect(items.some((item) => item.item_id === block.origin?.item_id)).toBe(true);
  }
});

test('a mirror that could not be written counts as failed', async () => {
  const { itemId } = await insertOwnAccount(world.server, world.person);
  expect(await linksOf([itemId])).toEqual([
    { item_id: itemId, origin: null, counts: { created: 0, pending: 0, failed: 1 } },
  ]);
});

test('several mirrors of an event in one calendar count once, as failed when one of them failed', async () => {
  const person = await signUpUser(world.server, 'many@example.org');
  const { itemId, mirrorId } = await insertOwnAccount(world.server, person);
  for (const state of ['created', 'pending']) {
    const other = JSON.stringify({ id: randomUUIDv7(), state, rec_id: state, identity_key: `${state}-key`, ref: null });
    await sql`
      insert into sync.mirrors
      select (jsonb_populate_record(m, ${other}::jsonb)).* from sync.mirrors m where id = ${mirrorId}`.execute(
      world.server.app.db,
    );
  }
  expect(await linksOf([itemId], person)).toEqual([
    { item_id: itemId, origin: null, counts: { created: 0, pending: 0, failed: 1 } },
  ]);
  const { mirrors } = await person.as(syncContract).readEventMirrors({ params: { itemId } });
  expect(mirrors.map(({ mirror_id, status }) => [mirror_id, status])).toEqual([[mirrorId, 'failed']]);
});

test('mirror links of another person are not listed', async () => {
  const other = await signUpUser(world.server, 'other@example.org');
  const ids = (await itemsOfWeek()).map((item) => item.item_id);
  expect(await linksOf(ids, other)).toEqual([]);
});

test('too many item ids and invalid item ids are refused', async () => {
  const id = '00000000-0000-4000-8000-000000000000';
  expect(await linksOf(new Array<string>(mostMirrorLinks).fill(id))).toEqual([]);
  for (const ids of [new Array<string>(mostMirrorLinks + 1).fill(id), ['x'], ['']]) {
    await expect(linksOf(ids)).rejects.toThrow('invalid_format');
  }
});

test('mirror links of a week take as many queries as those of one item', async () => {
  const ids = (await itemsOfWeek()).map((item) => item.item_id);
  const queriesFor = async (itemIds: string[]) => {
    let queries = 0;
    const db = world.server.app.db.withPlugin({
      transformQuery: ({ node }) => {
        queries += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    await listMirrorLinks({ ...world.server.app, db }, { userId: world.person.userId } as Actor, itemIds);
    return queries;
  };
  expect(ids.length).toBeGreaterThan(4);
  expect(await queriesFor(ids.slice(0, 1))).toBe(5);
  expect(await queriesFor(ids)).toBe(5);
});
