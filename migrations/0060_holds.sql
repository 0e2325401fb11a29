-- Events that were made as holds here: what decides how they count, whatever the rules of their person say.
create table availability.holds (
  item_id uuid primary key, -- may not be written yet
  user_id uuid not null references accounts.users on delete cascade,
  rank smallint not null check (rank between 1 and 4),
  harden_ms bigint check (harden_ms > 0) -- so long before its start its rank becomes 1
);
comment on column availability.holds.item_id is '@type ItemId';
comment on column availability.holds.user_id is '@type UserId';
create index holds_by_user on availability.holds (user_id);

create schema holds;

-- Time that a person keeps for something which what is more important may take: the hold then moves, shrinks or goes.
create table holds.holds (
  id uuid primary key,
  user_id uuid not null references accounts.users on delete cascade,
  calendar_id uuid not null references connections.calendars on delete cascade,
  title text not null check (length(title) between 1 and 1000),
  rank smallint not null check (rank between 1 and 4),
  range jsonb not null, -- where it may be moved: holds/rules/allowed-range.ts
  expires_ms bigint, -- released then
  harden_ms bigint check (harden_ms > 0), -- so long before its start its rank becomes 1
  -- where its person put it, and where it stands; nowhere once it gave way
  home_start_ms bigint not null,
  home_end_ms bigint not null check (home_end_ms > home_start_ms),
  start_ms bigint,
  end_ms bigint check (end_ms > start_ms),
  -- gave-way: to a booking, and comes back if that goes. released: it expired. removed: by its person
  state text not null check (state in ('held', 'gave-way', 'released', 'removed')),
  version integer not null default 1, -- counts changes
  item_id uuid, -- its event, once it was wanted
  seen boolean not null default false, -- its event was seen standing in the calendar
  writes integer not null default 0, -- of its event
  created_ms bigint not null,
  ended_ms bigint,
  check ((start_ms is null) = (end_ms is null) and (start_ms is null) = (state = 'gave-way'))
);
comment on column holds.holds.id is '@type HoldId';
comment on column holds.holds.user_id is '@type UserId';
comment on column holds.holds.calendar_id is '@type CalendarId';
comment on column holds.holds.item_id is '@type ItemId';
create index holds_by_user on holds.holds (user_id, home_end_ms);
create index holds_by_calendar on holds.holds (calendar_id) where state = 'held';
create unique index holds_by_item on holds.holds (item_id);
create index holds_to_release on holds.holds (expires_ms) where state in ('held', 'gave-way');

-- What happened to a hold.
create table holds.audit (
  hold_id uuid not null references holds.holds on delete cascade,
  n integer not null, -- the version that it became
  at_ms bigint not null,
  kind text not null check (kind in ('made', 'changed', 'moved', 'shrunk', 'gave-way', 'returned', 'released', 'removed',
    'restored', 'followed')),
  details jsonb not null default '{}',
  primary key (hold_id, n)
);
comment on column holds.audit.hold_id is '@type HoldId';
