create schema site;

-- Who wants news by mail. An address counts once its owner has pressed the button in the mail that went there.
create table site.subscribers (
  id uuid primary key, -- in the link that ends it
  email citext not null unique,
  token_hash bytea unique, -- of the link that confirms it; null once it was used
  asked_at timestamptz not null default now(),
  confirmed_at timestamptz,
  check (token_hash is null or confirmed_at is null)
);
create index subscribers_waiting on site.subscribers (asked_at) where confirmed_at is null;
