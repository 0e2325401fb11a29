create schema billing;

-- What is on offer. The operator edits it; nobody's data hangs on a row of it.
create table billing.plans (
  key text primary key check (key ~ '^[a-z][a-z0-9-]{0,39}$'),
  name text not null check (name <> '' and length(name) <= 60),
  description text not null default '' check (length(description) <= 200),
  amount integer not null check (amount between 0 and 99999999), -- in the smallest unit of its currency
  currency text not null check (currency ~ '^[a-z]{3}$'),
  every text not null check (every in ('month', 'year')),
  features text[] not null check (cardinality(features) <= 20),
  calendars integer check (calendars >= 0), -- accounts with calendars; null: as many as one likes
  teams integer check (teams >= 0), -- that one owns
  workflows integer check (workflows >= 0),
  history_days integer check (history_days >= 30), -- how far back analytics look
  trial_days integer check (trial_days between 1 and 365), -- this is the plan of the trial, which lasts so long
  trial_eligible boolean not null default false, -- days of the trial that are left stay free for who takes it
  active boolean not null,
  most_popular boolean not null default false,
  position integer not null,
  revision integer not null default 1,
  check (trial_days is null or amount = 0 and not trial_eligible)
);
create unique index plans_one_trial on billing.plans ((true)) where trial_days is not null;

insert into billing.plans (key, name, description, amount, currency, every, features, calendars, teams, workflows,
  history_days, trial_days, trial_eligible, active, most_popular, position)
values
  ('trial', 'Free Trial', 'Everything a person needs, to try it out.', 0, 'usd', 'month',
    '{Four calendar connections,Real-time sync,Meeting links}', 4, 0, 5, 90, 30, false, true, false, 1),
  ('pro', 'Pro', 'For power users and small teams.', 1200, 'usd', 'month',
    '{Unlimited calendar connections,Real-time sync,Meeting links,Priority support}', null, 1, 20, 365, null, true, true, true, 2),
  ('business', 'Business', 'Advanced analytics and team features.', 2900, 'usd', 'month',
    '{Unlimited calendar connections,Real-time sync,Meeting links,Priority support,Advanced analytics,Team features}',
    null, null, null, null, null, true, true, false, 3),
  ('free', 'Free', '', 0, 'usd', 'month', '{Two calendar connections,Real-time sync,Meeting links}', 2, 0, 1, 30, null, false, false, false, 4),
  ('basic', 'Basic', '', 1599, 'usd', 'month', '{Four calendar connections,Real-time sync,Meeting links}', 4, 0, 5, 90, null, true, false, false, 5),
  ('pro-sample', 'Pro (sample)', '', 2999, 'usd', 'month',
    '{Unlimited calendar connections,Real-time sync,Meeting links,Priority support}', null, 1, 20, 365, null, true, false, false, 6),
  ('enterprise', 'Enterprise', '', 9999, 'usd', 'month',
    '{Unlimited calendar connections,Real-time sync,Meeting links,Priority support,Advanced analytics,Team features}',
    null, null, null, null, null, true, false, false, 7);

-- One row for each person whom a plan was asked about: what they may add is decided while it is held.
create table billing.people (
  user_id uuid primary key references accounts.users on delete cascade,
  trial_started_ms bigint, -- null: there was no trial to have
  trial_ends_ms bigint,
  customers_lost integer not null default 0, -- that somebody deleted at Stripe: the next one has another idempotency key
  check ((trial_started_ms is null) = (trial_ends_ms is null)),
  check (trial_ends_ms - trial_started_ms between 0 and 31536000000) -- a year, extensions included
);
comment on column billing.people.user_id is '@type UserId';

-- What Stripe knows a person as, with keys for tests and for real money apart.
create table billing.customers (
  id text primary key,
  user_id uuid not null references billing.people on delete cascade,
  live boolean not null,
  reading bigint not null default 0, -- counts the readings that were begun
  kept bigint not null default 0, -- the newest that was stored: none that began earlier is stored after it
  read_at timestamptz,
  unique (user_id, live)
);
comment on column billing.customers.user_id is '@type UserId';
create index customers_by_reading on billing.customers (live, read_at);

-- As last fetched from Stripe; never written for any other reason.
create table billing.subscriptions (
  id text primary key,
  customer_id text not null references billing.customers on delete cascade,
  item_id text not null,
  status text not null check (status in ('incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'canceled',
    'unpaid', 'paused')),
  price_id text not null,
  amount integer not null,
  currency text not null,
  every text not null,
  started_ms bigint not null,
  period_ends_ms bigint not null,
  trial_ends_ms bigint,
  cancels_ms bigint, -- it ends then by itself
  ended_ms bigint,
  unpaid_since_ms bigint, -- of the oldest invoice that nobody has paid yet
  next_amount integer -- of the next invoice, discounts and tax included
);
create index subscriptions_by_customer on billing.subscriptions (customer_id);

create table billing.invoices (
  id text primary key,
  customer_id text not null references billing.customers on delete cascade,
  number text,
  status text not null check (status in ('draft', 'open', 'paid', 'void', 'uncollectible')),
  total integer not null,
  currency text not null,
  created_ms bigint not null,
  paid_ms bigint,
  next_attempt_ms bigint, -- when the card is tried again
  page_url text,
  pdf_url text
);
create index invoices_by_customer on billing.invoices (customer_id, created_ms desc);
create index invoices_by_creation on billing.invoices (created_ms desc, id desc);

-- A price at Stripe cannot be changed: another amount is another price, and who has the old one keeps it.
create table billing.prices (
  id text primary key,
  plan_key text not null references billing.plans,
  live boolean not null,
  amount integer not null,
  currency text not null,
  every text not null,
  unique (plan_key, live, amount, currency, every)
);

-- How the pages of Stripe are set for our customers.
create table billing.portals (
  live boolean primary key,
  configuration_id text not null
);

-- What we were told already.
create table billing.events (
  id text primary key,
  received_at timestamptz not null default now()
);
create index events_by_age on billing.events (received_at);

-- What was asked of Stripe for a person: written down before it is asked, and what came of it after.
create table billing.intents (
  id uuid primary key,
  user_id uuid not null references billing.people on delete cascade,
  kind text not null check (kind in ('checkout', 'change', 'cancel', 'keep')),
  details jsonb not null,
  asked_at timestamptz not null default now(),
  outcome text, -- null: not known
  ended_at timestamptz
);
comment on column billing.intents.user_id is '@type UserId';
create index intents_by_person on billing.intents (user_id, asked_at);

-- Customers of people who left: their subscriptions are still to be ended. Stays when the person is gone.
create table billing.departures (
  customer_id text primary key,
  live boolean not null,
  asked_at timestamptz not null default now()
);
