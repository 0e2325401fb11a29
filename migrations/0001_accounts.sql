create schema accounts;

create table accounts.users (
  id uuid primary key,
  -- canonical form (NFKC, lower-cased domain and local part): one person, one row
  email text not null unique,
  name text,
  company text,
  phone text,
  avatar_url text,
  role text not null default 'user' check (role in ('user', 'admin')),
  password_hash text,
  zone text not null default 'UTC',
  locale text not null default 'en-US',
  time_format text not null default '12h' check (time_format in ('12h', '24h')),
  date_format text not null default 'YYYY-MM-DD',
  week_start smallint not null default 7 check (week_start between 1 and 7), -- ISO weekday, 7 = Sunday
  notifications jsonb not null default '{"bookingReminders": true, "syncErrors": true, "productUpdates": false}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on column accounts.users.id is '@type UserId';

create table accounts.sessions (
  id uuid primary key,
  user_id uuid not null references accounts.users on delete cascade,
  -- SHA-256 of the opaque token; the token itself is never stored
  token_hash bytea not null unique,
  user_agent text,
  ip text,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null
);
comment on column accounts.sessions.id is '@type SessionId';
comment on column accounts.sessions.user_id is '@type UserId';
create index sessions_by_user on accounts.sessions (user_id);
create index sessions_by_expiry on accounts.sessions (expires_at);
