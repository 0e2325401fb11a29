import { sql } from 'kysely';
import type { CalendarId, ConnectionId, EditId, ItemId, UserId } from '#kernel/ids.ts';
import { mostStoredBytes } from '#kernel/work-limits.ts';
import type { Database, Tx } from '#platform/db.ts';
import type { EditableBody } from '../rules/event.ts';
import type { Step, StepsOf } from '../rules/steps.ts';

export type EditKind = 'create' | 'change' | 'delete' | 'answer';
export type EditState = 'pending' | 'done' | 'failed' | 'conflict' | 'undone';

export interface Edit extends StepsOf {
  id: EditId;
  userId: UserId;
  connectionId: ConnectionId;
  kind: EditKind;
  state: EditState;
  calendarId: CalendarId;
  itemId: ItemId;
  title: string;
  recId: string;
  recIdAfter: string;
  tellGuests: boolean;
  /** The edit overwrites conflicting changes without asking its person. */
  insists: boolean;
  claim: number;
  attempts: number;
  notBeforeMs: number;
  message: string | null;
  /** Error code of a provider that would refuse it again; null where a retry may work. */
  refusal: string | null;
  theirs: EditableBody | null;
  undoneBy: string | null;
  createdMs: number;
  settledMs: number | null;
}

type Row = Omit<Edit, 'steps' | 'theirs'> & { steps: string; theirs: string | null };

const columns = sql`id, user_id as "userId", connection_id as "connectionId", kind, state, calendar_id as "calendarId",
  item_id as "itemId", title, rec_id as "recId", rec_id_after as "recIdAfter", tell_guests as "tellGuests", insists, steps, step,
  claim, attempts, not_before_ms as "notBeforeMs", message, refusal, theirs, undone_by as "undoneBy", created_ms as "createdMs",
  settled_ms as "settledMs"`;

const editOf = (row: Row): Edit => ({
  ...row,
  steps: JSON.parse(row.steps) as Step[],
  theirs: row.theirs === null ? null : (JSON.parse(row.theirs) as EditableBody),
});

/** Edits of one person are entered one after the other: each is made of what the one before it leaves. */
export async function lockPerson(tx: Tx, userId: UserId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`edits ${userId}`}, 0))`.execute(tx);
}

export type NewEdit = Pick<
  Edit,
  | 'id'
  | 'userId'
  | 'kind'
  | 'calendarId'
  | 'itemId'
  | 'title'
  | 'recId'
  | 'recIdAfter'
  | 'tellGuests'
  | 'steps'
  | 'notBeforeMs'
  | 'createdMs'
> & { insists?: boolean };

/** Null where an edit of this id is there already. */
export async function insertEdit(tx: Tx, edit: NewEdit): Promise<Edit | null> {
  const [first] = edit.steps;
  const { rows } = await sql<Row>`
    insert into edits.edits (id, user_id, connection_id, kind, calendar_id, item_id, item_ids, title, rec_id, rec_id_after,
      tell_guests, insists, steps, not_before_ms, created_ms)
    values (${edit.id}, ${edit.userId}, ${first?.connectionId}, ${edit.kind}, ${edit.calendarId}, ${edit.itemId},
      ${itemsOf(edit.steps)}::uuid[], ${edit.title}, ${edit.recId}, ${edit.recIdAfter}, ${edit.tellGuests}, ${edit.insists ?? false},
      ${JSON.stringify(edit.steps)}, ${edit.notBeforeMs}, ${edit.createdMs})
    on conflict (id) do nothing
    returning ${columns}`.execute(tx);
  return rows[0] === undefined ? null : editOf(rows[0]);
}

const itemsOf = (steps: readonly Step[]) => [...new Set(steps.map((step) => step.itemId))];

export async function countPending(tx: Tx, userId: UserId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from edits.edits where user_id = ${userId} and state = 'pending'`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** One edit of a person, held until the transaction ends. */
export async function findEdit(tx: Tx, userId: UserId, id: string): Promise<Edit | null> {
  const { rows } = await sql<Row>`
    select ${columns} from edits.edits where id = ${id} and user_id = ${userId} for update`.execute(tx);
  return rows[0] === undefined ? null : editOf(rows[0]);
}

/** Edits that a person still has to see, oldest first, up to `mostStoredBytes`; settled ones of the last minutes only. */
export async function listShown(db: Database, userId: UserId, settledSinceMs: number): Promise<Edit[]> {
  const { rows } = await sql<Row>`
    select ${columns} from (
      select *, sum(octet_length(steps) + coalesce(octet_length(theirs), 0)) over (order by seq) as bytes from edits.edits
      where user_id = ${userId} and not dismissed
        and (state in ('pending', 'failed', 'conflict') or state = 'done' and message is not null or settled_ms > ${settledSinceMs}
          and (state = 'done' or state = 'undone' and undone_by is not null))) sized
    where bytes <= ${mostStoredBytes} order by seq limit 1000`.execute(db);
  return rows.map(editOf);
}

/** Written edits of an item that are remembered, and their bytes: each may hold the whole event three times. */
const remembered = { edits: 10, bytes: 1_000_000 };

