-- What a restored install has still to do (platform/settle-restore), and what keeps people out meanwhile. A table whose comment
-- says @momentary is not in a backup: what is in it is worth nothing an hour later, or must not come back.

create table platform.maintenance (
  -- one row or none
  id boolean primary key default true check (id),
  message text not null check (length(message) between 1 and 500),
  begun_at timestamptz not null default now()
);
comment on table platform.maintenance is '@momentary';

create table platform.backups (
  id uuid primary key,
  taken_at timestamptz not null,
  file text not null,
  bytes bigint not null
);
create index backups_by_time on platform.backups (taken_at);
comment on table platform.backups is '@momentary';

create table platform.restores (
  id uuid primary key,
  taken_at timestamptz not null,
  restored_at timestamptz not null default now(),
  -- waiting mails are sent once more
  sends_waiting boolean not null,
  settled_at timestamptz
);
comment on table platform.restores is '@momentary';

-- Jobs that waited when a backup was made. Empty but for a moment.
create table platform.restored_jobs (
  id uuid primary key,
  name text not null,
  payload jsonb,
  key text,
  priority integer not null,
  start_after timestamptz not null
);
comment on table platform.restored_jobs is '@momentary';

comment on table platform.feed is '@momentary';
comment on table platform.limits is '@momentary';
-- Somebody who was signed out must not be signed in again by an old state.
comment on table accounts.sessions is '@momentary';
comment on table access.challenges is '@momentary';
comment on table access.mail_codes is '@momentary';
comment on table takeout.exports is '@momentary';
comment on table takeout.chunks is '@momentary';
-- Thrown away every day, so that nobody can tell who a visitor was.
comment on table analytics.salts is '@momentary';
