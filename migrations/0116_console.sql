create schema admin;

-- Processes that serve or work, as each of them says every 15 seconds.
create table admin.processes (
  id uuid primary key,
  role text not null check (role in ('web', 'worker', 'all')),
  streams integer not null, -- browsers that listen to it
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);

-- What was measured last, and what was counted last: one row.
create table admin.watched (
  only_one boolean primary key default true check (only_one),
  watched_at timestamptz, -- when a worker last looked, by its schedule
  measured_at timestamptz not null default now(),
  services jsonb not null default '[]', -- rules/health.ts
  counted_at timestamptz,
  counts jsonb, -- rules/counts.ts
  log_days integer not null default 30 check (log_days between 7 and 365) -- how long errors and alerts are kept
);
insert into admin.watched default values;

-- How often each service was found working, by the hour; kept for a month.
create table admin.probe_sums (
  service text not null,
  hour timestamptz not null,
  good integer not null default 0,
  bad integer not null default 0,
  primary key (service, hour)
);

-- What was wrong with the running system, from when to when; one that stands for each rule and subject.
create table admin.alerts (
  id bigint generated always as identity primary key,
  rule text not null,
  subject text not null default '',
  level text not null check (level in ('info', 'warning', 'error')),
  facts jsonb not null default '{}',
  raised_at timestamptz not null default now(),
  ended_at timestamptz
);
create unique index alerts_standing on admin.alerts (rule, subject) where ended_at is null;

-- Who was here within a month, for what the operator's console counts.
create view accounts.active as
  select distinct user_id from accounts.sessions where last_seen_at > now() - interval '30 days';
create view accounts.people as
  select id as user_id, role, split_part(zone, '/', 1) as region, created_at, leaving_at is not null as leaving
  from accounts.users;
create view connections.accounts as
  select id, user_id, provider, profile, label, status from connections.connections where status <> 'disconnecting';
