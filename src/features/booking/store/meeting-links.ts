import { sql } from 'kysely';
import type { AppointmentId, BookingId, CalendarId, ItemId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import { type Booking, bookingColumns, isAkin } from './bookings.ts';

export interface Linkless {
  id: AppointmentId;
  userId: UserId;
  itemId: ItemId;
  calendarId: CalendarId;
  /** Its event was asked for a moment ago: it is worth being read at once. */
  isFresh: boolean;
}

/** Appointments to come whose meeting their provider makes, and of which no link is known yet; the soonest first. */
export async function listLinkless(
  db: Database,
  { nowMs, freshSinceMs, limit }: { nowMs: number; freshSinceMs: number; limit: number },
): Promise<Linkless[]> {
  const { rows } = await sql<Linkless>`
    select a.id, a.user_id as "userId", a.item_id as "itemId", a.calendar_id as "calendarId",
      exists (select from booking.bookings b where b.appointment_id = a.id and b.confirmed_ms > ${freshSinceMs}) as "isFresh"
    from booking.appointments a
    where a.live and a.join_url is null and a.location ->> 'kind' in ('google-meet', 'teams') and a.end_ms > ${nowMs}
      and a.item_id is not null and a.calendar_id is not null
    order by a.end_ms, a.id limit ${limit}`.execute(db);
  return rows;
}

/** Keeps the link of an appointment; false where it has one, or another event, by now. */
export async function keepLink(
  tx: Tx,
  { id, itemId }: Pick<Linkless, 'id' | 'itemId'>,
  link: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update booking.appointments set join_url = ${link}
    where id = ${id} and item_id = ${itemId} and join_url is null`.execute(tx);
  return numAffectedRows === 1n;
}

/**
 * The given bookings, as they were read, that have no link although their event was requested with a meeting. A link that
 * arrived since then counts as missing: the mail that is written from them lacks it.
 */
export async function listAwaited(
  db: Database,
  read: readonly { id: BookingId; joinUrl?: string | null }[],
): Promise<BookingId[]> {
  const ids = read.filter(({ joinUrl }) => joinUrl == null).map(({ id }) => id);
  const { rows } = await sql<{ id: BookingId }>`
    select b.id from booking.bookings b join booking.appointments a on a.id = b.appointment_id
    where b.id = any(${ids}::uuid[]) and b.state = 'confirmed' and a.item_id is not null
      and a.location ->> 'kind' in ('google-meet', 'teams')
    order by b.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Notes that the mails of these bookings go out without a link; false where one became known: they then say it. */
export async function noteToldWithoutLink(tx: Tx, ids: readonly BookingId[]): Promise<boolean> {
  if (ids.length === 0) return true;
  // held, so that whoever brings the link sees the note, or is seen here
  const { numAffectedRows } = await sql`
    update booking.bookings b set told_without_link = true
    from (
      select l.id from booking.appointments l join booking.bookings o on o.appointment_id = l.id
      where o.id = any(${ids}::uuid[]) and l.join_url is null order by l.id for update of l) a
    where b.id = any(${ids}::uuid[]) and b.appointment_id = a.id`.execute(tx);
  return numAffectedRows === BigInt(ids.length);
}

/**
 * Bookings that were told of without a link which is known now, or with a link that another one has replaced since: this one,
 * with those of its series. None as long as one of them still has to come, unless they were confirmed before `givesUpMs`.
 * Each is given out once. A change of time or hosts is told with its link.
 */
export async function takeToldWithoutLink(
  tx: Tx,
  { id, seriesId }: { id: BookingId; seriesId: string | null },
  { givesUpMs }: { givesUpMs: number },
): Promise<Set<BookingId>> {
  const { rows } = await sql<{ id: BookingId }>`
    with told as (
      select b.id, a.join_url, b.confirmed_ms from booking.bookings b join booking.appointments a on a.id = b.appointment_id
      where b.state = 'confirmed' and (b.id = ${id} or b.series_id = ${seriesId}) and (b.told_without_link
        or b.told ->> 'joinUrl' <> a.join_url and (b.told ->> 'startMs')::bigint = a.start_ms
          and b.told -> 'hostIds' @> to_jsonb(a.host_ids) and b.told -> 'hostIds' <@ to_jsonb(a.host_ids))
      order by b.id for update of b)
    update booking.bookings b set told_without_link = false,
      told = b.told || jsonb_build_object('joinUrl', t.join_url) from told t
    where b.id = t.id and t.join_url is not null
      and not exists (select from told o where o.join_url is null and o.confirmed_ms > ${givesUpMs})
    returning b.id`.execute(tx);
  return new Set(rows.map((row) => row.id));
}

/**
 * Confirmed bookings to come of a guest with the same host or team whose people know them: those at a link that their host
 * gave, and those whose invitation the limit kept back or ended.
 */
export async function listPerhapsWithheld(
  db: Database,
  booking: Booking,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<Booking[]> {
  const { rows } = await sql<Booking>`
    select ${bookingColumns} from booking.bookings b join booking.appointments a on a.id = b.appointment_id
    where b.guest_email = ${booking.guestEmail} and b.state = 'confirmed' and b.told is not null and a.end_ms > ${nowMs}
      and ${isAkin(booking)} and (a.location ->> 'kind' = 'link' or exists (
        select from booking.lapsed_invitations l where l.address = lower(b.guest_email) and l.booking_id = coalesce((
          select o.id from booking.bookings o where o.series_id = b.series_id order by o.id limit 1), b.id)))
    order by a.start_ms, b.id limit ${limit}`.execute(db);
  return rows;
}

/** Notes that the people of these bookings are told the link of their host. A mail that is being written is written again. */
export async function noteLinkTold(tx: Tx, ids: readonly BookingId[]): Promise<void> {
  await sql`
    update booking.bookings b set told = b.told || jsonb_build_object('joinUrl', a.location ->> 'url')
    from booking.appointments a where a.id = b.appointment_id and a.location ->> 'kind' = 'link'
      and b.id = any(${ids}::uuid[]) and b.told is not null`.execute(tx);
}

/** Bookings to come that were told of without a link which is known by now, confirmed before then: one was waited for too long. */
export async function listUntold(
  db: Database,
  { nowMs, beforeMs, limit }: { nowMs: number; beforeMs: number; limit: number },
): Promise<Booking[]> {
  const { rows } = await sql<Booking>`
    select ${bookingColumns} from booking.bookings b join booking.appointments a on a.id = b.appointment_id
    where b.told_without_link and b.state = 'confirmed' and b.confirmed_ms <= ${beforeMs} and a.join_url is not null
      and a.end_ms > ${nowMs}
    order by b.id limit ${limit}`.execute(db);
  return rows;
}
