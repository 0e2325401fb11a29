import { afterEach, expect, test } from 'vitest';
import { type SyncWorld, startSyncWorld } from '../../../../test/harness/sync-world.ts';
import { calendarContract } from '../../calendar/contract.ts';
import { editsContract } from '../../edits/contract.ts';
import { meetingsContract } from '../../meetings/contract.ts';
import { syncContract } from '../contract.ts';

let world: SyncWorld;
afterEach(() => world.close());

test('a date that is set free is not shown as mirrored, while the other dates of its series are', async () => {
  world = await startSyncWorld();
  const { left, person } = world;
  left.put(
    'w.ics',
    'UID:w@x\nSUMMARY:Weekly\nDTSTART:20270304T150000Z\nDTEND:20270304T160000Z\nRRULE:FREQ=WEEKLY;COUNT=3\nATTENDEE;PARTSTAT=ACCEPTED:mailto:guest@example.net',
  );
  await world.pass();
  await world.pass();
  const query = { from: '2027-03-01T00:00:00Z', to: '2027-04-01T00:00:00Z' };
  const dates = async () =>
    (await person.as(calendarContract).listEvents({ query })).events.filter(
      (event) => event.calendar_id === left.calendarId && event.title === 'Weekly',
    );
  const mirrors = async () =>
    Promise.all(
      (await dates()).map(async ({ event_id, item_id }) => {
        const params = { itemId: item_id };
        const rec_id = event_id.slice(item_id.length + 1);
        const found = (await person.as(syncContract).readEventMirrors({ params, query: { rec_id } })).mirrors;
        return found.map(({ status }) => status);
      }),
    );
  const health = async () => {
    const { upcoming } = await person.as(meetingsContract).listMeetings({ query: { scope: 'upcoming' } });
    return Object.fromEntries(upcoming.map((row) => [row.date, row.mirrorHealth.total]));
  };
  expect(await mirrors()).toEqual([['created'], ['created'], ['created']]);
  expect(await health()).toEqual({ '2027-03-04': 1, '2027-03-11': 1, '2027-03-18': 1 });
  const second = (await dates())[1];
  if (second === undefined) throw new Error('there is no second date');
  await person.as(editsContract).changeEvent({
    params: { id: second.event_id },
    body: { scope: 'this', version: second.version, tell_guests: false, changes: { busy: 'free' } },
  });
  await world.server.settle();
  await world.pass();
  expect(await mirrors()).toEqual([['created'], [], ['created']]);
  expect(await health()).toEqual({ '2027-03-04': 1, '2027-03-11': 0, '2027-03-18': 1 });
});
