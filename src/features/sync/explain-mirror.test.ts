import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { type SyncWorld, startSyncWorld } from '../../../test/harness/sync-world.ts';
import { signUpUser } from '../../../test/harness/test-client.ts';
import { calendarContract } from '../calendar/contract.ts';
import { connectionsContract } from '../connections/contract.ts';
import { syncContract } from './contract.ts';
import type { MirrorRulePatch } from './rules/mirror-rule.ts';

let world: SyncWorld;
afterEach(() => world.close());

const event = (uid: string, from: string, to: string, more = '') =>
  `UID:${uid}@x\nSUMMARY:Event ${uid}\nDTSTART:${from}\nDTEND:${to}\n${more}`.trim();
const sync = () => world.person.as(syncContract);

async function idOf(title: string): Promise<string> {
  const { events } = await world.person
    .as(calendarContract)
    .listEvents({ query: { from: '2027-02-01T00:00:00Z', to: '2027-05-01T00:00:00Z' } });
  const found = events.find((one) => one.title === title && !one.is_holdfast_block);
  if (found === undefined) throw new Error(`There is no ${title}`);
  return found.event_id;
}

/** The answer for an event in the right calendar: the verdict, and the codes of its reasons. */
async function said(title: string) {
  const { targets } = await sync().explainMirror({
    query: { event_id: await idOf(title), calendar_id: world.right.calendarId },
  });
  const [answer] = targets;
  if (answer === undefined) throw new Error('Nothing was said');
  return { verdict: answer.verdict, codes: answer.reasons.map((one) => one.code), reasons: answer.reasons };
}

async function change(rule: MirrorRulePatch, more: object = {}) {
  const [group] = (await sync().listGroups()).groups;
  if (group === undefined) throw new Error('There is no group');
  const { groupId, name, enabled, members, pairs, revision } = group;
  await sync().changeGroup({ params: { groupId }, body: { name, enabled, members, pairs, rule, revision, ...more } });
  return groupId;
}

test('the explanation of a missing mirror names each reason and the setting behind it', async () => {
  world = await startSyncWorld();
  const { left, right } = world;
  left.put('a.ics', event('a', '20270304T150000Z', '20270304T160000Z'));
  left.put('free.ics', event('free', '20270305T150000Z', '20270305T160000Z', 'TRANSP:TRANSPARENT'));
  left.put('quiet.ics', event('quiet', '20270306T150000Z', '20270306T160000Z', 'DESCRIPTION:#nosync'));
  await world.pass();
  expect(await said('Event a')).toMatchObject({ verdict: 'copied', codes: ['stands'] });
  expect(await said('Event free')).toMatchObject({
    verdict: 'not-copied',
    reasons: [{ code: 'not-busy', facts: { why: 'shown-free' }, setting: { kind: 'event' } }],
  });
  expect((await said('Event quiet')).reasons).toMatchObject([{ code: 'keyword', facts: { kind: 'nosync' } }]);

  const hours = { start: '08:00', end: '09:00', weekdays: [1], zone: 'America/New_York' };
  const groupId = await change({ hours, excludeKeywords: ['event'] });
  await world.server.settle();
  expect(await said('Event a')).toMatchObject({
    verdict: 'not-copied',
    reasons: [{ code: 'keyword', facts: { kind: 'excluded', word: 'event' }, setting: { kind: 'group', id: groupId } }],
  });

  await change({}, { enabled: false });
  await world.server.settle();
  expect((await said('Event a')).codes).toEqual(['group-off']);

  const pair = { sourceCalendarId: left.calendarId, targetCalendarId: right.calendarId, enabled: false, rule: {} };
  await change({}, { enabled: true, pairs: [pair] });
  await world.server.settle();
  expect((await said('Event a')).codes).toEqual(['pair-off']);

  await sync().removeGroup({ params: { groupId } });
  await world.server.settle();
  expect((await said('Event a')).codes).toEqual(['no-group']);
});

test('the explanation of a mirror says when it is pending, failed, or waiting for its account', async () => {
  world = await startSyncWorld();
  const { left, right } = world;
  left.put('a.ics', event('a', '20270304T150000Z', '20270304T160000Z'));
  await world.pass();
  const { db } = world.server.app;
  await sql`update sync.mirrors set state = 'failed', error_message = 'The server is full.'`.execute(db);
  expect(await said('Event a')).toMatchObject({
    verdict: 'failed',
    reasons: [{ code: 'failed', facts: { error: 'The server is full.' }, setting: { kind: 'mirrors' } }],
  });
  await sql`update sync.mirrors set state = 'pending', error_message = null`.execute(db);
  expect(await said('Event a')).toMatchObject({ verdict: 'on-its-way', codes: ['waiting'] });
  await sql`update connections.connections set status = 'needs-reconnect' where id = ${right.accountId}`.execute(db);
  expect(await said('Event a')).toMatchObject({
    verdict: 'on-its-way',
    reasons: [{ code: 'reconnect', setting: { kind: 'connection', id: right.accountId } }],
  });
  await sql`update sync.mirrors set state = 'skipped', reason = 'opted-out'`.execute(db);
  expect(await said('Event a')).toMatchObject({ verdict: 'not-copied', codes: ['opted-out'] });
  await sql`update sync.mirrors set state = 'created'`.execute(db);
  await sql`update connections.calendars set writable = false where id = ${right.calendarId}`.execute(db);
  expect(await said('Event a')).toMatchObject({ verdict: 'copied', codes: ['stands', 'not-writable'] });
});

