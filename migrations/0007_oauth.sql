-- States of OAuth sign-ins that have come back, so that none does twice. Unlogged: they live for minutes.
create unlogged table platform.oauth_states (
  state_hash bytea primary key, -- SHA-256
  expires_at timestamptz not null
);

-- An account at an authorisation server has a subject instead of an address, a user name and a password.
alter table connections.connections
  add column subject text, -- issuer and subject of its identity, which no one else ever has
  add column grant_no integer not null default 0, -- counts the times its person granted access
  alter column base_url drop not null,
  alter column username drop not null,
  alter column secret drop not null,
  add constraint connections_credential check (
    subject is not null or (base_url is not null and username is not null and secret is not null)),
  add constraint connections_user_id_provider_profile_subject_key unique (user_id, provider, profile, subject);

-- What an account granted us. A row is written before its access token is used for anything.
create table connections.tokens (
  connection_id uuid primary key references connections.connections on delete cascade,
  revision bigint not null default 1, -- counts what was stored, granted or refreshed
  refresh_token text not null,
  access_token text not null,
  access_expires_at timestamptz not null,
  scopes text[] not null,
  -- whoever refreshes says so for so long: one process asks, the others wait for what it stores
  lease uuid,
  lease_until timestamptz not null default '-infinity',
  -- the server has said that the grant is gone; nobody asks again before its person has granted anew
  refused_code text,
  refused_message text
);
comment on column connections.tokens.connection_id is '@type ConnectionId';
comment on column connections.tokens.refresh_token is '@sealed';
comment on column connections.tokens.access_token is '@sealed';

-- Grants to give back, after their account has left.
create table connections.revocations (
  id uuid primary key,
  provider text not null,
  profile text not null,
  subject text not null,
  token text not null
);
comment on column connections.revocations.token is '@sealed';
