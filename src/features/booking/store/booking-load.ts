import { sql } from 'kysely';
import type { EventTypeId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { awaitMailMs, type Loads } from '../rules/booking-load.ts';
import { isAkin } from './bookings.ts';

/** A mail that asks for a proof and works as long as a new booking waits: `ended` if its own booking no longer waits. */
export type Asked = 'none' | 'waiting' | 'ended';

/** Bookings of the last hour. */
export async function countLoad(
  db: Database,
  of: { eventTypeId: EventTypeId; userId: UserId; email: string; sinceMs: number; nowMs: number },
): Promise<Omit<Loads, 'network'> & { asked: Asked }> {
  const { rows } = await sql<Omit<Loads, 'network'> & { asked: Asked }>`
    select json_build_object('ofType', t.type_unproved, 'ofHost', t.host_unproved) as unproved,
      json_build_object('ofType', t.type_all, 'ofHost', t.host_all) as all,
      json_build_object('unproved', m.unproved, 'unprovedHere', m.unproved_here, 'provedHere', m.proved_here,
        'isKnown', exists (select from booking.bookings b
          where b.guest_email = ${of.email} and b.mail_confirmed_ms is not null and ${isAkin(of)})) as address,
      case when m.asked_waiting then 'waiting' when m.asked then 'ended' else 'none' end as asked
    from (select count(*) filter (where event_type_id = ${of.eventTypeId} and mail_confirmed_ms is null) as type_unproved,
        count(*) filter (where mail_confirmed_ms is null) as host_unproved,
        count(*) filter (where event_type_id = ${of.eventTypeId}) as type_all, count(*) as host_all
        from booking.bookings where user_id = ${of.userId} and created_ms > ${of.sinceMs} and state <> 'held') t,
      (select count(*) filter (where b.mail_confirmed_ms is null and b.created_ms > coalesce(b.proved_ms, 0)) as unproved,
        count(*) filter (where b.mail_confirmed_ms is null and b.created_ms > coalesce(b.proved_ms, 0) and ${isAkin(of)}) as unproved_here,
        count(*) filter (where b.mail_confirmed_ms is not null and ${isAkin(of)}) as proved_here,
        coalesce(bool_or(b.is_asked), false) as asked,
        coalesce(bool_or(b.is_asked and b.state = 'awaiting-mail'), false) as asked_waiting
        from (select b.*, b.mail_confirmed_ms is null and b.created_ms > ${of.nowMs - awaitMailMs}
            and exists (select from booking.audit a where a.booking_id = b.id and a.kind = 'mail-wanted')
            and ${isAkin(of)} as is_asked,
          max(b.mail_confirmed_ms) filter (where ${isAkin(of)}) over () as proved_ms
          from booking.bookings b where b.guest_email = ${of.email} and b.created_ms > ${of.sinceMs}) b) m`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('counts always have a row');
  return row;
}
