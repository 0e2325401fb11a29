import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';

interface Export {
  id: string;
  userId: UserId;
  state: 'making' | 'ready' | 'failed';
  done: number;
  total: number;
  sizeBytes: number;
  createdMs: number;
  expiresMs: number;
}

const keptHours = 24;
const columns = sql`id, user_id as "userId", state, done, total, size_bytes as "sizeBytes",
  (extract(epoch from created_at) * 1000)::bigint as "createdMs", (extract(epoch from expires_at) * 1000)::bigint as "expiresMs"`;

/** Each user has one export. The previous one is deleted with its file. */
export async function replaceExport(tx: Tx, userId: UserId, id: string): Promise<void> {
  await sql`delete from takeout.exports where user_id = ${userId}`.execute(tx);
  await sql`
    insert into takeout.exports (id, user_id, expires_at)
    values (${id}, ${userId}, now() + make_interval(hours => ${keptHours}))`.execute(tx);
}

export async function findOwnExport(db: Database, actor: { userId: UserId }): Promise<Export | null> {
  const { rows } = await sql<Export>`
    select ${columns} from takeout.exports where user_id = ${actor.userId} and expires_at > now()`.execute(db);
  return rows[0] ?? null;
}

/** An export that is still being made, for its job. */
export async function findPendingExport(db: Database, id: string): Promise<Export | null> {
  const { rows } = await sql<Export>`
    select ${columns} from takeout.exports where id = ${id} and state = 'making'`.execute(db);
  return rows[0] ?? null;
}

/** Deletes what a failed attempt wrote. */
export async function deleteChunks(db: Database, id: string): Promise<void> {
  await sql`delete from takeout.chunks where export_id = ${id}`.execute(db);
}

export async function insertChunk(db: Database, id: string, seq: number, bytes: Uint8Array): Promise<void> {
  await sql`
    insert into takeout.chunks (export_id, seq, bytes) values (${id}, ${seq}, ${Buffer.from(bytes)})`.execute(db);
}

export async function updateExportProgress(
  db: Database,
  id: string,
  progress: { done: number; total: number },
): Promise<void> {
  await sql`
    update takeout.exports set done = ${progress.done}, total = ${progress.total}
    where id = ${id} and state = 'making'`.execute(db);
}

/** The day until expiry starts when the export is ready. */
export async function finishExport(
  db: Database,
  id: string,
  end: { state: 'ready' | 'failed'; sizeBytes: number },
): Promise<void> {
  await sql`
    update takeout.exports set state = ${end.state}, size_bytes = ${end.sizeBytes},
      expires_at = now() + make_interval(hours => ${keptHours})
    where id = ${id} and state = 'making'`.execute(db);
}

/** The chunks in order, one in memory at a time. */
export async function* streamChunks(db: Database, id: string): AsyncGenerator<Uint8Array> {
  for (let seq = 0; ; seq += 1) {
    const { rows } = await sql<{ bytes: Buffer }>`
      select bytes from takeout.chunks where export_id = ${id} and seq = ${seq}`.execute(db);
    const [row] = rows;
    if (row === undefined) return;
    yield row.bytes;
  }
}

export async function deleteExpired(db: Database): Promise<number> {
  const { numAffectedRows } = await sql`delete from takeout.exports where expires_at < now()`.execute(db);
  return Number(numAffectedRows ?? 0);
}
