import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { recordAct } from '#features/accounts/audit/public.ts';
import { wordsOf } from '#features/accounts/rules/search-words.ts';
import { ensureWordIndex } from '#features/accounts/store/audit-words.ts';
import type { Input } from '#kernel/contract.ts';
import type { UserId } from '#kernel/ids.ts';
import { inTransaction } from '#platform/db.ts';
import { enrolUser } from '../../../test/harness/second-factor.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { adminContract } from './contract.ts';

let server: TestApp;
let boss: TestUser;
beforeAll(async () => {
  server = await startTestApp({ role: 'web' });
  boss = await enrolUser(server, await signUpUser(server, 'boss@example.org'));
});
afterAll(() => server.close());
beforeEach(() => forge(sql`delete from accounts.audit`));

/** As somebody could who has the database. */
const forge = (change: ReturnType<typeof sql>) =>
  inTransaction(server.app.db, async (tx) => {
    await sql`alter table accounts.audit disable trigger refuse_change`.execute(tx);
    await change.execute(tx);
    await sql`alter table accounts.audit enable trigger refuse_change`.execute(tx);
  });

const act = (note: string, actorId: UserId | null = boss.userId) =>
  inTransaction(server.app.db, (tx) =>
    recordAct(tx, { actorId, action: 'plan_update', reason: note, request: null, details: { days: 7 } }),
  );

const verify = () => boss.as(adminContract).verifyAudit();
const positions = async () => {
  const { rows } = await sql<{ position: number }>`
    select position from accounts.audit order by position`.execute(server.app.db);
  return rows.map(({ position }) => position);
};

test('concurrent audit entries form one chain without a gap, and a rollback leaves none', async () => {
  const stopped = inTransaction(server.app.db, async (tx) => {
    await recordAct(tx, { actorId: null, action: 'login', reason: null, request: null });
    throw new Error('stopped');
  });
  await Promise.all([...Array.from({ length: 40 }, (_, at) => act(`act ${at}`)), stopped.catch(() => undefined)]);
  expect(await positions()).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
  expect(await verify()).toMatchObject({ entries: 40, broken: null, head: { position: 40 } });
  const { rows } = await sql`select from accounts.audit_pending`.execute(server.app.db);
  expect(rows).toEqual([]);
});

test('audit entries of one transaction keep their order without blocking other transactions', async () => {
  await inTransaction(server.app.db, async (tx) => {
    await recordAct(tx, { actorId: boss.userId, action: 'login', reason: null, request: null });
    // would wait for ever where the lock of the chain were taken with the first act
    await act('while the other goes on');
    await recordAct(tx, { actorId: boss.userId, action: 'plan_update', reason: 'the second', request: null });
  });
  const { rows } = await sql<{ action: string }>`
    select action, reason from accounts.audit order by position`.execute(server.app.db);
  expect(rows).toEqual([
    { action: 'plan_update', reason: 'while the other goes on' },
    { action: 'login', reason: null },
    { action: 'plan_update', reason: 'the second' },
  ]);
  expect(await verify()).toMatchObject({ entries: 3, broken: null });
});

test('the database refuses to update, delete or truncate audit entries', async () => {
  await act('the first');
  for (const change of [
    sql`update accounts.audit set reason = 'another'`,
    sql`delete from accounts.audit`,
    sql`truncate accounts.audit`,
  ]) {
    await expect(change.execute(server.app.db)).rejects.toThrow('the audit only grows');
  }
  expect(await positions()).toEqual([1]);
});

test('the audit log verification finds a changed, removed or missing first entry', async () => {
  for (let at = 1; at <= 5; at++) await act(`act ${at}`);
  await forge(sql`update accounts.audit set reason = 'nothing happened' where position = 3`);
  expect(await verify()).toMatchObject({ entries: 0, broken: { position: 3, kind: 'changed' } });
  await forge(sql`update accounts.audit set reason = 'act 3' where position = 3`);
  expect(await verify()).toMatchObject({ entries: 5, broken: null });
  await forge(sql`update accounts.audit set at = at - interval '1 microsecond' where position = 4`);
  expect(await verify()).toMatchObject({ broken: { position: 4, kind: 'changed' } });
  await forge(sql`delete from accounts.audit where position = 4`);
  expect(await verify()).toMatchObject({ broken: { position: 4, kind: 'missing' } });
  await forge(sql`delete from accounts.audit where position < 3`);
  expect(await verify()).toMatchObject({ broken: { position: 1, kind: 'missing' } });
});

