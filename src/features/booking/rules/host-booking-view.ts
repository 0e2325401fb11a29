import type { AppointmentId, BookingId, CalendarId, EventTypeId, ItemId, TeamId, UserId } from '#kernel/ids.ts';
import type { HostBooking } from './booking-endpoints.ts';
import type { BookingActor, BookingState } from './booking-states.ts';
import { type Answer, type AskedQuestion, tellAnswers } from './check-answers.ts';
import type { TypeSettings } from './type-settings.ts';

interface Shown {
  id: BookingId;
  uid: string;
  appointmentId: AppointmentId;
  eventTypeId: EventTypeId | null;
  title: string;
  state: BookingState;
  sequence: number;
  startMs: number;
  endMs: number;
  guestName: string;
  guestEmail: string;
  guestPhone: string | null;
  guestZone: string;
  guests: string[];
  answers: Record<string, Answer>;
  asked: AskedQuestion[];
  location: TypeSettings['location'];
  joinUrl: string | null;
  seats: number;
  seat: number;
  seriesId: string | null;
  itemId: ItemId | null;
  calendarId: CalendarId | null;
  verified: boolean;
  reason: string | null;
  endedBy: BookingActor | null;
  guestResponse: 'accepted' | 'declined' | 'tentative' | null;
  guestNoShow: boolean;
  hostNoShow: boolean;
  createdMs: number;
  /** Team of its event type; null: a person's. */
  teamId: TeamId | null;
  hostIds: UserId[];
}

/** A booking as its host sees it. */
export function showHostBooking(
  row: Shown,
  nameOf: ReadonlyMap<UserId, string> = new Map(),
  memberIds: readonly UserId[] | null = null,
  { untold = [], isStopped = false }: { untold?: readonly string[] | undefined; isStopped?: boolean } = {},
): HostBooking {
  const showOne = (id: UserId) => ({
    user_id: id,
    name: nameOf.get(id) ?? '',
    left: memberIds !== null && !memberIds.includes(id),
  });
  return {
    booking_id: row.id,
    uid: row.uid,
    appointment_id: row.appointmentId,
    event_type_id: row.eventTypeId,
    title: row.title,
    state: row.state,
    sequence: row.sequence,
    start_time: row.startMs,
    end_time: row.endMs,
    name: row.guestName,
    email: row.guestEmail,
    phone: row.guestPhone,
    zone: row.guestZone,
    guests: row.guests,
    email_stopped: isStopped,
    untold: [...untold],
    answers: tellAnswers(row.asked, row.answers),
    location: row.location,
    join_url: row.joinUrl ?? (row.location.kind === 'link' ? row.location.url : null),
    seats: row.seats,
    seat: row.seat,
    series_id: row.seriesId,
    event_id: row.itemId,
    calendar_id: row.calendarId,
    verified: row.verified,
    reason: row.reason,
    ended_by: row.endedBy,
    guest_response: row.guestResponse,
    guest_no_show: row.guestNoShow,
    host_no_show: row.hostNoShow,
    created_at: row.createdMs,
    team_id: row.teamId,
    hosts: row.teamId === null ? [] : row.hostIds.map(showOne),
  };
}
