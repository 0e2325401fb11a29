-- A person's calendar or busy time as a feed for other programs. Whoever has its address can read it, so that the
-- address is kept like a password: found by its hash, sealed for its owner to copy again.
create table calendar.published_feeds (
  id uuid primary key,
  user_id uuid not null references accounts.users (id) on delete cascade,
  content text not null check (content in ('events', 'busy')),
  token_hash bytea not null unique,
  token text not null,
  created_at timestamptz not null default now(),
  last_read_at timestamptz,
  unique (user_id, content)
);
comment on column calendar.published_feeds.user_id is '@type UserId';
comment on column calendar.published_feeds.token is '@sealed';