const audit = () => boss.as(adminContract);

test('every audit log filter matches alone and combined, page by page', async () => {
  const other = await signUpUser(server, 'other.admin@example.org');
  const record = (at: number) =>
    inTransaction(server.app.db, (tx) =>
      recordAct(tx, {
        actorId: at % 3 === 0 ? null : at % 3 === 1 ? boss.userId : other.userId,
        action: at % 2 === 0 ? 'plan_update' : 'settings_change',
        reason: at % 3 === 0 ? null : `reason ${at} of 50%_x`,
        request: { id: `request-${at}` },
        details: { at },
      }),
    );
  for (let at = 1; at <= 120; at++) await record(at);
  const { entries, next } = await audit().listAudit({ query: {} });
  expect([entries.length, next]).toEqual([50, 71]);
  expect(entries[0]).toMatchObject({ id: 120, actor: null, actorType: 'System', requestId: 'request-120' });
  const rest = await audit().listAudit({ query: { before: 71 } });
  expect(rest.entries.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, at) => 70 - at));
  const places = async (query: Input<typeof adminContract.listAudit>['query']) =>
    (await audit().listAudit({ query })).entries.map(({ id }) => id);
  const all = Array.from({ length: 120 }, (_, at) => 120 - at);
  const newest = (fits: (at: number) => boolean) => all.filter(fits).slice(0, 50);
  expect(await places({ actor: 'other.admin' })).toEqual(newest((at) => at % 3 === 2));
  expect(await places({ actorType: 'System' })).toEqual(newest((at) => at % 3 === 0));
  expect(await places({ actorType: 'Admin', action: 'plan_update' })).toEqual(
    newest((at) => at % 3 !== 0 && at % 2 === 0),
  );
  expect(await places({ actor: 'example.org', action: 'plan_update', before: 60 })).toEqual(
    newest((at) => at % 3 !== 0 && at % 2 === 0 && at < 60),
  );
  expect(await places({ actor: 'other.admin', actorType: 'System' })).toEqual([]);
  expect(await places({ text: 'REASON 119 of' })).toEqual([119]);
  expect(await places({ text: '50%_x', actor: 'other.admin', action: 'settings_change' })).toEqual(
    newest((at) => at % 3 === 2 && at % 2 === 1),
  );
  expect(await places({ text: '5__x' })).toEqual([]);
  expect(await places({ text: 'of 119 reas' })).toEqual([119]);
  expect(await places({ text: 'eason 119' })).toEqual([]);
  expect(await places({ text: '@@@' })).toEqual([]);
  const middle = entries[20]?.timestamp ?? 0;
  expect(await places({ from: middle })).toEqual(
    entries.filter(({ timestamp }) => timestamp >= middle).map(({ id }) => id),
  );
  expect(await places({ to: entries.at(-1)?.timestamp ?? 0 })).toEqual(expect.arrayContaining([60, 50, 40]));
  expect(await places({ from: 4_000_000_000_000 })).toEqual([]);
});

/** Entries as they are in a long audit; no true chain. */
const fill = (from: number, to: number) =>
  forge(sql`
    insert into accounts.audit (position, at, action, reason, details, hash)
    select n, now(), 'plan_update', 'reason ' || n || ' of somebody', '{}', '\\x00'
    from generate_series(${from}::int, ${to}::int) n`);

