-- What the operator has decided for the whole install: one row.
create table accounts.settings (
  only_row boolean primary key default true check (only_row),
  -- whether the rights of an administrator need a second factor
  require_admin_mfa boolean not null default true
);
insert into accounts.settings default values;

-- The key that an authenticator app shares with us.
create table access.totp (
  user_id uuid primary key references accounts.users on delete cascade,
  secret text not null,
  -- time step (30 s each since 1970) of the last code that was taken: none works twice
  last_step bigint not null,
  created_at timestamptz not null default now()
);
comment on column access.totp.user_id is '@type UserId';
comment on column access.totp.secret is '@sealed';

-- What stands in for the app where it is lost. A code is used by deleting its row.
create table access.backup_codes (
  user_id uuid not null references accounts.users on delete cascade,
  -- SHA-256 of user and code; the code has 80 random bits
  code_hash bytea not null,
  primary key (user_id, code_hash)
);
comment on column access.backup_codes.user_id is '@type UserId';

-- Between the first proof and the second: good for the second factor's calls and for nothing else.
create table access.challenges (
  id uuid primary key,
  -- SHA-256 of the opaque token; the token itself is never stored
  token_hash bytea not null unique,
  user_id uuid not null references accounts.users on delete cascade,
  purpose text not null check (purpose in ('mfa-verify', 'mfa-enroll')),
  -- the session it was asked from, which alone may answer; none on the way in
  session_id uuid references accounts.sessions on delete cascade,
  -- what was proved and asked for on the way in: see Proof in finish-sign-in.ts
  method text not null,
  door text not null check (door in ('user', 'admin')),
  -- the new key while it is being set up
  secret text,
  attempts smallint not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
comment on column access.challenges.user_id is '@type UserId';
comment on column access.challenges.session_id is '@type SessionId';
comment on column access.challenges.secret is '@sealed';
create index challenges_by_user on access.challenges (user_id);
create index challenges_by_session on access.challenges (session_id);
create index challenges_by_expiry on access.challenges (expires_at);
