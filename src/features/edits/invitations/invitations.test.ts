import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SyncWorld, startSyncWorld } from '../../../../test/harness/sync-world.ts';
import { editsContract } from '../contract.ts';
import { invitationsContract } from './contract.ts';

let world: SyncWorld;
beforeEach(async () => {
  world = await startSyncWorld();
});
afterEach(() => world.close());

function invite(name: string, when: string, more: { rule?: string; partstat?: string } = {}) {
  const { rule = '', partstat = 'NEEDS-ACTION' } = more;
  const people = `ORGANIZER:mailto:ben@example.net\nATTENDEE;PARTSTAT=${partstat}:mailto:left@example.com`;
  world.left.put(
    `${name}.ics`,
    `UID:${name}@x\nSUMMARY:${name}\nDTSTART:${when}T100000Z\nDTEND:${when}T110000Z\n${people}${rule}`,
  );
}
const waiting = async () => (await world.person.as(invitationsContract).listInvitations({})).invitations;
const facts = async () => (await waiting()).map(({ event, scope }) => [event.title, event.start_time, scope]);

test('invitations without an answer are listed, a series once, the nearest first', async () => {
  invite('Series', '20270304', { rule: '\nRRULE:FREQ=WEEKLY' });
  invite('Review', '20270303');
  invite('Accepted', '20270303', { partstat: 'ACCEPTED' });
  invite('Over', '20200303');
  await world.pass();
  expect(await facts()).toEqual([
    ['Review', '2027-03-03T10:00:00.000Z', 'this'],
    ['Series', '2027-03-04T10:00:00.000Z', 'all'],
  ]);
});

test('an answered series leaves the list at once, and is back once the answer is undone', async () => {
  invite('Series', '20270304', { rule: '\nRRULE:FREQ=WEEKLY' });
  await world.pass();
  const [one] = await waiting();
  if (one === undefined) throw new Error('no invitation');
  const { edit } = await world.person.as(editsContract).answerInvitation({
    params: { event_id: one.event.event_id },
    body: { answer: 'accepted', scope: one.scope, version: one.event.version, note: null, tell_organizer: true },
  });
  expect(await facts()).toEqual([]);
  await world.server.settle();
  expect(await facts()).toEqual([]);
  await world.person.as(editsContract).undoEdit({ params: { edit_id: edit.edit_id } });
  await world.server.settle();
  expect(await facts()).toEqual([['Series', '2027-03-04T10:00:00.000Z', 'all']]);
});
