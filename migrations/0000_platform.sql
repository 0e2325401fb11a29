-- pg_trgm: searching by parts of words. btree_gist: exclusion of overlapping ranges per key. citext: text without case.
-- All three are trusted extensions: an ordinary owner of the database may create them.
create extension if not exists pg_trgm with schema public;
create extension if not exists btree_gist with schema public;
create extension if not exists citext with schema public;

create schema platform;

-- What open browsers are told; kept a while, so that a stream that broke can go on where it stopped (Last-Event-ID).
create table platform.feed (
  id bigint generated always as identity primary key,
  user_id uuid not null,
  topic text not null,
  payload jsonb not null default '{}',
  at timestamptz not null default now()
);
comment on column platform.feed.user_id is '@type UserId';
create index feed_by_user on platform.feed (user_id, id);
create index feed_by_age on platform.feed (at);

-- Allowances (sign-in attempts and the like) shared by all processes. Unlogged: a crash forgets attempts, nothing else.
create unlogged table platform.limits (
  -- SHA-256 of action and subject: an e-mail address or an IP address is not kept for this
  key bytea primary key,
  -- when the allowance is whole again; how far that is ahead says how much of it is used
  full_at timestamptz not null
);
create index limits_by_end on platform.limits (full_at);
