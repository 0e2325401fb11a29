import { type RawBuilder, sql } from 'kysely';
import type { AppointmentId, BookingId, BookingLinkId, EventTypeId, UserId } from '#kernel/ids.ts';

/** A seat that is taken before it is known by whom. Times are epoch ms. */
export interface NewHold {
  id: BookingId;
  uid: string;
  userId: UserId;
  eventTypeId: EventTypeId;
  linkId: BookingLinkId | null;
  network: Buffer | null;
  expiresMs: number;
  nowMs: number;
}

export const holdColumns = sql`id, uid, appointment_id, seat, user_id, event_type_id, link_id, state, network, expires_ms, created_ms`;

/** In the order of `holdColumns`; typed, since what is selected has no column to take its type from. */
export const holdValues = (hold: NewHold, appointmentId: AppointmentId, seat: RawBuilder<unknown>) =>
  sql`${hold.id}::uuid, ${hold.uid}::text, ${appointmentId}::uuid, ${seat}, ${hold.userId}::uuid, ${hold.eventTypeId}::uuid,
    ${hold.linkId}::uuid, 'held', ${hold.network}::bytea, ${hold.expiresMs}::bigint, ${hold.nowMs}::bigint`;
