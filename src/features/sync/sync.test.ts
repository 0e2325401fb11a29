import { afterEach, expect, test } from 'vitest';
import { type SyncWorld, startSyncWorld } from '../../../test/harness/sync-world.ts';
import { calendarContract } from '../calendar/contract.ts';
import { connectionsContract } from '../connections/contract.ts';
import { meetingsContract } from '../meetings/contract.ts';
import { syncContract } from './contract.ts';
import { contested } from './store/intents.ts';

let world: SyncWorld;
afterEach(() => world.close());

const talk = (start: string, end: string, more = '') =>
  `UID:a@x\nSUMMARY:Secret talk\nDTSTART:${start}\nDTEND:${end}\n${more}`.trim();

test('an event is mirrored, its mirror follows each edit, and a second pass writes nothing', async () => {
  world = await startSyncWorld();
  const { left, right } = world;
  left.put('a.ics', talk('20270302T150000Z', '20270302T160000Z'));
  await world.pass();
  expect(right.blocks()).toHaveLength(1);
  const [block] = right.blocks();
  expect(block?.body).toContain('SUMMARY:Busy');
  expect(block?.body).toContain('DTSTART:20270302T150000Z');
  expect(block?.body).not.toContain('Secret');
  expect(left.blocks()).toHaveLength(0);
  world.writes();

  await world.pass();
  expect(world.writes()).toBe(0);

  left.put('a.ics', talk('20270302T170000Z', '20270302T180000Z'));
  await world.pass();
  expect(right.blocks().map((one) => one.name)).toEqual([block?.name]);
  expect(right.blocks()[0]?.body).toContain('DTSTART:20270302T170000Z');
  expect(world.writes()).toBe(1);

  left.remove('a.ics');
  await world.pass();
  expect(right.objects()).toEqual([]);
  expect(left.objects()).toEqual([]);
  await world.pass();
  expect(world.writes()).toBe(1);
});

test('a mirror is never mirrored back', async () => {
  world = await startSyncWorld();
  const { left, right } = world;
  for (let n = 0; n < 5; n += 1) {
    left.put(`l${n}.ics`, `UID:l${n}@x\nSUMMARY:L\nDTSTART:2027030${n + 2}T150000Z\nDTEND:2027030${n + 2}T160000Z`);
    right.put(`r${n}.ics`, `UID:r${n}@x\nSUMMARY:R\nDTSTART:2027030${n + 2}T170000Z\nDTEND:2027030${n + 2}T180000Z`);
  }
  for (let n = 0; n < 3; n += 1) await world.pass();
  expect([left.objects().length, right.objects().length]).toEqual([10, 10]);
  expect([left.blocks().length, right.blocks().length]).toEqual([5, 5]);
  expect(world.writes()).toBe(10);
});

test('a weekly series with a moved and a cancelled instance is mirrored as one series', async () => {
  world = await startSyncWorld();
  const { left, right } = world;
  left.put(
    's.ics',
    `BEGIN:VEVENT
    UID:s@x
    SUMMARY:Standup
    DTSTART;TZID=America/New_York:20270301T090000
    DTEND;TZID=America/New_York:20270301T093000
    RRULE:FREQ=WEEKLY;COUNT=6
    EXDATE;TZID=America/New_York:20270315T090000
    END:VEVENT
    BEGIN:VEVENT
    UID:s@x
    SUMMARY:Standup, moved
    RECURRENCE-ID;TZID=America/New_York:20270322T090000
    DTSTART;TZID=America/New_York:20270323T110000
    DTEND;TZID=America/New_York:20270323T113000
    END:VEVENT`,
  );
  await world.pass();
  expect(right.blocks()).toHaveLength(1);
  const range = { from: '2027-03-01T00:00:00Z', to: '2027-04-30T00:00:00Z' };
  const { events } = await world.person.as(calendarContract).listEvents({ query: range });
  const starts = (calendarId: string) =>
    events.filter((one) => one.calendar_id === calendarId).map((one) => one.start_time);
  expect(starts(left.calendarId)).toEqual([
    '2027-03-01T14:00:00.000Z',
    '2027-03-08T14:00:00.000Z',
    '2027-03-23T15:00:00.000Z', // moved, and on the other side of the change to summer time
    '2027-03-29T13:00:00.000Z',
    '2027-04-05T13:00:00.000Z',
  ]);
  expect(starts(right.calendarId)).toEqual(starts(left.calendarId));
  expect(events.filter((one) => one.is_holdfast_block).every((one) => one.title === 'Busy')).toBe(true);
});

test('free, declined and #nosync events are not mirrored, and an event that becomes free loses its mirror', async () => {
  world = await startSyncWorld();
  const { left, right } = world;
  left.put(
    'free.ics',
    `UID:free@x\nSUMMARY:Free\nTRANSP:TRANSPARENT\nDTSTART:20270302T150000Z\nDTEND:20270302T160000Z`,
  );
  left.put(
    'declined.ics',
    'UID:d@x\nSUMMARY:No\nDTSTART:20270302T150000Z\nDTEND:20270302T160000Z\nATTENDEE;PARTSTAT=DECLINED:mailto:left@example.com',
  );
  left.put('nosync.ics', 'UID:n@x\nSUMMARY:Gym #nosync\nDTSTART:20270302T150000Z\nDTEND:20270302T160000Z');
  left.put('a.ics', talk('20270302T150000Z', '20270302T160000Z'));
  await world.pass();
  expect(right.blocks()).toHaveLength(1);
  left.put('a.ics', talk('20270302T150000Z', '20270302T160000Z', 'TRANSP:TRANSPARENT'));
  await world.pass();
  expect(right.objects()).toHaveLength(0);
});

