-- Who people are (accounts) and how they prove it (access) are two things: no secret stands beside a name.
create schema access;

create table access.passwords (
  user_id uuid primary key references accounts.users on delete cascade,
  -- argon2id in its usual text form
  hash text not null,
  changed_at timestamptz not null default now()
);
comment on column access.passwords.user_id is '@type UserId';
insert into access.passwords (user_id, hash) select id, password_hash from accounts.users where password_hash is not null;

alter table accounts.users
  drop column password_hash,
  add column email_verified_at timestamptz,
  -- since when a second factor is asked for at every door
  add column mfa_enabled_at timestamptz;
-- Accounts from before there was mail were used under their address all along.
update accounts.users set email_verified_at = created_at;

alter table accounts.sessions
  -- when its person last proved who they are; sensitive acts ask for a recent proof
  add column authenticated_at timestamptz not null default now(),
  -- whether a second factor was part of it
  add column second_factor boolean not null default false,
  -- the door: password, passkey, google, microsoft, ...
  add column method text not null default 'password';
