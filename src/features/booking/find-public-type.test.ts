import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { AppError } from '../../kernel/errors.ts';
import type { BookingLinkId, EventTypeId } from '../../kernel/ids.ts';
import type { Actor } from '../../platform/actor.ts';
import { hashToken } from '../../platform/crypto.ts';
import { inTransaction } from '../../platform/db.ts';
import { findPublicType, type PublicAddress } from './find-public-type.ts';
import { loadType } from './load-type.ts';
import { defaultSettings } from './rules/type-settings.ts';
import { insertType } from './store/event-type-rows.ts';
import { spendLink } from './store/links.ts';

let server: TestApp;
let anna: TestUser;
beforeAll(async () => {
  server = await startTestApp();
  anna = await signUpUser(server, 'anna@example.org');
  await sql`insert into booking.handles (look, handle, user_id, free_at) values
    (${hashToken('now')}, 'anna', ${anna.userId}, null),
    (${hashToken('before')}, 'anna-lee', ${anna.userId}, now() + interval '1 day'),
    (${hashToken('long ago')}, 'ann', ${anna.userId}, now() - interval '1 day')`.execute(server.app.db);
});
afterAll(() => server.close());

async function addType(slug: string, more: { secret?: boolean } = {}): Promise<EventTypeId> {
  const id = randomUUID() as EventTypeId;
  const settings = defaultSettings('one-on-one');
  const type = { id, userId: anna.userId, slug, title: 'Meeting', description: '', hidden: false, secret: false };
  await inTransaction(server.app.db, (tx) => insertType(tx, { ...type, kind: 'one-on-one', settings, ...more }));
  return id;
}

async function addLink(eventTypeId: EventTypeId, token: string, more: { uses?: number; expires?: string } = {}) {
  const id = randomUUID() as BookingLinkId;
  await sql`insert into booking.links (id, user_id, event_type_id, kind, token_hash, token, uses_left, expires_at)
    values (${id}, ${anna.userId}, ${eventTypeId}, 'private', ${hashToken(token)}, 'sealed', ${more.uses ?? null},
      ${more.expires ?? null})`.execute(server.app.db);
  return id;
}

const find = (address: PublicAddress) => findPublicType(server.app, address);

test('an event type is found by handle and slug in any letter case, and by a recently changed handle', async () => {
  await addType('intro');
  const found = await find({ handle: 'anna', slug: 'intro' });
  expect(found).toMatchObject({ handle: 'anna', host: { userId: anna.userId }, type: { slug: 'intro' }, link: null });
  expect(await find({ handle: 'ANNA', slug: 'Intro' })).toEqual(found);
  expect(await find({ handle: 'anna-lee', slug: 'intro' })).toEqual(found);
  expect(await find({ handle: 'ann', slug: 'intro' })).toBeNull();
  expect(await find({ handle: 'anna', slug: 'nothing' })).toBeNull();
});

test('a secret event type is found only by its link', async () => {
  const id = await addType('secret', { secret: true });
  await addLink(id, 'a secret');
  expect(await find({ handle: 'anna', slug: 'secret' })).toBeNull();
  expect(await find({ token: 'a secret' })).toMatchObject({ type: { id }, link: { kind: 'private' } });
  expect(await find({ token: 'another' })).toBeNull();
});

test('a used or expired link finds nothing', async () => {
  const id = await addType('limited');
  const link = await addLink(id, 'once', { uses: 1 });
  await addLink(id, 'over', { expires: '2000-01-01T00:00:00Z' });
  expect(await find({ token: 'once' })).toMatchObject({ link: { usesLeft: 1 } });
  const spend = () => inTransaction(server.app.db, (tx) => spendLink(tx, link, server.app.clock.nowMs()));
  expect(await spend()).toBe(true);
  expect(await spend()).toBe(false);
  expect(await find({ token: 'once' })).toBeNull();
  expect(await find({ token: 'over' })).toBeNull();
});

test('an event type of an unverified account, or of one that is being deleted, is not found', async () => {
  await addType('gone');
  for (const [off, on] of [
    [sql`email_verified_at = null`, sql`email_verified_at = now()`],
    [sql`leaving_at = now()`, sql`leaving_at = null`],
  ] as const) {
    await sql`update accounts.users set ${off} where id = ${anna.userId}`.execute(server.app.db);
    expect(await find({ handle: 'anna', slug: 'gone' })).toBeNull();
    await sql`update accounts.users set ${on} where id = ${anna.userId}`.execute(server.app.db);
    expect(await find({ handle: 'anna', slug: 'gone' })).not.toBeNull();
  }
});

test('an event type is loaded only for its owner', async () => {
  const id = await addType('own');
  const actorOf = (userId: string) => ({ userId }) as Actor;
  expect(await loadType(server.app.db, actorOf(anna.userId), id)).toMatchObject({ id });
  await expect(loadType(server.app.db, actorOf(randomUUID()), id)).rejects.toThrow(AppError);
});

test('a handle of a deleted person is kept only as a hash, and stays reserved for 90 days', async () => {
  const other = await signUpUser(server, 'other@example.org');
  await sql`insert into booking.handles (look, handle, user_id) values
    (${hashToken('other')}, 'other', ${other.userId})`.execute(server.app.db);
  await sql`delete from accounts.users where id = ${other.userId}`.execute(server.app.db);
  const { rows } = await sql`select handle, user_id, free_at > now() + interval '89 days' as rests
    from booking.handles where look = ${hashToken('other')}`.execute(server.app.db);
  expect(rows).toEqual([{ handle: null, user_id: null, rests: true }]);
});
