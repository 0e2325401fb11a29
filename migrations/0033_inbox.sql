create schema inbox;

-- What a person should know of: one row for each thing, for as long as it lasts and some days after.
create table inbox.notices (
  id uuid primary key,
  user_id uuid not null references accounts.users on delete cascade,
  kind text not null check (kind in ('reconnect', 'stopped', 'calendar', 'breaker', 'mirrors', 'conflict', 'edit')),
  -- the account, calendar, pair, two events or edit that it is about
  subject text not null,
  -- names and times that are shown
  details jsonb not null,
  at timestamptz not null default now(),
  read_at timestamptz,
  -- kept for a while: what comes and goes is not told each time
  over_at timestamptz,
  unique (user_id, kind, subject)
);
comment on column inbox.notices.user_id is '@type UserId';
create index notices_by_time on inbox.notices (user_id, at desc);
