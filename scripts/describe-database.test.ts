import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DatabaseHandle, openDatabase } from '#platform/db.ts';
import { createLog } from '#platform/log.ts';
import { createTestDatabase } from '../test/harness/test-app.ts';
import type { TestDatabase } from '../test/harness/test-cluster.ts';
import { renderSchema, renderTables } from './describe-database.ts';

const root = join(import.meta.dirname, '..');
let database: TestDatabase;
let handle: DatabaseHandle;

beforeAll(async () => {
  database = await createTestDatabase();
  handle = openDatabase({ url: database.url, log: await createLog({ level: 'silent', format: 'json' }) });
});
afterAll(async () => {
  await handle.close();
  await database.close();
});

describe('generated database files', () => {
  it('src/platform/db-types.ts matches the migrations; else run `npm run db:types`', async () => {
    expect(await readFile(join(root, 'src/platform/db-types.ts'), 'utf8')).toBe(await renderTables(handle.db));
  });

  it('migrations/schema.sql matches the migrations; else run `npm run db:types`', async () => {
    expect(await readFile(join(root, 'migrations/schema.sql'), 'utf8')).toBe(await renderSchema(handle.db));
  });
});

describe('generated column types', () => {
  it('a generated column type follows the SQL type, nullability, default, check, and comment', async () => {
    await sql`
      create schema shapes;
      create table shapes.all_kinds (
        id uuid not null,
        owner uuid,
        number_id bigint generated always as identity,
        kind text not null check (kind in ('a', 'it''s')),
        tags text[] not null default '{}',
        owners uuid[],
        at timestamptz not null default now(),
        day date,
        amount numeric not null,
        body jsonb,
        twice int generated always as (1 + 1) stored,
        "odd-name" boolean not null
      );
      comment on column shapes.all_kinds.id is '@type UserId';
      comment on column shapes.all_kinds.owners is '@type UserId';
      create view shapes.days as select day, amount from shapes.all_kinds;
    `.execute(handle.db);
    const text = await renderTables(handle.db);
    const body = /export interface ShapesAllKinds \{\n([^}]*)\}/.exec(text)?.[1]?.trim().split(/\n\s*/);
    expect(body).toEqual([
      'id: UserId;',
      'owner: string | null;',
      'number_id: GeneratedAlways<number>;',
      "kind: 'a' | 'it\\'s';",
      'tags: Generated<string[]>;',
      'owners: UserId[] | null;',
      'at: Generated<Temporal.Instant>;',
      'day: Temporal.PlainDate | null;',
      'amount: string;',
      'body: unknown;',
      'twice: GeneratedAlways<number | null>;',
      "'odd-name': boolean;",
    ]);
    expect(text).toContain("'shapes.days': ShapesDays;");
    const schema = await renderSchema(handle.db);
    expect(schema).toContain('create view shapes.days as\n');
    expect(schema).toContain('  number_id bigint generated always as identity not null,');
  });

  it('a column comment may name only types that exist', async () => {
    await sql`comment on column accounts.users.email is '@type NoSuchType'`.execute(handle.db);
    await expect(renderTables(handle.db)).rejects.toThrow('NoSuchType');
  });
});