/** Edits that touch an item, oldest first: those that wait, and the newest of those that were written since. */
export async function listOfItem(db: Database, userId: UserId, itemId: ItemId, sinceMs: number): Promise<Edit[]> {
  const { rows } = await sql<Row>`
    select ${columns} from (
      select *, count(*) filter (where state = 'done') over newest as place,
        coalesce(sum(octet_length(steps)) filter (where state = 'done') over newest, 0) as bytes from edits.edits
      where user_id = ${userId} and ${itemId} = any(item_ids)
        and (state = 'pending' or state = 'done' and settled_ms > ${sinceMs})
      window newest as (order by seq desc)) sized
    where state = 'pending' or place <= ${remembered.edits} and (place = 1 or bytes <= ${remembered.bytes})
    order by seq`.execute(db);
  return rows.map(editOf);
}

/** The newest edit of each of these items, if it waits or was refused. */
export async function listUnsettled(
  db: Database,
  userId: UserId,
  ids: readonly ItemId[],
): Promise<Map<ItemId, 'pending' | 'failed' | 'conflict'>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ itemId: ItemId; state: 'pending' | 'failed' | 'conflict' }>`
    select w.item_id as "itemId", e.state from unnest(${ids}::uuid[]) as w(item_id)
      join lateral (
        select state from edits.edits e where e.user_id = ${userId} and w.item_id = any(e.item_ids)
        order by e.seq desc limit 1) e on e.state in ('pending', 'failed', 'conflict')`.execute(db);
  return new Map(rows.map(({ itemId, state }) => [itemId, state]));
}

/** All that was never written, for exports. */
export async function listUnwritten(db: Database, userId: UserId): Promise<Edit[]> {
  const { rows } = await sql<Row>`
    select ${columns} from edits.edits
    where user_id = ${userId} and state in ('pending', 'failed', 'conflict') order by seq`.execute(db);
  return rows.map(editOf);
}

/** Waiting behind an earlier edit of an item that it touches too. */
const isNext = sql`not exists (
  select 1 from edits.edits b where b.user_id = e.user_id and b.state = 'pending' and b.seq < e.seq
    and b.item_ids && e.item_ids)`;

/** Takes the next edit of an account that is due: older claims on it are worth nothing from now on. */
export async function claimEdit(db: Database, connectionId: ConnectionId, nowMs: number): Promise<Edit | null> {
  const { rows } = await sql<Row>`
    update edits.edits set claim = claim + 1, attempts = attempts + 1
    where id = (select e.id from edits.edits e
      where e.connection_id = ${connectionId} and e.state = 'pending' and e.not_before_ms <= ${nowMs} and ${isNext}
      order by e.seq limit 1 for update)
    returning ${columns}`.execute(db);
  return rows[0] === undefined ? null : editOf(rows[0]);
}

/** When the next edit of an account is due; null where none waits. */
export async function findNextDue(db: Database, connectionId: ConnectionId): Promise<number | null> {
  const { rows } = await sql<{ dueMs: number | null }>`
    select min(e.not_before_ms) as "dueMs" from edits.edits e
    where e.connection_id = ${connectionId} and e.state = 'pending' and ${isNext}`.execute(db);
  return rows[0]?.dueMs ?? null;
}

/** Says of every edit of an account why it waits; true where that is news. */
export async function noteWaiting(db: Database, connectionId: ConnectionId, message: string): Promise<boolean> {
  const { rows } = await sql`
    update edits.edits set message = ${message}
    where connection_id = ${connectionId} and state = 'pending' and message is distinct from ${message}
    returning id`.execute(db);
  return rows.length > 0;
}

/** Accounts that edits wait for. */
export async function listDueConnections(db: Database, nowMs: number): Promise<ConnectionId[]> {
  const { rows } = await sql<{ id: ConnectionId }>`
    select distinct connection_id as id from edits.edits
    where state = 'pending' and not_before_ms <= ${nowMs}`.execute(db);
  return rows.map((row) => row.id);
}

export type EditChange = Partial<
  Pick<
    Edit,
    | 'state'
    | 'steps'
    | 'step'
    | 'connectionId'
    | 'attempts'
    | 'notBeforeMs'
    | 'message'
    | 'refusal'
    | 'theirs'
    | 'settledMs'
    | 'undoneBy'
    | 'itemId'
  > & { dismissed: boolean }
>;

/** Changes an edit that the caller holds, or has the newest claim on; null where another has it by now. */
export async function updateEdit(
  tx: Tx,
  edit: { id: EditId; claim: number },
  change: EditChange,
): Promise<Edit | null> {
  const set = Object.entries(change).map(([name, value]) => {
    const stored = (name === 'steps' || name === 'theirs') && value !== null ? JSON.stringify(value) : value;
    return sql`${sql.id(snake(name))} = ${stored}`;
  });
  const { rows } = await sql<Row>`
    update edits.edits set ${sql.join(set)} where id = ${edit.id} and claim = ${edit.claim} returning ${columns}`.execute(
    tx,
  );
  return rows[0] === undefined ? null : editOf(rows[0]);
}

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** An item turned out to have another id: somebody else stored it first. */
export async function renameItem(tx: Tx, userId: UserId, from: ItemId, to: ItemId): Promise<void> {
  await sql`
    update edits.edits set item_ids = array_replace(item_ids, ${from}::uuid, ${to}::uuid), steps = replace(steps, ${from}, ${to}),
      item_id = case when item_id = ${from} then ${to} else item_id end
    where user_id = ${userId} and ${from} = any(item_ids)`.execute(tx);
}

/** Deletes settled edits that no screen asks for any more. */
export async function trimEdits(db: Database, settledBeforeMs: number): Promise<void> {
  await sql`delete from edits.edits where settled_ms < ${settledBeforeMs}`.execute(db);
}
