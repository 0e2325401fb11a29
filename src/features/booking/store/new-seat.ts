import { type RawBuilder, sql } from 'kysely';
import type { AppointmentId, BookingId, BookingLinkId, EventTypeId, UserId } from '#kernel/ids.ts';
import { jsonb } from '#platform/db.ts';
import type { Answer, AskedQuestion } from '../rules/check-answers.ts';
import type { TypeSettings } from '../rules/type-settings.ts';
import type { AuditEntry } from './booking-audit.ts';

/** The data that turns a reservation into a booking. Times are epoch ms. */
export interface Filling {
  state: 'awaiting-mail' | 'pending' | 'confirmed';
  expiresMs: number | null;
  /** Sealed. */
  token: string;
  tokenHash: Buffer;
  guestName: string;
  guestEmail: string;
  guestPhone: string | null;
  guestZone: string;
  language: string | null;
  answers: Record<string, Answer>;
  asked: AskedQuestion[];
  cancellation: TypeSettings['cancellation'];
  guests: string[];
  verified: boolean;
  seriesId: string | null;
  seriesStartMs: number | null;
  seriesZone: string | null;
  /** Starts of the series that its guest left out, epoch ms. */
  seriesLeftOut: readonly number[];
  linkId: BookingLinkId | null;
  createdMs: number;
}

/** A seat that is taken: booked at once, or held before it is known by whom. */
export interface NewSeat {
  id: BookingId;
  uid: string;
  userId: UserId;
  eventTypeId: EventTypeId;
  linkId: BookingLinkId | null;
  network: Buffer | null;
  expiresMs: number | null;
  nowMs: number;
  /** For several dates that are reserved together: the id of the reservation, and this date's start and zone. */
  series?: { id: string; startMs: number; zone: string } | undefined;
  filling: Filling | null;
  /** Audit entry, stored in the same statement. */
  entry: AuditEntry | null;
}

type Columns = Record<string, RawBuilder<unknown>>;

/** Typed, since what is selected has no column to take its type from. */
const filledColumns = (filling: Filling): Columns => ({
  state: sql`${filling.state}::text`,
  expires_ms: sql`${filling.expiresMs}::bigint`,
  network: sql`null::bytea`,
  token: sql`${filling.token}::text`,
  token_hash: sql`${filling.tokenHash}::bytea`,
  guest_name: sql`${filling.guestName}::text`,
  guest_email: sql`${filling.guestEmail}::text`,
  guest_phone: sql`${filling.guestPhone}::text`,
  guest_zone: sql`${filling.guestZone}::text`,
  language: sql`${filling.language}::text`,
  answers: jsonb(filling.answers),
  asked: jsonb(filling.asked),
  cancellation: jsonb(filling.cancellation),
  guests: jsonb(filling.guests),
  verified: sql`${filling.verified}::boolean`,
  series_id: sql`${filling.seriesId}::uuid`,
  series_start_ms: sql`${filling.seriesStartMs}::bigint`,
  series_zone: sql`${filling.seriesZone}::text`,
  series_left_out: jsonb(filling.seriesLeftOut),
  link_id: sql`${filling.linkId}::uuid`,
  created_ms: sql`${filling.createdMs}::bigint`,
  confirmed_ms: sql`${filling.state === 'confirmed' ? filling.createdMs : null}::bigint`,
});

const seatColumns = (seat: NewSeat, appointmentId: AppointmentId, n: RawBuilder<unknown>): Columns => ({
  id: sql`${seat.id}::uuid`,
  uid: sql`${seat.uid}::text`,
  appointment_id: sql`${appointmentId}::uuid`,
  seat: n,
  user_id: sql`${seat.userId}::uuid`,
  event_type_id: sql`${seat.eventTypeId}::uuid`,
  ...(seat.filling === null
    ? {
        link_id: sql`${seat.linkId}::uuid`,
        state: sql`'held'`,
        network: sql`${seat.network}::bytea`,
        expires_ms: sql`${seat.expiresMs}::bigint`,
        created_ms: sql`${seat.nowMs}::bigint`,
        series_id: sql`${seat.series?.id ?? null}::uuid`,
        series_start_ms: sql`${seat.series?.startMs ?? null}::bigint`,
        series_zone: sql`${seat.series?.zone ?? null}::text`,
      }
    : filledColumns(seat.filling)),
});

/** `insert into booking.bookings as b` up to its source of rows. */
export function seatInsert(seat: NewSeat, appointmentId: AppointmentId, n: RawBuilder<unknown>): RawBuilder<unknown> {
  const columns = seatColumns(seat, appointmentId, n);
  return sql`insert into booking.bookings as b (${sql.join(Object.keys(columns).map((name) => sql.id(name)))})
    select ${sql.join(Object.values(columns))}`;
}

/** As an update sets it. */
export const filledSet = (filling: Filling): RawBuilder<unknown> =>
  sql.join(Object.entries(filledColumns(filling)).map(([name, value]) => sql`${sql.id(name)} = ${value}`));
