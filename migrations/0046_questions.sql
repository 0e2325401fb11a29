-- What a host is asked about something that was booked, because their calendar says otherwise: one row for each matter,
-- opened again when it comes back.
create table booking.questions (
  id uuid primary key,
  user_id uuid not null references accounts.users on delete cascade,
  appointment_id uuid not null references booking.appointments on delete cascade,
  -- moved, deleted, declined: its event. conflict: something else came to take its time. overbooked: it stands over a hold
  kind text not null check (kind in ('moved', 'deleted', 'declined', 'conflict', 'overbooked')),
  subject text not null default '', -- conflict, overbooked: the other event, as `item instance`
  start_ms bigint, -- where its event stands (moved), or the other one
  end_ms bigint,
  calendar_id uuid references connections.calendars on delete cascade, -- of the other event
  title text, -- of the other event; moved: of what it was moved onto
  asked_ms bigint not null,
  over_ms bigint, -- answered, or settled by itself
  answer text check (answer in ('follow', 'restore', 'cancel', 'ask-guest', 'ignore')),
  unique (appointment_id, kind, subject),
  check ((kind in ('conflict', 'overbooked')) = (subject <> '')),
  check (answer is null or over_ms is not null)
);
comment on column booking.questions.user_id is '@type UserId';
comment on column booking.questions.appointment_id is '@type AppointmentId';
comment on column booking.questions.calendar_id is '@type CalendarId';
create index questions_open on booking.questions (user_id) where over_ms is null;

alter table booking.appointments
  add column event_ref text, -- of its event, once it was seen standing
  add column restores integer not null default 0; -- times in a row that it was written back by itself
create index appointments_with_event on booking.appointments (calendar_id, end_ms) where live and item_id is not null;

alter table booking.bookings
  -- what its guest answered in their calendar: told, never acted on
  add column guest_response text check (guest_response in ('accepted', 'declined', 'tentative'));
create index bookings_unverified on booking.bookings (appointment_id) where state = 'confirmed' and not verified;

-- Double bookings that did not happen (semantics 5): each busy instance of a host counts once.
create table booking.preventions (
  host_id uuid not null references accounts.users on delete cascade,
  item_id uuid not null, -- the event may be gone by now
  rec_id text not null,
  -- rejected: a booking was refused because its time had become busy. masked: a guest was not offered it
  kind text not null check (kind in ('rejected', 'masked')),
  event_type_id uuid references booking.event_types on delete set null,
  calendar_id uuid not null, -- of the event
  target_calendar_id uuid, -- that the booking would have been written to
  start_ms bigint not null, -- of the event
  end_ms bigint not null,
  at_ms bigint not null,
  primary key (host_id, item_id, rec_id)
);
comment on column booking.preventions.host_id is '@type UserId';
comment on column booking.preventions.item_id is '@type ItemId';
comment on column booking.preventions.event_type_id is '@type EventTypeId';
comment on column booking.preventions.calendar_id is '@type CalendarId';
comment on column booking.preventions.target_calendar_id is '@type CalendarId';
create index preventions_by_time on booking.preventions (host_id, at_ms);

-- Notices about bookings, and calendars that bookings wait for.
alter table inbox.notices drop constraint notices_kind_check;
alter table inbox.notices add constraint notices_kind_check check (kind in ('reconnect', 'stopped', 'calendar', 'breaker',
  'mirrors', 'conflict', 'edit', 'booking-moved', 'booking-deleted', 'booking-declined', 'booking-conflict',
  'booking-overbooked', 'stale'));
