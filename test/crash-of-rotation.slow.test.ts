import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKeyring } from '#platform/crypto.ts';
import { inTransaction } from '#platform/db.ts';
import { insertMails, listWaitingMails } from '#platform/mail-outbox.ts';
import { killAll, launch } from './harness/spawn-holdfast.ts';
import { startTestApp, type TestApp } from './harness/test-app.ts';

const oldKey = `old:${randomBytes(32).toString('base64')}`;
const newKey = `new:${randomBytes(32).toString('base64')}`;
const bothKeys = `${newKey},${oldKey}`;
const rotate = join(import.meta.dirname, '../scripts/rotate-keys.ts');

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ role: 'web', encryptionKeys: oldKey });
}, 60_000);
afterAll(async () => {
  killAll();
  await server.close();
});

test('a key rotation killed in any batch loses nothing, and the next run finishes it', async () => {
  const { db } = server.app;
  // batches of 200, 200 and 50
  const ids = Array.from({ length: 450 }, () => randomUUID()).toSorted();
  const mails = ids.map((id) => ({
    id,
    key: id,
    messageId: `${id}@example.org`,
    kind: 'test.kill',
    to: 'kill@example.org',
    userId: null,
    body: { locale: 'en', content: { subject: id, heading: id, blocks: [] } },
    expiresInMs: undefined,
    forget: false,
  }));
  await inTransaction(db, (tx) => insertMails(tx, createKeyring(oldKey), mails));
  await sql`
    create function public.hold() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock_shared(4711); return new; end $$`.execute(db);
  const start = () => launch([rotate], { DATABASE_URL: server.database.url, ENCRYPTION_KEYS: bothKeys });

  for (const [kill, last] of [199, 399, 449].entries()) {
    // the last row of a batch waits until the process is gone
    await sql`
      create or replace trigger hold before update of body on platform.mails for each row
      when (new.id = ${sql.lit(ids[last])}) execute function public.hold()`.execute(db);
    await inTransaction(db, async (tx) => {
      await sql`select pg_advisory_xact_lock(4711)`.execute(tx);
      const killed = start();
      const waiting = async () => {
        const { rows } = await sql`
          select from pg_locks where locktype = 'advisory' and objid = 4711 and not granted`.execute(db);
        return rows.length;
      };
      await expect.poll(waiting, { timeout: 30_000 }).toBe(1);
      killed.child.kill('SIGKILL');
      expect(await killed.exited).toBe('SIGKILL');
    });
    const { rows } = await sql<{ anew: number }>`
      select count(*)::int as anew from platform.mails where kind = 'test.kill' and starts_with(body, 'v1.new.')`.execute(
      db,
    );
    expect(rows).toEqual([{ anew: kill * 200 }]);
    expect(await subjects(bothKeys)).toEqual(ids);
  }

  await sql`drop trigger hold on platform.mails`.execute(db);
  const again = start();
  expect([await again.exited, again.output()]).toEqual([
    0,
    expect.stringContaining('platform.mails.body: 50 sealed anew'),
  ]);
  expect(await subjects(newKey)).toEqual(ids);
}, 60_000);

/** As these keys open them. */
async function subjects(keys: string) {
  const waiting = await listWaitingMails(server.app.db, createKeyring(keys), { to: 'kill@example.org', limit: 500 });
  return waiting.map((mail) => mail.body.content.subject).toSorted();
}