test('an audit log search finds an old entry by a rare word among common words', async () => {
  await act('Paid to ada.lovelace@example.org, see 4a51-77');
  await act('スパムの報告による停止');
  await fill(3, 30_000);
  await sql`analyze accounts.audit`.execute(server.app.db);
  const found = async (text: string) =>
    (await audit().listAudit({ query: { text } })).entries.map(({ reason }) => reason?.slice(0, 12));
  for (const text of ['lovelace', 'ada.love', 'ada.lovelace@example.org', 'see 4a51', '4a51-77', '77 paid'])
    expect(await found(text), text).toEqual(['Paid to ada.']);
  for (const text of ['ovelace', 'lovelace.ada', '51-77', 'adalove', 'paid reason'])
    expect(await found(text), text).toEqual([]);
  expect(await found('報告による')).toEqual(['スパムの報告による停止'.slice(0, 12)]);
  expect(await found('告報の')).toEqual([]);
  expect(await found('somebody reason 777 ')).toHaveLength(11);
  expect(await found('rea 29000')).toEqual(['reason 29000']);
});

test('audit log words are split alike in TypeScript and in the database', async () => {
  const signs = fc.constantFrom(...Array.from('aZ09_-@.%"{ 告ガー한äßŁ–“𝔘🙂\u3000'));
  const text = fc.string({ unit: fc.oneof(signs, fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })) });
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 20, maxLength: 60 }), async (texts) => {
      const asked = texts.map((one) => one.replaceAll('\0', '').toWellFormed().toLowerCase());
      const { rows } = await sql<{ words: string[] }>`
        select tsvector_to_array(accounts.words_of(t)) as words from unnest(${asked}::text[]) with ordinality as a(t, n)
        order by n`.execute(server.app.db);
      expect(rows.map(({ words }) => words.toSorted())).toEqual(asked.map((one) => wordsOf(one).toSorted()));
    }),
    { numRuns: 8 },
  );
});

test('the audit log search index is rebuilt in the background, also after a crash, and replaces the old index', async () => {
  const { db } = server.app;
  const indexes = async () =>
    (
      await sql<{ name: string; whole: boolean }>`
        select c.relname as name, i.indisvalid as whole from pg_index i join pg_class c on c.oid = i.indexrelid
        where c.relname like 'audit_by_word%'`.execute(db)
    ).rows;
  await fill(1, 300);
  await sql`create index audit_by_words on accounts.audit using gin (words gin_trgm_ops)`.execute(db);
  // as a crash leaves it
  await sql`update pg_index set indisvalid = false where indexrelid = 'accounts.audit_by_word'::regclass`.execute(db);
  expect(await audit().listAudit({ query: { text: 'reason 123' } })).toMatchObject({ entries: [{ id: 123 }] });
  await Promise.all([ensureWordIndex(db), ensureWordIndex(db)]);
  expect(await indexes()).toEqual([{ name: 'audit_by_word', whole: true }]);
  await ensureWordIndex(db);
  expect(await indexes()).toHaveLength(1);
});

test('an audit export holds every match, neutralizes spreadsheet formulas, and is itself audited', async () => {
  await act('=HYPERLINK("http://x")');
  for (let at = 0; at < 60; at++) await act(`reason ${at}`);
  const take = (format: string, query = '') =>
    server.inject({
      url: `/api/admin/audit/export.${format}?${query}`,
      headers: { authorization: `Bearer ${boss.token}` },
    });
  const csv = await take('csv', 'actor=boss');
  expect(csv.headers['content-disposition']).toMatch(/filename="audit-logs-\d{4}-\d\d-\d\d\.csv"/);
  const lines = csv.body.trim().split('\r\n');
  expect(lines).toHaveLength(62);
  expect(lines.at(-1)).toContain(`"'=HYPERLINK(""http://x"")"`);
  const json = JSON.parse((await take('json')).body) as { id: number; hash: string }[];
  expect(json.map(({ id }) => id)).toEqual(Array.from({ length: 62 }, (_, at) => 62 - at));
  expect(json[0]).toMatchObject({ actionType: 'audit_export', details: { format: 'csv', filters: 'actor' } });
  expect(JSON.parse((await take('json', 'action=pricing_change')).body)).toEqual([]);
});
