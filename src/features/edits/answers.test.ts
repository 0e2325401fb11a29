import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readMails } from '../../../test/harness/read-mails.ts';
import { type SyncWorld, startSyncWorld } from '../../../test/harness/sync-world.ts';
import { calendarContract } from '../calendar/contract.ts';
import { editsContract } from './contract.ts';

/** Invitations on an emulated CalDAV server that sends no answers; the calendar is mirrored to another. */

let world: SyncWorld;
beforeEach(async () => {
  world = await startSyncWorld();
  // a reply is mailed only from an address that its person has confirmed here
  await sql`update accounts.users set email = ${own} where id = ${world.person.userId}`.execute(world.server.app.db);
});
afterEach(() => world.close());

const range = { from: '2027-03-01T00:00:00Z', to: '2027-05-01T00:00:00Z' };
const edits = () => world.person.as(editsContract);
const own = 'left@example.com';

interface Invitation {
  time?: string;
  more?: string;
  organizer?: string;
  partstat?: string | null;
}

function invite({
  time = '100000',
  more = '',
  organizer = 'ben@example.net',
  partstat = 'NEEDS-ACTION',
}: Invitation = {}) {
  const me = partstat === null ? '' : `\nATTENDEE;PARTSTAT=${partstat}:mailto:${own}`;
  const people = `ORGANIZER:mailto:${organizer}\nATTENDEE;PARTSTAT=ACCEPTED:mailto:ben@example.net${me}`;
  const end = `${Number(time) + 10_000}`;
  const when = `DTSTART:20270303T${time}Z\nDTEND:20270303T${end}Z`;
  world.left.put('a.ics', `UID:a@x\nSUMMARY:Review\n${when}\n${people}${more}`);
}

const events = async () =>
  (await world.person.as(calendarContract).listEvents({ query: range })).events.filter(
    (one) => one.calendar_id === world.left.calendarId && !one.is_holdfast_block,
  );
const eventOn = async (day = '2027-03-03') => {
  const found = (await events()).find((one) => one.start_time.startsWith(day));
  if (found === undefined) throw new Error(`nothing at ${day}`);
  return found;
};

interface Said {
  scope?: 'this' | 'all';
  day?: string;
  note?: string | null;
  tell?: boolean;
  settles?: boolean;
}

async function answer(
  word: 'accepted' | 'tentative' | 'declined',
  { scope = 'this', day, note = null, tell = true, settles = true }: Said = {},
) {
  const { event_id, version } = await eventOn(day);
  const { edit } = await edits().answerInvitation({
    params: { event_id },
    body: { answer: word, scope, version, note, tell_organizer: tell },
  });
  if (settles) await world.server.settle();
  return edit.edit_id;
}
const stateOf = async (editId: string) =>
  (await edits().listEdits({ query: range })).edits.find((one) => one.edit_id === editId);
const ownLines = () =>
  world.left.objects().flatMap(({ body }) => body.split('\r\n').filter((line) => line.includes(`:mailto:${own}`)));
const mails = async () =>
  (await readMails(world.server, 'ben@example.net')).map((mail) => ({
    ...mail,
    subject: mail.subject.replaceAll(/[\u2068\u2069]/g, ''),
  }));

test('an unanswered invitation can be answered and blocks; a declined one frees its time and its mirror at once', async () => {
  invite();
  await world.pass();
  expect(await eventOn()).toMatchObject({ answer: 'needs-action', class: 'busy', editable: false });
  expect(world.right.blocks()).toHaveLength(1);
  await answer('declined');
  // nobody has read anything since
  expect(await eventOn()).toMatchObject({ answer: 'declined', declined: true, class: 'ignore' });
  expect(world.right.blocks()).toHaveLength(0);
  await answer('accepted');
  expect(await eventOn()).toMatchObject({ answer: 'accepted', declined: false, tentative: false, class: 'busy' });
  expect(world.right.blocks()).toHaveLength(1);
  await answer('tentative');
  expect(await eventOn()).toMatchObject({ answer: 'tentative', tentative: true, class: 'busy' });
  expect(ownLines()).toEqual([`ATTENDEE;PARTSTAT=TENTATIVE:mailto:${own}`]);
});

test('the answer shows before it is written', async () => {
  invite();
  await world.pass();
  const editId = await answer('declined', { settles: false });
  const shown = await stateOf(editId);
  if (shown?.state === 'pending') expect(shown.events).toMatchObject([{ answer: 'declined', class: 'ignore' }]);
  expect(shown?.kind).toBe('answer');
  await world.server.settle();
});

test.each([
  [true, ['Declined: Review']],
  [false, []],
])('the organizer is mailed once if that is wished (%s), with the note', async (tell, subjects) => {
  invite();
  await world.pass();
  await answer('declined', { tell, note: 'On the train' });
  const sent = await mails();
  expect(sent.map(({ subject }) => subject)).toEqual(subjects);
  // the text of a person is in the calendar file only, where no mail program makes links of it
  if (tell) expect(JSON.stringify(sent[0]?.content)).not.toContain('On the train');
});

