import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import type { TestApp } from './test-app.ts';
import type { TestUser } from './test-client.ts';

/** Ids of one of everything that belongs to a connected account. */
export interface OwnedAccount {
  accountId: string;
  calendarId: string;
  otherCalendarId: string;
  itemId: string;
  groupId: string;
  mirrorId: string;
}

/**
 * Puts an account with two calendars, an event, a mirror group and a failed mirror straight into the tables, as if it
 * had been connected: for tests about who may see what, which no provider needs to take part in.
 */
export async function insertOwnAccount(server: TestApp, user: TestUser): Promise<OwnedAccount> {
  const { db, keyring } = server.app;
  const [accountId, calendarId, otherCalendarId, itemId, groupId, mirrorId] = Array.from({ length: 6 }, () =>
    randomUUIDv7(),
  );
  const owned = { accountId, calendarId, otherCalendarId, itemId, groupId, mirrorId } as OwnedAccount;
  const secret = keyring.seal('app password', {
    table: 'connections.connections',
    row: owned.accountId,
    column: 'secret',
  });
  await sql`insert into connections.connections (id, user_id, provider, label, base_url, username, secret)
    values (${accountId}, ${user.userId}, 'caldav', 'home', 'https://127.0.0.1/dav/', ${accountId}, ${secret})`.execute(
    db,
  );
  for (const id of [calendarId, otherCalendarId]) {
    await sql`insert into connections.calendars (id, connection_id, user_id, ref, name, color, writable)
      values (${id}, ${accountId}, ${user.userId}, ${`/dav/${id}/`}, 'Home', '#336699', true)`.execute(db);
  }
  const body = {
    kind: 'single',
    when: { kind: 'zoned', start: '2027-03-08T09:00:00', zone: 'UTC', duration: { seconds: 3600 } },
    core: { busy: 'busy', private: false, self: 'none', kind: 'default', title: 'Dentist' },
  };
  await sql`insert into calendar.items (id, calendar_id, user_id, ref, uid, version, provenance, body, hash, title, starts_ms, ends_ms)
    values (${itemId}, ${calendarId}, ${user.userId}, '/a.ics', 'a', '1', 'foreign', ${JSON.stringify(body)}::jsonb, 'h', 'Dentist',
      1804496400000, 1804500000000)`.execute(db);
  await sql`insert into sync.groups (id, user_id, name) values (${groupId}, ${user.userId}, 'Home and work')`.execute(
    db,
  );
  for (const id of [calendarId, otherCalendarId]) {
    await sql`insert into sync.members (calendar_id, group_id) values (${id}, ${groupId})`.execute(db);
  }
  await sql`insert into sync.mirrors (id, user_id, origin_calendar_id, origin_item_id, origin_uid, target_calendar_id,
      target_connection_id, identity_key, state)
    values (${mirrorId}, ${user.userId}, ${calendarId}, ${itemId}, 'a', ${otherCalendarId}, ${accountId}, ${mirrorId}, 'failed')`.execute(
    db,
  );
  return owned;
}
