-- An event type is a person's or a team's; of a team it is booked with its hosts.
alter table booking.event_types
  alter column user_id drop not null,
  add column team_id uuid references teams.teams on delete cascade,
  add column owner_id uuid generated always as (coalesce(user_id, team_id)) stored,
  add check (num_nonnulls(user_id, team_id) = 1),
  add unique (id, team_id);
comment on column booking.event_types.team_id is '@type TeamId';
drop index booking.event_types_by_slug, booking.event_types_by_user;
create unique index event_types_by_slug on booking.event_types (owner_id, slug) where deleted_at is null;
create index event_types_by_owner on booking.event_types (owner_id, position);
create index event_types_by_user on booking.event_types (user_id) where user_id is not null; -- for who goes
create index event_types_by_team on booking.event_types (team_id) where team_id is not null;

-- With whom a team's event type is booked. Whoever is in the team no more is no host of it either: the keys say so.
create table booking.hosts (
  event_type_id uuid not null,
  team_id uuid not null,
  user_id uuid not null,
  position smallint not null, -- in the order in which they were put
  weight smallint not null check (weight between 1 and 100), -- how much of what comes
  priority smallint not null check (priority between 1 and 3), -- of two with the same share the lower goes first
  optional boolean not null, -- takes part when free
  calibration double precision not null default 0, -- what stands for the days before: rules/choose-host.ts
  since_ms bigint not null,
  primary key (event_type_id, user_id),
  foreign key (event_type_id, team_id) references booking.event_types (id, team_id) on delete cascade,
  foreign key (team_id, user_id) references teams.members on delete cascade
);
comment on column booking.hosts.event_type_id is '@type EventTypeId';
comment on column booking.hosts.team_id is '@type TeamId';
comment on column booking.hosts.user_id is '@type UserId';
create index hosts_by_member on booking.hosts (team_id, user_id);

-- Who takes what would come to somebody in a team meanwhile.
create table booking.stand_ins (
  id uuid primary key,
  team_id uuid not null,
  user_id uuid not null,
  to_user_id uuid not null check (to_user_id <> user_id),
  from_ms bigint not null,
  until_ms bigint not null check (until_ms > from_ms),
  foreign key (team_id, user_id) references teams.members on delete cascade,
  foreign key (team_id, to_user_id) references teams.members on delete cascade,
  exclude using gist (team_id with =, user_id with =, int8range(from_ms, until_ms) with &&)
);
comment on column booking.stand_ins.team_id is '@type TeamId';
comment on column booking.stand_ins.user_id is '@type UserId';
comment on column booking.stand_ins.to_user_id is '@type UserId';
create index stand_ins_by_colleague on booking.stand_ins (team_id, to_user_id);

-- Whose turn it was in a pool: the host, or whom they stand in for; it counts for them from then on.
alter table booking.appointments
  add column turn_of uuid references accounts.users on delete set null,
  add column assigned_ms bigint;
comment on column booking.appointments.turn_of is '@type UserId';
create index appointments_of_pool on booking.appointments (event_type_id, assigned_ms) where assigned_ms is not null;
create index appointments_by_turn on booking.appointments (turn_of) where turn_of is not null;

-- The event of an appointment in the calendar of each host but the one whose own it is; also one that is still to go from
-- the calendar of who was a host of it.
create table booking.copies (
  appointment_id uuid not null references booking.appointments on delete cascade,
  host_id uuid not null references accounts.users on delete cascade,
  calendar_id uuid references connections.calendars on delete set null, -- null: none that can be written to
  item_id uuid, -- once it is to be written
  says text not null default '', -- digest of what it was last to say
  writes integer not null default 0, -- intents to write it; each has a name of its own
  primary key (appointment_id, host_id)
);
comment on column booking.copies.appointment_id is '@type AppointmentId';
comment on column booking.copies.host_id is '@type UserId';
comment on column booking.copies.calendar_id is '@type CalendarId';
comment on column booking.copies.item_id is '@type ItemId';
create index copies_by_host on booking.copies (host_id);
create index copies_by_item on booking.copies (item_id) where item_id is not null;
