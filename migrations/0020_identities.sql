-- People at the providers they sign in with. One identity stands for one account; an account may have several.
create table access.identities (
  id uuid primary key,
  user_id uuid not null references accounts.users on delete cascade,
  provider text not null check (provider in ('google', 'microsoft', 'apple', 'zoho')),
  -- who vouches, and for whom: the one thing by which somebody is recognised
  issuer text not null,
  subject text not null,
  -- as the provider called them when they were last here; for their person to read, never to find anybody by
  label text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  constraint identities_subject unique (issuer, subject)
);
comment on column access.identities.id is '@type IdentityId';
comment on column access.identities.user_id is '@type UserId';
create index identities_by_user on access.identities (user_id);