test('one instance of a series has its own explanation, and a mirror block leads to its original event', async () => {
  world = await startSyncWorld();
  const { left, right } = world;
  left.put(
    's.ics',
    `BEGIN:VEVENT
    UID:s@x
    SUMMARY:Standup
    DTSTART;TZID=America/New_York:20270302T090000
    DTEND;TZID=America/New_York:20270302T093000
    RRULE:FREQ=WEEKLY;COUNT=4
    END:VEVENT
    BEGIN:VEVENT
    UID:s@x
    SUMMARY:Standup without me
    RECURRENCE-ID;TZID=America/New_York:20270309T090000
    DTSTART;TZID=America/New_York:20270309T090000
    DTEND;TZID=America/New_York:20270309T093000
    TRANSP:TRANSPARENT
    END:VEVENT`.replaceAll(/^ +/gm, ''),
  );
  await world.pass();
  expect(await said('Standup')).toMatchObject({ verdict: 'copied', codes: ['stands', 'in-series'] });
  expect(await said('Standup without me')).toMatchObject({ verdict: 'not-copied', codes: ['not-busy'] });
  const [itemId = ''] = (await idOf('Standup')).split('_');
  const { event: asked } = await sync().explainMirror({ query: { event_id: itemId } });
  expect(asked).toMatchObject({ title: 'Standup', start_time: '2027-03-02T14:00:00.000Z', recurring: true });
  expect((await refused(`${itemId}_20270310T140000Z`)).codes).toEqual(['no-instance']);

  const { events } = await world.person.as(calendarContract).listEvents({
    query: { from: '2027-03-01T00:00:00Z', to: '2027-03-04T00:00:00Z', calendar_ids: right.calendarId },
  });
  const block = events.find((one) => one.is_holdfast_block);
  const { targets } = await sync().explainMirror({
    query: { event_id: block?.event_id ?? '', calendar_id: left.calendarId },
  });
  expect(targets[0]?.reasons).toMatchObject([
    { code: 'own-block', facts: { title: 'Standup' }, setting: { kind: 'event', id: itemId } },
  ]);
});

async function refused(eventId: string) {
  const { targets } = await sync().explainMirror({ query: { event_id: eventId, calendar_id: world.right.calendarId } });
  return { codes: targets[0]?.reasons.map((one) => one.code) };
}

test('events and calendars of another person are never explained', async () => {
  world = await startSyncWorld();
  world.left.put('a.ics', event('a', '20270304T150000Z', '20270304T160000Z'));
  await world.pass();
  const eventId = await idOf('Event a');
  const stranger = await signUpUser(world.server, 'stranger@example.org');
  const ask = (query: { event_id: string; calendar_id?: string }) => stranger.as(syncContract).explainMirror({ query });
  await expect(ask({ event_id: eventId })).rejects.toMatchObject({ status: 404 });
  const { calendars } = await stranger.as(connectionsContract).listIntegrationCalendars();
  expect(calendars.map((one) => one.calendarId)).not.toContain(world.left.calendarId);
  await expect(stranger.as(calendarContract).explainBusy({ query: { event_id: eventId } })).rejects.toMatchObject({
    status: 404,
  });
  const { events } = await stranger.as(calendarContract).explainBusy({ query: { at: '2027-03-04T15:30:00Z' } });
  expect(events).toEqual([]);
});

test('a busy time is explained by the events that take it, also in hidden calendars', async () => {
  world = await startSyncWorld();
  const { left } = world;
  left.put('a.ics', event('a', '20270304T150000Z', '20270304T160000Z'));
  left.put('maybe.ics', event('maybe', '20270304T140000Z', '20270304T170000Z', 'STATUS:TENTATIVE'));
  left.put('free.ics', event('free', '20270304T150000Z', '20270304T160000Z', 'TRANSP:TRANSPARENT'));
  await world.pass();
  const freeId = await idOf('Event free');
  await sql`update connections.calendars set visible = false`.execute(world.server.app.db);
  const calendar = world.person.as(calendarContract);
  const { busy, events } = await calendar.explainBusy({ query: { at: '2027-03-04T15:30:00Z' } });
  expect(busy).toBe(true);
  expect(events.map(({ title, class: kind, reason }) => [title, kind, reason])).toEqual([
    ['Event maybe', 'busy', 'tentative'],
    ['Event a', 'busy', 'busy'],
    ['Event free', 'free', 'shown-free'],
    // the block of each in the other calendar blocks nothing of its own
    ['Busy', 'ignore', 'own-block'],
    ['Busy', 'ignore', 'own-block'],
  ]);
  expect(await calendar.explainBusy({ query: { event_id: freeId } })).toMatchObject({
    at: null,
    busy: false,
    events: [{ title: 'Event free', reason: 'shown-free' }],
  });
  expect(await calendar.explainBusy({ query: { at: '2027-03-04T17:00:00Z' } })).toMatchObject({
    busy: false,
    events: [],
  });
  await expect(calendar.explainBusy({ query: {} })).rejects.toMatchObject({ code: 'ASK_ONE' });
});
