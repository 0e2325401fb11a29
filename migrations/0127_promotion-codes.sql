-- What the operator gives away: money off, which Stripe takes off, days of the trial, or both.
create table billing.codes (
  id uuid primary key,
  code text not null unique check (code ~ '^[A-Z0-9][A-Z0-9-]{3,39}$'),
  percent smallint check (percent between 1 and 100),
  amount integer check (amount between 1 and 99999999), -- of the smallest unit
  currency text check (currency ~ '^[a-z]{3}$'),
  months smallint check (months between 1 and 36), -- so long it takes something off; null: for good
  extra_days smallint check (extra_days between 1 and 365),
  max_uses integer check (max_uses between 1 and 1000000),
  uses integer not null default 0 check (uses >= 0 and uses <= coalesce(max_uses, uses)),
  expires_ms bigint,
  made_at timestamptz not null default now(),
  ended_at timestamptz,
  check (num_nonnulls(percent, amount) <= 1),
  check ((amount is null) = (currency is null)),
  check (num_nonnulls(percent, amount, extra_days) > 0)
);

-- Who has used which.
create table billing.redemptions (
  code_id uuid not null references billing.codes,
  user_id uuid not null references billing.people on delete cascade,
  redeemed_ms bigint not null,
  primary key (user_id, code_id)
);
comment on column billing.redemptions.user_id is '@type UserId';
create index redemptions_by_code on billing.redemptions (code_id);
