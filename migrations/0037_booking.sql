create schema booking;

-- The first part of a person's public addresses: the one in use, and those that were given up. One that was given up
-- leads to its person until it is free, and nobody else may take it before.
create table booking.handles (
  -- SHA-256 of how it looks (features/booking/rules/handle.ts): two that look alike are one. When its person is gone
  -- this is all that is kept.
  look bytea primary key check (octet_length(look) = 32),
  handle text unique check (handle ~ '^[a-z0-9](-?[a-z0-9])*$' and length(handle) between 3 and 40),
  user_id uuid references accounts.users on delete set null,
  free_at timestamptz, -- null: in use
  taken_at timestamptz not null default now(),
  check ((handle is null) = (user_id is null)),
  check (user_id is not null or free_at is not null)
);
comment on column booking.handles.user_id is '@type UserId';
create unique index handles_in_use on booking.handles (user_id) where free_at is null;
create index handles_by_user on booking.handles (user_id);

create function booking.forget_handle() returns trigger language plpgsql as $$
begin
  new.handle := null;
  new.free_at := greatest(new.free_at, now() + interval '90 days');
  return new;
end $$;
create trigger forget_handle before update on booking.handles
  for each row when (new.user_id is null) execute function booking.forget_handle();

-- What somebody can book.
create table booking.event_types (
  id uuid primary key,
  user_id uuid not null references accounts.users on delete cascade,
  slug text not null check (slug ~ '^[a-z0-9](-?[a-z0-9])*$' and length(slug) <= 64),
  title text not null,
  description text not null default '',
  kind text not null check (kind in ('one-on-one', 'group', 'collective', 'round-robin')),
  position integer not null,
  hidden boolean not null default false, -- not on its person's profile page
  secret boolean not null default false, -- at no address but those of its links
  settings jsonb not null, -- features/booking/rules/type-settings.ts
  version integer not null default 1, -- who changes it names the one they saw
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz -- kept for those who booked it, and to be undone
);
comment on column booking.event_types.id is '@type EventTypeId';
comment on column booking.event_types.user_id is '@type UserId';
create unique index event_types_by_slug on booking.event_types (user_id, slug) where deleted_at is null;
create index event_types_by_user on booking.event_types (user_id, position);

-- Addresses that are hard to guess, each for one event type.
create table booking.links (
  id uuid primary key,
  user_id uuid not null references accounts.users on delete cascade,
  event_type_id uuid not null references booking.event_types on delete cascade,
  -- private: for whom it is given to; account, calendar: what is booked goes into that calendar; times: some starts only
  kind text not null check (kind in ('private', 'account', 'calendar', 'times')),
  label text not null default '', -- for its person's eyes
  token_hash bytea not null unique, -- SHA-256
  token text not null,
  connection_id uuid references connections.connections on delete cascade, -- account
  calendar_id uuid references connections.calendars on delete cascade, -- calendar
  starts bigint[], -- times: epoch ms
  duration_minutes integer, -- times: how long each is
  uses_left integer check (uses_left >= 0), -- null: as often as one likes
  expires_at timestamptz, -- null: never
  created_at timestamptz not null default now(),
  check ((kind = 'account') = (connection_id is not null)),
  check ((kind = 'calendar') = (calendar_id is not null)),
  check ((kind = 'times') = (starts is not null and duration_minutes is not null))
);
comment on column booking.links.id is '@type BookingLinkId';
comment on column booking.links.user_id is '@type UserId';
comment on column booking.links.event_type_id is '@type EventTypeId';
comment on column booking.links.connection_id is '@type ConnectionId';
comment on column booking.links.calendar_id is '@type CalendarId';
comment on column booking.links.token is '@sealed';
create unique index links_of_account on booking.links (connection_id) where kind = 'account';
create unique index links_of_calendar on booking.links (calendar_id) where kind = 'calendar';
create index links_by_user on booking.links (user_id, created_at);
create index links_by_type on booking.links (event_type_id);
