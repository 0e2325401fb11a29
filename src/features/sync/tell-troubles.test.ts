import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { readMails } from '../../../test/harness/read-mails.ts';
import { type SyncWorld, startSyncWorld } from '../../../test/harness/sync-world.ts';
import { accountsContract } from '../accounts/contract.ts';
import { connectionsContract } from '../connections/contract.ts';
import { tellTroubles } from './tell-troubles.ts';

let world: SyncWorld;
afterEach(() => world.close());

const mails = async () =>
  (await readMails(world.server, world.person.email)).filter(({ kind }) => kind === 'sync.trouble');
const db = () => world.server.app.db;
/** As if what stands now had stood for ten minutes. */
const minutesPass = () =>
  sql`update connections.connections set updated_at = updated_at - interval '10 minutes'`.execute(db());
const tell = () => tellTroubles(world.server.app);

async function losePassword(): Promise<void> {
  world.right.user.password = 'changed';
  world.left.put('a.ics', 'UID:a@x\nSUMMARY:A\nDTSTART:20270302T150000Z\nDTEND:20270302T160000Z');
  await world.pass();
}

test('an account that needs a new password sends one email, in local time and with links to its settings', async () => {
  world = await startSyncWorld();
  const { person } = world;
  await person.as(accountsContract).changePreferences({ body: { timezone: 'Asia/Kolkata', timeFormat: '24h' } });
  await losePassword();
  await tell();
  expect(await mails()).toEqual([]); // it may heal by itself
  await minutesPass();
  await Promise.all([tell(), tell()]);
  await tell();
  const [mail, ...more] = await mails();
  expect(more).toEqual([]);
  expect(mail?.subject).toBe('An account needs to be reconnected');
  expect(mail?.links).toEqual(['http://localhost/integrations']);
  const text = JSON.stringify(mail?.content);
  expect(text).toContain('right');
  expect(text).toContain('Kolkata (GMT+5:30)');
  expect(text).not.toMatch(/[AP]M India/);
  expect(text).toContain('http://localhost/profile');
});

test('a sync problem that heals soon sends no email, and one that is back within a day sends no second', async () => {
  world = await startSyncWorld();
  const { person, right } = world;
  await losePassword();
  const reconnect = () =>
    person
      .as(connectionsContract)
      .reconnect({ params: { accountId: right.accountId }, body: { password: right.user.password } });
  await reconnect();
  await minutesPass();
  await tell();
  expect(await mails()).toEqual([]);

  for (const password of ['again', 'and again']) {
    right.user.password = password;
    await sql`update connections.connections set status = 'needs-reconnect' where id = ${right.accountId}`.execute(
      db(),
    );
    await minutesPass();
    await tell();
    await reconnect();
    await tell();
  }
  expect(await mails()).toHaveLength(1);
  await sql`update sync.troubles set healed_at = healed_at - interval '25 hours'`.execute(db());
  await sql`update connections.connections set status = 'needs-reconnect' where id = ${right.accountId}`.execute(db());
  await minutesPass();
  await tell();
  expect(await mails()).toHaveLength(2);
});

test('sync error emails can be switched off, and switching them on reports problems that still exist', async () => {
  world = await startSyncWorld();
  const { person } = world;
  await losePassword();
  await minutesPass();
  const want = (syncErrors: boolean) =>
    person.as(accountsContract).changePreferences({ body: { notifications: { syncErrors } } });
  await want(false);
  await tell();
  expect(await mails()).toEqual([]);
  await want(true);
  await tell();
  expect(await mails()).toHaveLength(1);
});

test('a calendar that is not read and mirrors that wait for an answer are reported in one email', async () => {
  world = await startSyncWorld();
  const { left, right } = world;
  await sql`update connections.calendars set failures = 4, last_synced_at = now() - interval '2 hours',
    error_message = 'The server does not answer.' where id = ${right.calendarId}`.execute(db());
  await sql`insert into sync.pairs (group_id, source_calendar_id, target_calendar_id, breaker, breaker_at, breaker_deletes)
    select id, ${left.calendarId}, ${right.calendarId}, 'open', now() - interval '10 minutes', 12 from sync.groups`.execute(
    db(),
  );
  await tell();
  const [mail, ...more] = await mails();
  expect(more).toEqual([]);
  expect(mail?.subject).toBe('2 sync problems need your attention');
  const text = JSON.stringify(mail?.content);
  expect(text).toContain('12 blocks would be removed');
  expect(text).toContain('The server does not answer');
});
