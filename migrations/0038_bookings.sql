-- Time of hosts that was given away, to one guest or to the seats of a group: what stands in a calendar as one event.
create table booking.appointments (
  id uuid primary key,
  user_id uuid not null references accounts.users on delete cascade, -- whose event type it is, and whose calendar has the event
  event_type_id uuid references booking.event_types on delete set null,
  host_ids uuid[] not null, -- who takes part; their time is in `blocks`
  title text not null, -- of the event type, when it was booked
  start_ms bigint not null,
  end_ms bigint not null,
  buffer_before_ms bigint not null, -- of the event type, when it was booked or moved
  buffer_after_ms bigint not null,
  seats integer not null check (seats >= 1), -- in all
  location jsonb not null, -- features/booking/rules/type-settings.ts; of the event type, when it was booked
  join_url text, -- of a meeting that was made for it
  policy_id uuid, -- the version of the hours that allowed it
  policy_n integer,
  live boolean not null default true, -- false: nobody comes any more, and its time is free
  calendar_id uuid references connections.calendars on delete set null, -- that its event is written to; null: none
  item_id uuid, -- its event, once it is to be written
  event_key text not null, -- name of its event at providers: base32hex
  writes integer not null default 0, -- intents to write its event; each has a name of its own
  check (end_ms > start_ms)
);
comment on column booking.appointments.id is '@type AppointmentId';
comment on column booking.appointments.user_id is '@type UserId';
comment on column booking.appointments.event_type_id is '@type EventTypeId';
comment on column booking.appointments.calendar_id is '@type CalendarId';
comment on column booking.appointments.item_id is '@type ItemId';
create index appointments_by_user on booking.appointments (user_id, start_ms);
create index appointments_by_item on booking.appointments (item_id) where item_id is not null;
-- limits count by it; of a group there is one at a time, which all who come at that time share
create index appointments_by_type on booking.appointments (event_type_id, start_ms) where live;
create unique index appointments_of_group on booking.appointments (event_type_id, start_ms, end_ms) where live and seats > 1;

-- The time of each host, buffers included: that two of one host never overlap is held here and nowhere else.
create table booking.blocks (
  appointment_id uuid not null references booking.appointments on delete cascade,
  host_id uuid not null references accounts.users on delete cascade,
  during int8range not null check (not isempty(during)), -- epoch ms
  expires_ms bigint, -- of what is only held, or not confirmed by mail: worth nothing from then on
  primary key (appointment_id, host_id),
  constraint blocks_never_overlap exclude using gist (host_id with =, during with &&)
);
comment on column booking.blocks.appointment_id is '@type AppointmentId';
comment on column booking.blocks.host_id is '@type UserId';
create index blocks_expiring on booking.blocks (expires_ms) where expires_ms is not null;

-- What a guest has of an appointment. It keeps its id, uid and address when it is moved; `audit` tells where it was.
create table booking.bookings (
  id uuid primary key,
  uid text not null unique, -- of its invitations, iCalendar
  appointment_id uuid not null references booking.appointments on delete cascade,
  seat integer not null check (seat >= 1),
  user_id uuid not null references accounts.users on delete cascade,
  event_type_id uuid references booking.event_types on delete set null,
  link_id uuid references booking.links on delete set null,
  series_id uuid, -- those that were booked together, one for each time
  state text not null check (state in ('held', 'awaiting-mail', 'pending', 'confirmed', 'declined', 'cancelled', 'expired')),
  taken boolean not null generated always as (state in ('held', 'awaiting-mail', 'pending', 'confirmed')) stored,
  sequence integer not null default 0, -- iCalendar; whoever moves it names the one they saw
  expires_ms bigint,
  token_hash bytea unique, -- SHA-256 of its guest's address of it
  token text, -- the same, for mails that come later
  guest_name text,
  guest_email text,
  guest_phone text,
  guest_zone text,
  language text,
  answers jsonb not null default '{}', -- by the ids of the questions
  guests jsonb not null default '[]', -- whom the guest brings: email and name
  verified boolean not null default false, -- its calendars were read anew when it was made
  mail_confirmed_ms bigint, -- the guest has shown to read this address
  reason text, -- of a decline or cancellation
  ended_by text check (ended_by in ('guest', 'host', 'calendar', 'system')),
  guest_no_show boolean not null default false,
  host_no_show boolean not null default false,
  network bytea, -- who holds it, as a keyed hash; only while it is held
  created_ms bigint not null,
  confirmed_ms bigint,
  ended_ms bigint, -- declined, cancelled or expired
  check ((state in ('held', 'awaiting-mail')) = (expires_ms is not null)),
  check (state = 'held' or (guest_name is not null and guest_email is not null and token_hash is not null))
);
comment on column booking.bookings.id is '@type BookingId';
comment on column booking.bookings.appointment_id is '@type AppointmentId';
comment on column booking.bookings.user_id is '@type UserId';
comment on column booking.bookings.event_type_id is '@type EventTypeId';
comment on column booking.bookings.link_id is '@type BookingLinkId';
comment on column booking.bookings.token is '@sealed';
create unique index seats_taken_once on booking.bookings (appointment_id, seat) where taken;
create index bookings_by_appointment on booking.bookings (appointment_id);
create index bookings_by_user on booking.bookings (user_id, created_ms);
create index bookings_by_email on booking.bookings (guest_email, created_ms);
create index bookings_by_series on booking.bookings (series_id) where series_id is not null;
create index bookings_expiring on booking.bookings (expires_ms) where expires_ms is not null;
create index holds_by_network on booking.bookings (network) where network is not null;

-- What was answered to an Idempotency-Key: whoever repeats a request gets the same booking.
create table booking.answers (
  id uuid primary key,
  event_type_id uuid not null references booking.event_types on delete cascade,
  key_hash bytea not null,
  body_hash bytea not null,
  answer text, -- JSON; null only within the transaction that makes it
  created_ms bigint not null,
  unique (event_type_id, key_hash)
);
comment on column booking.answers.event_type_id is '@type EventTypeId';
comment on column booking.answers.answer is '@sealed';
create index answers_by_age on booking.answers (created_ms);

create table booking.audit (
  id bigint generated always as identity primary key,
  booking_id uuid not null references booking.bookings on delete cascade,
  at_ms bigint not null,
  actor text not null check (actor in ('guest', 'host', 'calendar', 'system')),
  kind text not null, -- features/booking/rules/booking-states.ts
  details jsonb not null default '{}'
);
comment on column booking.audit.booking_id is '@type BookingId';
create index audit_by_booking on booking.audit (booking_id, id);

-- An edit that a booking asks for is not a person's to decide on: what it touches is written over what it meets.
alter table edits.edits add column insists boolean not null default false;
