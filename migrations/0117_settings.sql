-- Who may open an account: anybody, those named, or nobody.
alter table accounts.settings
  add column sign_up text not null default 'open' check (sign_up in ('open', 'invited', 'closed')),
  -- addresses, and domains as @example.org
  add column sign_up_allowed text[] not null default '{}' check (cardinality(sign_up_allowed) <= 200);

-- What programs sign in with in place of whoever made it; only a hash of it is kept.
create table accounts.api_keys (
  id uuid primary key,
  user_id uuid not null references accounts.users on delete cascade,
  name text not null check (name <> '' and length(name) <= 60),
  token_hash bytea not null unique,
  masked text not null, -- its first and last signs
  scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ '{read,write,admin:read,admin:write}'),
  second_factor boolean not null, -- of the session it was made in
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
comment on column accounts.api_keys.user_id is '@type UserId';
create index api_keys_by_user on accounts.api_keys (user_id);

-- What the operator switched of what can be switched; what has no row is on for everybody.
create table accounts.flags (
  name text primary key,
  enabled boolean not null,
  rollout smallint not null check (rollout between 0 and 100), -- percent of people
  changed_at timestamptz not null default now()
);