test('a changed mirror is restored, and a deleted mirror comes back once and then stays away', async () => {
  world = await startSyncWorld();
  const { left, right } = world;
  left.put('a.ics', talk('20270302T150000Z', '20270302T160000Z'));
  await world.pass();
  const [block] = right.blocks();
  if (block === undefined) throw new Error('no block');
  right.put(
    block.name,
    `${block.body.split('BEGIN:VEVENT')[1]?.split('END:VEVENT')[0]?.replace('SUMMARY:Busy', 'SUMMARY:Mine')}`,
  );
  await world.pass();
  await world.pass();
  expect(right.objects().map((one) => /SUMMARY:(.*)\r/.exec(one.body)?.[1])).toEqual(['Busy']);

  right.remove(block.name);
  await world.pass();
  await world.pass();
  expect(right.blocks()).toHaveLength(1);
  expect(right.blocks()[0]?.name).not.toBe(block.name);

  right.remove(right.blocks()[0]?.name ?? '');
  await world.pass();
  await world.pass();
  expect(right.objects()).toHaveLength(0);
  const { mirrors } = await world.person.as(meetingsContract).listMeetings({ query: { scope: 'mirrors' } });
  expect(mirrors.map((row) => [row.status, row.reason])).toEqual([['skipped', 'opted-out']]);
});

test('a mirror that keeps being changed is restored later each time, and at once on request', async () => {
  world = await startSyncWorld();
  const { left, right, person } = world;
  left.put('a.ics', talk('20270302T150000Z', '20270302T160000Z'));
  await world.pass();
  const titles = () => right.objects().map((one) => /SUMMARY:(.*)\r/.exec(one.body)?.[1]);
  const spoil = () => {
    const [block] = right.blocks();
    const inner = block?.body.split('BEGIN:VEVENT')[1]?.split('END:VEVENT')[0];
    right.put(block?.name ?? '', `${inner?.replace('SUMMARY:Busy', 'SUMMARY:Mine')}`);
  };
  const afterAWhile = async (minutes: number) => {
    world.clock.advance({ minutes });
    await world.pass();
    await world.pass();
    return titles();
  };
  for (let n = 0; n < 4; n += 1) {
    spoil();
    expect(await afterAWhile(1)).toEqual(['Busy']);
  }
  spoil();
  expect(await afterAWhile(1)).toEqual(['Mine']);
  const { mirrors } = await person.as(meetingsContract).listMeetings({ query: { scope: 'mirrors' } });
  expect(mirrors.map((row) => [row.status, row.error])).toEqual([['pending', contested]]);
  expect(await afterAWhile(50)).toEqual(['Mine']);
  expect(await afterAWhile(15)).toEqual(['Busy']);

  spoil();
  expect(await afterAWhile(70)).toEqual(['Mine']);
  await person.as(meetingsContract).resyncMirrors({ params: { eventId: mirrors[0]?.event_id ?? '' } });
  expect(await afterAWhile(1)).toEqual(['Busy']);
  spoil();
  expect(await afterAWhile(1)).toEqual(['Busy']);
});

test('mirrors that are deleted together come back, however often', async () => {
  world = await startSyncWorld();
  const { left, right } = world;
  for (let n = 10; n < 24; n += 1)
    left.put(`${n}.ics`, talk(`20270302T${n}0000Z`, `20270302T${n}3000Z`).replace(/UID:.*/, `UID:${n}@x`));
  await world.pass();
  for (let wipe = 0; wipe < 3; wipe += 1) {
    expect(right.blocks()).toHaveLength(14);
    for (const block of right.blocks()) right.remove(block.name);
    await world.pass();
    await world.pass();
  }
  expect(right.blocks()).toHaveLength(14);
});

test('many deletions at once are held back for a second listing', async () => {
  world = await startSyncWorld();
  const { left, right, person } = world;
  const sync = person.as(syncContract);
  for (let n = 0; n < 20; n += 1) {
    left.put(
      `${n}.ics`,
      `UID:${n}@x\nSUMMARY:E\nDTSTART:20270302T${String(n).padStart(2, '0')}0000Z\nDTEND:20270302T${String(n).padStart(2, '0')}3000Z`,
    );
  }
  await world.pass();
  expect(right.blocks()).toHaveLength(20);
  for (let n = 0; n < 20; n += 1) left.remove(`${n}.ics`);
  await world.pass();
  expect(right.blocks()).toHaveLength(20);
  const [waiting] = (await sync.listGroups()).groups;
  expect(waiting?.breakers.map((one) => [one.state, one.deletes])).toEqual([['waiting', 20]]);
});

test('a disconnected account leaves no trace on either side', async () => {
  world = await startSyncWorld();
  const { left, right, person } = world;
  left.put('a.ics', talk('20270302T150000Z', '20270302T160000Z'));
  right.put('b.ics', 'UID:b@x\nSUMMARY:B\nDTSTART:20270303T150000Z\nDTEND:20270303T160000Z');
  await world.pass();
  expect([left.blocks().length, right.blocks().length]).toEqual([1, 1]);
  await person.as(connectionsContract).disconnect({ params: { accountId: right.accountId } });
  await expect.poll(async () => (await person.as(connectionsContract).listAccounts()).accounts.length).toBe(1);
  expect(left.objects().map((one) => one.name)).toEqual(['a.ics']);
  expect(right.objects().map((one) => one.name)).toEqual(['b.ics']);
});
