-- What went wrong, one row per cause: at most 500, those not seen for long are removed.
create table platform.errors (
  -- SHA-256 of what was told, where, and the cause without its numbers and names
  fingerprint text primary key,
  severity text not null check (severity in ('low', 'medium', 'high', 'critical')),
  told text not null, -- the line of the log
  place text, -- the route or job it happened in
  cause text not null, -- redacted as the log is
  count bigint not null,
  request_ids text[] not null, -- of the newest, at most five, the newest first
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now()
);
create index errors_by_age on platform.errors (last_at);