test.each([
  [
    'an address that the server calls its user’s',
    'ceo@bank.example',
    'ben@example.net',
    'not to your confirmed address',
  ],
  ['an organizer whose address no mail can have', own, 'a(b)@example.net', 'no email can be sent'],
])(
  '%s: the answer is in the calendar, nobody is mailed, and the person hears of it',
  async (_, confirmed, organizer, why) => {
    await sql`update accounts.users set email = ${confirmed} where id = ${world.person.userId}`.execute(
      world.server.app.db,
    );
    invite({ organizer });
    await world.pass();
    const editId = await answer('declined');
    expect(await stateOf(editId)).toMatchObject({ state: 'done', message: expect.stringContaining(why) });
    expect(await readMails(world.server, organizer)).toEqual([]);
    // kept until it is dismissed
    world.clock.advance({ hours: 24 });
    expect(await stateOf(editId)).toMatchObject({ message: expect.stringContaining(why) });
    await edits().dismissEdit({ params: { edit_id: editId } });
    expect(await stateOf(editId)).toBeUndefined();
  },
);

test('an answer is taken back, and the organizer hears of that', async () => {
  invite();
  await world.pass();
  const editId = await answer('declined');
  expect(await stateOf(editId)).toMatchObject({ state: 'done', can_undo: true });
  await edits().undoEdit({ params: { edit_id: editId } });
  await world.server.settle();
  expect(await eventOn()).toMatchObject({ answer: 'needs-action', class: 'busy' });
  expect(world.right.blocks()).toHaveLength(1);
  expect((await mails()).map(({ subject }) => subject)).toEqual(['Declined: Review', 'Response withdrawn: Review']);
});

test('one instance is answered, or the whole series', async () => {
  invite({ more: '\nRRULE:FREQ=WEEKLY;COUNT=3' });
  await world.pass();
  const answers = async () => (await events()).map((one) => one.answer);
  await answer('declined', { day: '2027-03-10' });
  expect(await answers()).toEqual(['needs-action', 'declined', 'needs-action']);
  await answer('accepted', { scope: 'all' });
  expect(await answers()).toEqual(['accepted', 'accepted', 'accepted']);
  await world.pass();
  expect(await answers()).toEqual(['accepted', 'accepted', 'accepted']);
});

test('an answer whose response was lost is written once, and mailed once', async () => {
  invite();
  await world.pass();
  world.writes();
  world.emulator.addFault({
    op: 'write',
    path: '/calendars/left/',
    phase: 'after',
    times: 1,
    effect: { kind: 'reset' },
  });
  const editId = await answer('accepted');
  expect(await stateOf(editId)).toMatchObject({ state: 'pending' });
  await edits().retryEdit({ params: { edit_id: editId } });
  await world.server.settle();
  expect(await stateOf(editId)).toMatchObject({ state: 'done' });
  expect(await mails()).toHaveLength(1);
});

test('a new title in the meantime keeps the answer; a new time is for the person to decide', async () => {
  invite();
  await world.pass();
  invite({ more: '\nLOCATION:Room 2' });
  const first = await answer('accepted');
  expect(await stateOf(first)).toMatchObject({ state: 'done' });
  expect(world.left.objects().map(({ body }) => body.includes('LOCATION:Room 2'))).toEqual([true]);
  invite({ time: '140000' });
  const second = await answer('declined');
  expect(await stateOf(second)).toMatchObject({ state: 'conflict' });
  expect(ownLines()).toEqual([`ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:${own}`]);
  await edits().chooseEdit({ params: { edit_id: second }, body: { keep: 'mine' } });
  await world.server.settle();
  expect(ownLines()).toEqual([`ATTENDEE;PARTSTAT=DECLINED:mailto:${own}`]);
  expect(await eventOn()).toMatchObject({ answer: 'declined', start_time: '2027-03-03T14:00:00.000Z' });
});

test.each([
  ['an event of one’s own', { organizer: own, partstat: 'ACCEPTED' }],
  ['an event without an own line', { partstat: null }],
])('%s has nothing to answer', async (_, invitation) => {
  invite(invitation);
  await world.pass();
  expect((await eventOn()).answer).toBeUndefined();
  await expect(answer('accepted')).rejects.toMatchObject({ code: 'NOT_INVITED' });
});

test('an invitation in a calendar that can only be read has no answer', async () => {
  invite();
  await world.pass();
  await sql`update connections.calendars set writable = false where id = ${world.left.calendarId}`.execute(
    world.server.app.db,
  );
  expect((await eventOn()).answer).toBeUndefined();
  await expect(answer('accepted')).rejects.toMatchObject({ code: 'READ_ONLY' });
});
