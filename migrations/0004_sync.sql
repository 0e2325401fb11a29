create schema sync;

-- How far we have read each calendar.
create table sync.pulls (
  calendar_id uuid primary key references connections.calendars on delete cascade,
  user_id uuid not null references accounts.users on delete cascade,
  connection_id uuid not null references connections.connections on delete cascade,
  cursor text, -- stored only in the transaction that stores the effects of all pages up to it
  next_pull_at timestamptz not null default 'epoch',
  last_listing_at timestamptz, -- last complete, successful listing
  last_changed_at timestamptz,
  want_listing boolean not null default true, -- the next pull shall list everything
  suspect boolean not null default false, -- the last listing was suddenly empty; its deletions wait for a second one
  failures integer not null default 0 -- in a row, for the backoff
);
comment on column sync.pulls.calendar_id is '@type CalendarId';
comment on column sync.pulls.user_id is '@type UserId';
comment on column sync.pulls.connection_id is '@type ConnectionId';
create index pulls_due on sync.pulls (next_pull_at);

-- A mirror group: busy time of every source stands as blocks in every other target.
create table sync.groups (
  id uuid primary key,
  user_id uuid not null references accounts.users on delete cascade,
  name text not null,
  enabled boolean not null default true,
  rule jsonb not null default '{}', -- default rule; features/sync/contract.ts MirrorRule, absent keys = product default
  revision integer not null default 1,
  window_day date, -- the owner's day for which the window was last planned
  created_at timestamptz not null default now()
);
comment on column sync.groups.id is '@type GroupId';
comment on column sync.groups.user_id is '@type UserId';
create index groups_by_user on sync.groups (user_id);

-- A calendar is in one group at most, so that no pair is ruled twice.
create table sync.members (
  calendar_id uuid primary key references connections.calendars on delete cascade,
  group_id uuid not null references sync.groups on delete cascade,
  is_source boolean not null default true,
  is_target boolean not null default true
);
comment on column sync.members.calendar_id is '@type CalendarId';
comment on column sync.members.group_id is '@type GroupId';
create index members_by_group on sync.members (group_id);

-- What differs from the group's rule for one source and one target, and that pair's breaker.
create table sync.pairs (
  group_id uuid not null references sync.groups on delete cascade,
  source_calendar_id uuid not null references connections.calendars on delete cascade,
  target_calendar_id uuid not null references connections.calendars on delete cascade,
  enabled boolean not null default true,
  rule jsonb not null default '{}',
  -- closed: normal; waiting: a plan wants too many deletions, a second listing is asked for; open: its owner decides;
  -- allowed, keeping: the owner's answer, until the next plan has carried it out
  breaker text not null default 'closed' check (breaker in ('closed', 'waiting', 'open', 'allowed', 'keeping')),
  breaker_at timestamptz,
  breaker_deletes integer,
  primary key (source_calendar_id, target_calendar_id)
);
comment on column sync.pairs.group_id is '@type GroupId';
comment on column sync.pairs.source_calendar_id is '@type CalendarId';
comment on column sync.pairs.target_calendar_id is '@type CalendarId';

-- The ledger: one row per (target, origin, instance or whole). A row that is pending or deleting is the intent, written
-- before any call; its identity is deterministic, so a call whose outcome was lost is found again and adopted.
create table sync.mirrors (
  id uuid primary key,
  user_id uuid not null,
  -- no foreign keys to the origin: the ledger outlives what it mirrors, or its blocks could never be removed
  origin_calendar_id uuid not null,
  origin_item_id uuid not null,
  origin_uid text not null, -- UID where there is one, else the provider's ref
  rec_id text not null default '', -- '' = the single event or the whole series
  target_calendar_id uuid not null references connections.calendars,
  target_connection_id uuid not null,
  identity_key text not null,
  generation integer not null default 1,
  state text not null check (state in ('pending', 'created', 'failed', 'deleting', 'skipped')),
  reason text, -- why skipped, or the rule that released it
  -- desired: what shall stand; null when nothing shall
  desired json, -- only kept and given back
  desired_hash text,
  near_ms bigint not null default 0, -- order of writes: distance of its nearest instance when it was planned, past last
  -- applied: what we last wrote and the provider acknowledged
  ref text,
  version text,
  applied_hash text,
  applied_at timestamptz,
  verified_at timestamptz,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default 'epoch',
  error_code text,
  error_message text,
  -- the target's own user touched the copy
  seen text check (seen in ('changed', 'gone')),
  user_deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (origin_calendar_id, origin_uid, target_calendar_id, rec_id)
);
comment on column sync.mirrors.id is '@type MirrorId';
comment on column sync.mirrors.user_id is '@type UserId';
comment on column sync.mirrors.origin_calendar_id is '@type CalendarId';
comment on column sync.mirrors.origin_item_id is '@type ItemId';
comment on column sync.mirrors.target_calendar_id is '@type CalendarId';
comment on column sync.mirrors.target_connection_id is '@type ConnectionId';
create index mirrors_by_item on sync.mirrors (origin_item_id);
create index mirrors_due on sync.mirrors (target_connection_id, near_ms, id) where state in ('pending', 'deleting');
create index mirrors_by_target_ref on sync.mirrors (target_calendar_id, ref) where ref is not null;
create index mirrors_by_user on sync.mirrors (user_id);


-- Fencing: whoever writes for a connection takes the next token; outcomes under an older token are refused.
create table sync.fences (
  connection_id uuid primary key references connections.connections on delete cascade,
  token bigint not null default 0,
  -- the account as a whole: after an outage or a limit nothing is written before this
  not_before timestamptz not null default 'epoch',
  failures integer not null default 0
);
comment on column sync.fences.connection_id is '@type ConnectionId';

-- One line per thing that happened to a mirror. Append only.
create table sync.audit (
  id bigint generated always as identity primary key,
  user_id uuid not null,
  mirror_id uuid,
  origin_item_id uuid,
  at timestamptz not null default now(),
  type text not null,
  actor text not null check (actor in ('user', 'webhook', 'poll', 'sweep')),
  status text not null check (status in ('success', 'error', 'pending')),
  message text not null,
  duration_ms integer,
  error_code text,
  request_id text,
  before_hash text,
  after_hash text
);
comment on column sync.audit.user_id is '@type UserId';
comment on column sync.audit.mirror_id is '@type MirrorId';
comment on column sync.audit.origin_item_id is '@type ItemId';
create index audit_by_mirror on sync.audit (mirror_id, id desc);
create index audit_by_origin on sync.audit (origin_item_id, id desc);
create index audit_by_age on sync.audit using brin (at);
