-- What happened to somebody's account, for them to look through.
create table accounts.trail (
  id uuid primary key,
  -- the order of what happened; ids of one millisecond have none
  seq bigint generated always as identity,
  user_id uuid not null references accounts.users on delete cascade,
  at timestamptz not null default now(),
  kind text not null,
  -- absent where no request was behind it: the operator's own hand
  ip text,
  user_agent text,
  -- a few plain values, never a secret
  details jsonb not null default '{}' check (jsonb_typeof(details) = 'object' and pg_column_size(details) <= 1000)
);
comment on column accounts.trail.user_id is '@type UserId';
create index trail_by_user on accounts.trail (user_id, seq);
create index trail_by_age on accounts.trail (at);

create table access.passkeys (
  id uuid primary key,
  user_id uuid not null references accounts.users on delete cascade,
  -- what the authenticator calls it; no two people have the same
  credential_id bytea not null constraint passkeys_credential unique,
  -- COSE; public, so neither sealed nor hashed
  public_key bytea not null,
  -- counts its uses where the authenticator does; one that goes back is a copy
  sign_count bigint not null default 0,
  transports text[] not null default '{}',
  -- whether it is synchronised between its person's devices
  is_synced boolean not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
comment on column access.passkeys.id is '@type PasskeyId';
comment on column access.passkeys.user_id is '@type UserId';
create index passkeys_by_user on access.passkeys (user_id);

-- Challenges that an authenticator has answered, so that none is answered twice. Unlogged: they live for minutes.
create unlogged table access.spent_challenges (
  challenge_hash bytea primary key, -- SHA-256
  expires_at timestamptz not null
);
