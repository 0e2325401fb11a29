create schema availability;

-- A named set of hours. What it says is in its versions, which never change.
create table availability.policies (
  id uuid primary key,
  user_id uuid not null references accounts.users on delete cascade,
  name text not null check (length(name) between 1 and 80),
  version integer not null check (version > 0), -- the newest
  created_ms bigint not null,
  deleted_ms bigint,
  unique (user_id, id)
);
comment on column availability.policies.id is '@type PolicyId';
comment on column availability.policies.user_id is '@type UserId';

create table availability.versions (
  policy_id uuid not null references availability.policies on delete cascade,
  n integer not null check (n > 0),
  hours jsonb not null, -- zone, weekly hours, overrides: availability/rules/hours.ts
  note text not null default '' check (length(note) <= 500),
  author_id uuid references accounts.users on delete set null,
  created_ms bigint not null, -- from then on it holds, until the next
  primary key (policy_id, n)
);
comment on column availability.versions.policy_id is '@type PolicyId';
comment on column availability.versions.author_id is '@type UserId';
alter table availability.policies add foreign key (id, version) references availability.versions (policy_id, n)
  deferrable initially deferred;

-- From when on which policy is a person's default, until the next row. A moment belongs to one row at most by the key, so
-- exactly one is active; before the first it is nine to five (availability/rules/hours.ts).
create table availability.defaults (
  user_id uuid not null references accounts.users on delete cascade,
  from_ms bigint not null,
  policy_id uuid not null,
  primary key (user_id, from_ms),
  foreign key (user_id, policy_id) references availability.policies (user_id, id) on delete cascade
);
comment on column availability.defaults.user_id is '@type UserId';
comment on column availability.defaults.policy_id is '@type PolicyId';

-- What holds to a policy: it cannot be deleted while there is a row. Written by the features that follow policies.
create table availability.policy_uses (
  kind text not null,
  subject_id uuid not null,
  user_id uuid not null,
  policy_id uuid not null,
  n integer, -- the version it is pinned to; null: it follows the newest
  label text not null,
  primary key (kind, subject_id),
  foreign key (user_id, policy_id) references availability.policies (user_id, id) on delete cascade
);
comment on column availability.policy_uses.user_id is '@type UserId';
comment on column availability.policy_uses.policy_id is '@type PolicyId';
create index policy_uses_by_policy on availability.policy_uses (policy_id);

-- Out of office: whole days, both included, on the wall the hours are read on.
create table availability.days_off (
  id uuid primary key,
  user_id uuid not null references accounts.users on delete cascade,
  first_day date not null,
  last_day date not null check (last_day >= first_day),
  reason text not null default '' check (length(reason) <= 200)
);
comment on column availability.days_off.user_id is '@type UserId';
create index days_off_by_user on availability.days_off (user_id, last_day);

-- Days in another zone: the same hours of the wall there.
create table availability.travels (
  id uuid primary key,
  user_id uuid not null references accounts.users on delete cascade,
  zone text not null,
  first_day date not null,
  last_day date not null check (last_day >= first_day),
  exclude using gist (user_id with =, daterange(first_day, last_day, '[]') with &&)
);
comment on column availability.travels.user_id is '@type UserId';

-- Whose public holidays are days off.
create table availability.holidays (
  user_id uuid primary key references accounts.users on delete cascade,
  country text not null,
  region text,
  worked text[] not null default '{}' check (cardinality(worked) <= 100) -- the rules of those that are no day off
);
comment on column availability.holidays.user_id is '@type UserId';

-- What makes an event a hold, which may be booked over from a higher rank.
create table availability.hold_rules (
  id uuid primary key,
  user_id uuid not null references accounts.users on delete cascade,
  kind text not null check (kind in ('calendar', 'title-prefix', 'color', 'category', 'tentative', 'focus')),
  value text not null default '' check (length(value) <= 100),
  rank smallint not null default 4 check (rank between 1 and 4),
  unique (user_id, kind, value)
);
comment on column availability.hold_rules.user_id is '@type UserId';
