-- A picture is one of ours, made anew from what was uploaded; addresses elsewhere were never shown.
alter table accounts.users
  drop column avatar_url,
  -- since when its person wants the account gone; nobody signs in to it any more
  add column leaving_at timestamptz;
create index users_leaving on accounts.users (leaving_at) where leaving_at is not null;

create table accounts.avatars (
  user_id uuid primary key references accounts.users on delete cascade,
  -- random, so that it can be neither guessed nor counted; a new picture has a new name
  file text not null unique,
  -- WebP
  bytes bytea not null,
  created_at timestamptz not null default now()
);
comment on column accounts.avatars.user_id is '@type UserId';

-- What could not be removed at a provider before its person's account went: told in the last mail.
create table accounts.remains (
  id bigint generated always as identity primary key,
  user_id uuid not null references accounts.users on delete cascade,
  place text not null,
  blocks integer not null check (blocks > 0),
  reason text not null
);
comment on column accounts.remains.user_id is '@type UserId';
create index remains_by_user on accounts.remains (user_id);

-- Lines are appended by the thousand, which a foreign key would check one by one; they go with their person all the same.
create function sync.drop_audit() returns trigger language plpgsql as $$
begin
  delete from sync.audit where user_id in (select id from gone);
  return null;
end $$;
create trigger drop_audit after delete on accounts.users
  referencing old table as gone for each statement execute function sync.drop_audit();

-- What of a person's syncing does not work, so that it is told once and not with every pass.
create table sync.troubles (
  user_id uuid not null references accounts.users on delete cascade,
  kind text not null check (kind in ('reconnect', 'stopped', 'breaker')),
  -- a connection, or the source and target of a pair
  subject text not null,
  since timestamptz not null default now(),
  told_at timestamptz,
  -- kept for a while: what comes and goes is not told each time
  healed_at timestamptz,
  primary key (user_id, kind, subject)
);
comment on column sync.troubles.user_id is '@type UserId';

-- All of a person's data in one file, for a day.
create schema takeout;

create table takeout.exports (
  id uuid primary key,
  -- one for each person
  user_id uuid not null unique references accounts.users on delete cascade,
  state text not null default 'making' check (state in ('making', 'ready', 'failed')),
  -- how far it is: parts that are in it, of how many
  done integer not null default 0,
  total integer not null default 0,
  size_bytes bigint not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
comment on column takeout.exports.user_id is '@type UserId';
create index exports_by_expiry on takeout.exports (expires_at);

-- In the database, as whichever process answers the download need not be the one that made the file.
create table takeout.chunks (
  export_id uuid not null references takeout.exports on delete cascade,
  seq integer not null,
  bytes bytea not null,
  primary key (export_id, seq)
);
alter table takeout.chunks alter column bytes set storage external; -- compressed already
