import { sql } from 'kysely';
import type { AppointmentId, CalendarId, ItemId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';

/** The event of an appointment in the calendar of another host than the one whose own it is. */
export interface Copy {
  hostId: UserId;
  calendarId: CalendarId | null;
  itemId: ItemId | null;
  /** Digest of what it was last to say. */
  says: string;
  writes: number;
}

/** Lists the hosts who have or should have copies; empty for an appointment that never had a second host. */
export async function listCopyHolders(db: Database, id: AppointmentId): Promise<UserId[]> {
  const { rows } = await sql<{ hostId: UserId }>`
    select host_id as "hostId" from booking.copies where appointment_id = ${id}
    union
    select host from booking.appointments a, unnest(a.host_ids) as host
    where a.id = ${id} and cardinality(a.host_ids) > 1 and host <> a.user_id`.execute(db);
  return rows.map(({ hostId }) => hostId);
}

/** A copy, made where there is none; null where its host is gone. The caller holds the appointment. */
export async function keepCopy(
  tx: Tx,
  id: AppointmentId,
  hostId: UserId,
  calendarId: CalendarId | null,
): Promise<Copy> {
  const { rows } = await sql<Copy>`
    insert into booking.copies as c (appointment_id, host_id, calendar_id) values (${id}, ${hostId}, ${calendarId})
    on conflict (appointment_id, host_id) do update set
      calendar_id = case when c.item_id is null then excluded.calendar_id else c.calendar_id end
    returning host_id as "hostId", calendar_id as "calendarId", item_id as "itemId", says, writes`.execute(tx);
  return rows[0] as Copy;
}

export async function noteCopy(
  tx: Tx,
  { id, startMs, endMs }: { id: AppointmentId; startMs: number; endMs: number },
  { hostId, itemId, says }: Pick<Copy, 'hostId' | 'itemId' | 'says'>,
): Promise<void> {
  await sql`
    update booking.copies set item_id = ${itemId}::uuid, says = ${says}, writes = writes + 1,
      event_ref = case when item_id = ${itemId}::uuid then event_ref end, start_ms = ${startMs}, end_ms = ${endMs}
    where appointment_id = ${id} and host_id = ${hostId}`.execute(tx);
}

/** Has the next writing of a copy restore it. Counts automatic restorations; a change by the host resets the count. */
export async function renewCopy(tx: Tx, id: AppointmentId, hostId: UserId, actor: 'calendar' | 'host'): Promise<void> {
  await sql`
    update booking.copies set says = '', restores = case when ${actor} = 'calendar' then restores + 1 else 0 end
    where appointment_id = ${id} and host_id = ${hostId}`.execute(tx);
}

/** Deletes a copy's row once its removal is under way. */
export async function dropCopy(tx: Tx, id: AppointmentId, hostId: UserId): Promise<void> {
  await sql`delete from booking.copies where appointment_id = ${id} and host_id = ${hostId}`.execute(tx);
}

/** Whether somebody is, or was, another host of anything. */
export async function hasCopies(db: Database, hostId: UserId): Promise<boolean> {
  const { rows } = await sql`select from booking.copies where host_id = ${hostId} limit 1`.execute(db);
  return rows.length > 0;
}
