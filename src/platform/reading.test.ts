import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../test/harness/test-app.ts';
import { type DatabaseHandle, inTransaction, openDatabase } from './db.ts';
import { createLog } from './log.ts';
import { joinReadings, known, readAlone, reading, readTogether } from './reading.ts';

let handle: DatabaseHandle;
let close: () => Promise<void>;
beforeAll(async () => {
  const database = await createTestDatabase();
  handle = openDatabase({ url: database.url, log: await createLog({ level: 'silent', format: 'json' }) });
  close = async () => {
    await handle.close();
    await database.close();
  };
});
afterAll(() => close());

const numbers = (to: number) =>
  reading(sql<{ n: number }>`select n from generate_series(1, ${to}::int) n`, (rows) => rows.map(({ n }) => n));

describe('composable queries', () => {
  test('composable queries run together and return their own results, known values included', async () => {
    const both = joinReadings([numbers(2), numbers(0)], ([two, none]) => ({ two, none }));
    const later = reading(sql<{ ms: number }>`select 1804496400000::bigint as ms`, async ([row]) => row?.ms);
    const [three, joined, given, ms] = await readTogether(handle.db, [numbers(3), both, known('given'), later]);
    expect(three).toEqual([1, 2, 3]);
    expect(joined).toEqual({ two: [1, 2], none: [] });
    expect(given).toBe('given');
    expect(ms).toBe(1_804_496_400_000);
    expect(await readTogether(handle.db, [known(1)])).toEqual([1]);
  });

  test('composable queries in a transaction see its writes', async () => {
    await sql`create table written (n int)`.execute(handle.db);
    const all = reading(sql<{ n: number }>`select n from written`, (rows) => rows.length);
    await inTransaction(handle.db, async (tx) => {
      await sql`insert into written values (1)`.execute(tx);
      expect(await readAlone(tx, all)).toBe(1);
      expect(await readAlone(handle.db, all)).toBe(0);
    });
    expect(await readAlone(handle.db, all)).toBe(1);
  });

  test('composable queries outside a transaction use generic plans without table scans', async () => {
    const plan = reading(
      sql<{ mode: string; scans: string }>`
      select current_setting('plan_cache_mode') as mode, current_setting('enable_seqscan') as scans`,
      ([row]) => row,
    );
    expect(await readAlone(handle.db, plan)).toEqual({ mode: 'force_generic_plan', scans: 'off' });
    const inside = await inTransaction(handle.db, (tx) => readAlone(tx, plan));
    expect(inside).toEqual({ mode: 'force_custom_plan', scans: 'on' });
  });
});
