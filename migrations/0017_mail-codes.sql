-- What went out by mail to prove an address: one living code for each person and purpose, a newer one takes the older's place.
create table access.mail_codes (
  user_id uuid not null references accounts.users on delete cascade,
  purpose text not null check (purpose in ('verify', 'reset', 'change-email')),
  -- the address it was sent to, the only one it proves
  email text not null,
  -- SHA-256 of the code (128 bits); the code itself is in the mail alone
  code_hash bytea not null unique,
  expires_at timestamptz not null,
  primary key (user_id, purpose)
);
comment on column access.mail_codes.user_id is '@type UserId';
create index mail_codes_by_expiry on access.mail_codes (expires_at);

-- Whether the set-up link that makes the first administrator has been used. It never works twice.
create table access.set_up (
  only_row boolean primary key default true check (only_row),
  used_at timestamptz not null default now()
);
