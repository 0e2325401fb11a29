-- Notices on the devices of a person while no window is open.

-- Proves to push services that it is this install that sends. Made once: another key would end what all devices agreed to.
create table inbox.push_key (
  id boolean primary key default true check (id),
  public_key text not null,
  private_key text not null
);
comment on column inbox.push_key.private_key is '@sealed';

-- A browser that agreed to be sent notices. It ends with the session that it was turned on in.
create table inbox.devices (
  id uuid primary key,
  user_id uuid not null references accounts.users on delete cascade,
  session_id uuid not null unique references accounts.sessions on delete cascade,
  -- so that nobody has more of them, however many are turned on at once
  slot int not null check (slot between 1 and 10),
  -- whoever knows the address of a device can write to it: it is within what is sealed
  subscription text not null,
  endpoint_hash bytea not null unique,
  host text not null,
  user_agent text,
  -- in a row
  refusals int not null default 0,
  created_at timestamptz not null default now(),
  -- what its person should know of
  looked_at timestamptz not null default now(),
  unique (user_id, slot)
);
comment on table inbox.devices is '@momentary';
comment on column inbox.devices.user_id is '@type UserId';
comment on column inbox.devices.session_id is '@type SessionId';
comment on column inbox.devices.subscription is '@sealed';
create index devices_to_look_for on inbox.devices (looked_at);

-- A notice on its way to a device: once, whatever becomes of it.
create table inbox.pushes (
  id uuid primary key,
  device_id uuid not null references inbox.devices on delete cascade,
  notice_id uuid not null references inbox.notices on delete cascade,
  -- what was over for a day is told again
  notice_at timestamptz not null,
  state text not null default 'queued' check (state in ('queued', 'sending', 'sent', 'failed')),
  attempts int not null default 0,
  error text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  unique (device_id, notice_id, notice_at)
);
comment on table inbox.pushes is '@momentary';
create index pushes_of_notices on inbox.pushes (notice_id);
create index pushes_by_time on inbox.pushes (created_at);
