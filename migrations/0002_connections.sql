create schema connections;

-- An account at a provider.
create table connections.connections (
  id uuid primary key,
  user_id uuid not null references accounts.users on delete cascade,
  provider text not null, -- registry name: caldav, google, microsoft, ics, holdfast
  profile text not null default 'generic', -- icloud, zoho, fastmail, nextcloud, davmail, generic
  label text not null, -- what the person sees: an e-mail address or user name
  base_url text not null,
  username text not null,
  secret text not null, -- sealed: connections.connections:<id>:secret
  addresses text[] not null default '{}', -- the owner's calendar user addresses, for "self" among attendees
  status text not null default 'active' check (status in ('active', 'error', 'needs-reconnect', 'disconnecting')),
  status_code text,
  status_message text,
  listed_at timestamptz, -- when its provider last told us its calendars
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, provider, base_url, username)
);
comment on column connections.connections.id is '@type ConnectionId';
comment on column connections.connections.user_id is '@type UserId';
comment on column connections.connections.secret is '@sealed';

create table connections.calendars (
  id uuid primary key,
  connection_id uuid not null references connections.connections on delete cascade,
  user_id uuid not null references accounts.users on delete cascade,
  ref text not null, -- the provider's name of it
  name text not null,
  color text not null, -- #rrggbb
  zone text not null default 'UTC', -- of floating times
  writable boolean not null,
  is_primary boolean not null default false,
  include_in_unified boolean not null default true, -- takes part in availability and the unified calendar
  visible boolean not null default true, -- shown in the calendar screen
  removed_at timestamptz, -- the provider no longer lists it; kept with everything we know
  -- health, reported by sync
  last_synced_at timestamptz, -- last successful pull
  failures integer not null default 0, -- in a row
  error_code text,
  error_message text,
  created_at timestamptz not null default now(),
  unique (connection_id, ref)
);
comment on column connections.calendars.id is '@type CalendarId';
comment on column connections.calendars.connection_id is '@type ConnectionId';
comment on column connections.calendars.user_id is '@type UserId';
create index calendars_by_user on connections.calendars (user_id);

-- One row: the secret that proves a block is ours, whoever's database is restored where. Sealed.
create table connections.install (
  only_one boolean primary key default true check (only_one),
  mirror_secret text not null
);
comment on column connections.install.mirror_secret is '@sealed';
