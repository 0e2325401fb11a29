import type { BookingFacts } from '#features/booking/public.ts';
import type { BookingId, UserId } from '#kernel/ids.ts';

/** A booking of nobody's, for people who try a step before anything was booked. Its guest cannot be written to. */
export function sampleBooking(userId: UserId, nowMs: number): BookingFacts {
  const startMs = Math.ceil(nowMs / 3_600_000) * 3_600_000 + 86_400_000;
  return {
    id: '00000000-0000-4000-8000-000000000000' as BookingId,
    uid: 'example@holdfast.invalid',
    userId,
    eventTypeId: null,
    teamId: null,
    state: 'confirmed',
    sequence: 0,
    title: 'Intro',
    startMs,
    endMs: startMs + 1_800_000,
    location: { kind: 'link', url: 'https://meet.example.com/room' },
    joinUrl: 'https://meet.example.com/room',
    guest: { name: 'Gus Guest', email: 'gus@example.com', phone: null, zone: 'UTC', locale: null, isProved: true },
    guests: [],
    answers: [{ label: 'Company', answer: 'Example' }],
    reason: null,
    guestNoShow: false,
    hostNoShow: false,
    createdMs: nowMs,
    confirmedMs: nowMs,
    organizer: null,
    last: null,
    isFirst: true,
    isAlongside: false,
    url: 'https://example.com/booked/example',
    bookUrl: 'https://example.com/anna/intro',
    linkUrl: null,
  };
}
