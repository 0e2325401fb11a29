-- What a person wants of syncing in general. No row: the product's defaults.
create table sync.settings (
  user_id uuid primary key references accounts.users on delete cascade,
  -- mirrored by groups that do not say otherwise; null: as the product does
  past_days integer check (past_days between 0 and 365),
  future_days integer check (future_days between 1 and 730),
  -- while nobody looks, no calendar is read more often than this; null: as its provider allows
  poll_seconds integer check (poll_seconds between 60 and 86400),
  -- the freshness contract: what availability does with a calendar that could not be read for so long
  on_stale text not null default 'warn' check (on_stale in ('block', 'warn', 'ignore')),
  stale_after_minutes integer not null default 30 check (stale_after_minutes between 5 and 10080)
);
comment on column sync.settings.user_id is '@type UserId';
