import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import { type Database, jsonb } from '#platform/db.ts';
import {
  type AccountEventDetails,
  type AccountEventKind,
  accountEventKinds,
  accountEventMonths,
} from '../rules/account-log.ts';

interface NewAccountEvent {
  userId: UserId;
  kind: AccountEventKind;
  ip: string | undefined;
  userAgent: string | undefined;
  details: AccountEventDetails;
}

export async function insertAccountEvent(db: Database, entry: NewAccountEvent): Promise<void> {
  await db
    .insertInto('accounts.trail')
    .values({
      id: randomUUIDv7(),
      user_id: entry.userId,
      kind: entry.kind,
      ip: entry.ip ?? null,
      user_agent: entry.userAgent ?? null,
      details: jsonb(entry.details),
    })
    .execute();
}

/** The newest first, `before` an entry where one is named. Kinds that a newer version wrote are passed over. */
export function listAccountEventRows(
  db: Database,
  actor: Actor,
  { before, most }: { before?: string | undefined; most: number },
) {
  let query = db
    .selectFrom('accounts.trail')
    .select(['id', 'at', 'kind', 'ip', 'user_agent', 'details'])
    .where('user_id', '=', actor.userId)
    .where('kind', 'in', [...accountEventKinds])
    .orderBy('seq', 'desc')
    .limit(most);
  if (before !== undefined) {
    query = query.where('seq', '<', (entry) =>
      entry.selectFrom('accounts.trail').select('seq').where('id', '=', before).where('user_id', '=', actor.userId),
    );
  }
  return query.execute();
}

export async function deleteOldAccountEvents(db: Database): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('accounts.trail')
    .where('at', '<', sql<Temporal.Instant>`now() - make_interval(months => ${accountEventMonths})`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Where somebody signed in from within the last 90 days. */
export async function listSignInAddresses(db: Database, userId: UserId): Promise<string[]> {
  const rows = await db
    .selectFrom('accounts.trail')
    .select('ip')
    .distinct()
    .where('user_id', '=', userId)
    .where('kind', '=', 'signed-in' satisfies AccountEventKind)
    .where('at', '>', sql<Temporal.Instant>`now() - interval '90 days'`)
    .execute();
  return rows.flatMap(({ ip }) => ip ?? []);
}
