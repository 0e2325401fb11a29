import { sql } from 'kysely';
import type { AppointmentId, BookingId, CalendarId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import type { QuestionAnswer, QuestionKind } from '../rules/question-endpoints.ts';

/** A question to a host about an appointment. Times are epoch ms. */
export interface Question {
  id: string;
  userId: UserId;
  appointmentId: AppointmentId;
  kind: QuestionKind;
  /** The other event, as `item instance`; empty: the appointment's own. */
  subject: string;
  startMs: number | null;
  endMs: number | null;
  calendarId: CalendarId | null;
  title: string | null;
  askedMs: number;
}

export type OpenQuestion = Question & {
  bookingId: BookingId;
  bookedTitle: string;
  guests: string[];
  bookedStartMs: number;
  bookedEndMs: number;
};

const columns = sql`q.id, q.user_id as "userId", q.appointment_id as "appointmentId", q.kind, q.subject,
  q.start_ms as "startMs", q.end_ms as "endMs", q.calendar_id as "calendarId", q.title, q.asked_ms as "askedMs"`;

/** Lists the open questions to a person about bookings that are not over, oldest first. */
export async function listOpenQuestions(
  db: Database,
  userId: UserId,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<OpenQuestion[]> {
  const { rows } = await sql<OpenQuestion>`
    select ${columns}, a.title as "bookedTitle", a.start_ms as "bookedStartMs", a.end_ms as "bookedEndMs",
      s.id as "bookingId", s.guests
    from booking.questions q join booking.appointments a on a.id = q.appointment_id
      join lateral (
        select (array_agg(b.id order by b.seat))[1] as id, array_agg(b.guest_name order by b.seat) as guests
        from booking.bookings b where b.appointment_id = a.id and b.state = 'confirmed') s on s.id is not null
    where q.user_id = ${userId} and q.over_ms is null and a.live and a.end_ms > ${nowMs}
    order by q.asked_ms, q.id limit ${limit}`.execute(db);
  return rows;
}

/** The holds of a person's own making that something stands over, the person having said that it may, too. */
export async function listOverbooked(
  db: Database,
  userId: UserId,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<Pick<OpenQuestion, 'subject' | 'bookingId' | 'bookedTitle' | 'guests' | 'bookedStartMs' | 'bookedEndMs'>[]> {
  const { rows } = await sql<
    Pick<OpenQuestion, 'subject' | 'bookingId' | 'bookedTitle' | 'guests' | 'bookedStartMs' | 'bookedEndMs'>
  >`
    select q.subject, s.id as "bookingId", a.title as "bookedTitle", s.guests, a.start_ms as "bookedStartMs",
      a.end_ms as "bookedEndMs"
    from booking.questions q join booking.appointments a on a.id = q.appointment_id
      join lateral (
        select (array_agg(b.id order by b.seat))[1] as id, array_agg(b.guest_name order by b.seat) as guests
        from booking.bookings b where b.appointment_id = a.id and b.state = 'confirmed') s on s.id is not null
    where q.user_id = ${userId} and q.kind = 'overbooked' and (q.over_ms is null or q.answer in ('ignore', 'ask-guest'))
      and a.live and a.end_ms > ${nowMs}
    order by a.start_ms, q.id limit ${limit}`.execute(db);
  return rows;
}

/** Whether the host asked the guests of an appointment to choose another time. */
export async function wasAskedToMove(db: Database, id: AppointmentId): Promise<boolean> {
  const { rows } = await sql`
    select from booking.questions where appointment_id = ${id} and answer = 'ask-guest' limit 1`.execute(db);
  return rows.length > 0;
}

/** All that a person was ever asked, for exports. */
export async function listAllQuestions(db: Database, userId: UserId): Promise<Question[]> {
  const { rows } = await sql<Question>`
    select ${columns}, q.over_ms as "overMs", q.answer from booking.questions q
    where q.user_id = ${userId} order by q.asked_ms, q.id`.execute(db);
  return rows;
}

/** A question that is open, held. */
export async function holdQuestion(tx: Tx, id: string, appointmentId: AppointmentId): Promise<Question | null> {
  const { rows } = await sql<Question>`
    select ${columns} from booking.questions q
    where q.id = ${id} and q.appointment_id = ${appointmentId} and q.over_ms is null for update`.execute(tx);
  return rows[0] ?? null;
}

export type Asked = Omit<Question, 'askedMs'>;

/**
 * Stores questions; returns the new ones. An open question is updated to the current facts. A settled one is asked
 * again when it returns, except for facts that the person accepted and that are unchanged. `answered`: stored as
 * answered, so that nobody is asked.
 */
export async function askQuestions(
  tx: Tx,
  asked: readonly Asked[],
  { nowMs, answered = null }: { nowMs: number; answered?: QuestionAnswer | null },
): Promise<Question[]> {
  if (asked.length === 0) return [];
  const overMs = answered === null ? null : nowMs;
  const given = sql`jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as g(id uuid, "userId" uuid, "appointmentId" uuid,
    kind text, subject text, "startMs" bigint, "endMs" bigint, "calendarId" uuid, title text)`;
  const { rows } = await sql<Question>`
    insert into booking.questions as q (id, user_id, appointment_id, kind, subject, start_ms, end_ms, calendar_id, title,
      asked_ms, over_ms, answer)
    select g.id, g."userId", g."appointmentId", g.kind, g.subject, g."startMs", g."endMs", g."calendarId", g.title,
      ${nowMs}::bigint, ${overMs}::bigint, ${answered} from ${given} order by 3, 4, 5
    on conflict (appointment_id, user_id, kind, subject) do update set start_ms = excluded.start_ms, end_ms = excluded.end_ms,
      calendar_id = excluded.calendar_id, title = excluded.title, over_ms = excluded.over_ms, answer = excluded.answer,
      asked_ms = case when q.over_ms is null then q.asked_ms else excluded.asked_ms end
    where (q.start_ms, q.end_ms, q.title) is distinct from (excluded.start_ms, excluded.end_ms, excluded.title)
      or q.over_ms is not null and q.answer is null or q.answer not in ('ignore', 'ask-guest')
      or q.over_ms is null and excluded.over_ms is not null
    returning ${columns}`.execute(tx);
  return rows.filter(({ askedMs }) => answered === null && askedMs === nowMs);
}

/** Ends a question; false where it has ended. */
export async function settleQuestion(tx: Tx, id: string, nowMs: number, answer: QuestionAnswer): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update booking.questions set over_ms = ${nowMs}, answer = ${answer} where id = ${id} and over_ms is null`.execute(
    tx,
  );
  return numAffectedRows === 1n;
}

/** Ends the questions of these kinds to a host about appointments, except about these subjects. True if there was one. */
export async function dropQuestions(
  tx: Tx,
  userId: UserId,
  appointmentIds: readonly AppointmentId[],
  kinds: readonly QuestionKind[],
  nowMs: number,
  keep: readonly { appointmentId: AppointmentId; kind: QuestionKind; subject: string }[] = [],
): Promise<boolean> {
  if (appointmentIds.length === 0) return false;
  const { numAffectedRows } = await sql`
    update booking.questions q set over_ms = ${nowMs}
    where q.user_id = ${userId} and q.appointment_id = any(${appointmentIds}::uuid[]) and q.kind = any(${kinds}::text[]) and q.over_ms is null
      and not exists (
        select from jsonb_to_recordset(${JSON.stringify(keep)}::jsonb) as k("appointmentId" uuid, kind text, subject text)
        where k."appointmentId" = q.appointment_id and k.kind = q.kind and k.subject = q.subject)`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
}
