-- What happens by itself when something happens to a booking, in versions, and every run of every step with its outcome.
create schema workflows;

create table workflows.workflows (
  id uuid primary key,
  user_id uuid not null references accounts.users on delete cascade, -- whose it is; of a team's who made it
  team_id uuid, -- null: it is about its person's own bookings
  name text not null,
  active boolean not null,
  version integer not null, -- the one in force; counts on with every change
  trigger text not null, -- of that version, features/workflows/rules/definition.ts
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz -- can be taken back for 30 days
);
comment on column workflows.workflows.id is '@type WorkflowId';
comment on column workflows.workflows.user_id is '@type UserId';
comment on column workflows.workflows.team_id is '@type TeamId';
create index workflows_by_user on workflows.workflows (user_id);
create index workflows_by_team on workflows.workflows (team_id) where team_id is not null;

-- Never changed: a run names the one it was planned by.
create table workflows.versions (
  workflow_id uuid not null references workflows.workflows on delete cascade,
  n integer not null,
  definition jsonb not null, -- features/workflows/rules/definition.ts
  author_id uuid references accounts.users on delete set null,
  created_ms bigint not null,
  primary key (workflow_id, n)
);
comment on column workflows.versions.workflow_id is '@type WorkflowId';
comment on column workflows.versions.author_id is '@type UserId';

-- A step for one matter, once for each time the matter calls for it.
create table workflows.runs (
  id uuid primary key,
  workflow_id uuid not null references workflows.workflows on delete cascade,
  user_id uuid not null references accounts.users on delete cascade, -- of the workflow
  step_id uuid not null,
  version integer not null,
  position integer not null, -- of the step
  kind text not null, -- of its action
  subject text not null, -- the matter: `booking <id>`, or what else happened
  booking_id uuid references booking.bookings on delete cascade,
  occurrence integer not null,
  -- handed: with the outbox, which tells its end. dead: given up, until somebody says to try again
  state text not null check (state in ('planned', 'claimed', 'handed', 'done', 'skipped', 'dead')),
  reason text, -- of what was not done
  facts jsonb, -- of a matter that is no booking
  due_ms bigint not null,
  about_ms bigint, -- the start or end that it is planned by
  next_ms bigint, -- when it is looked at next; null once it is settled
  attempts integer not null default 0, -- counts on with each claim: outcomes of an older one are not taken
  generation integer not null default 0, -- how often somebody said to try again
  begun boolean not null default false, -- this attempt has spoken with a service that cannot tell a repetition
  reference text, -- what the other side calls it; the keys of its mails
  created_ms bigint not null,
  settled_ms bigint, -- when it ended, or was handed to the outbox
  unique (workflow_id, step_id, subject, occurrence),
  check ((state in ('planned', 'claimed', 'handed')) = (next_ms is not null))
);
comment on column workflows.runs.id is '@type RunId';
comment on column workflows.runs.workflow_id is '@type WorkflowId';
comment on column workflows.runs.user_id is '@type UserId';
comment on column workflows.runs.step_id is '@type StepId';
comment on column workflows.runs.booking_id is '@type BookingId';
create index runs_due on workflows.runs (next_ms, position) where state in ('planned', 'claimed');
create index runs_handed on workflows.runs (next_ms) where state = 'handed';
-- how many mails somebody's workflows sent within a day
create index runs_mailed on workflows.runs (user_id, settled_ms) where kind = 'send-email' and state in ('handed', 'done');
create index runs_by_booking on workflows.runs (booking_id);
create index runs_of_workflow on workflows.runs (workflow_id, created_ms, id);

-- What each attempt came to.
create table workflows.attempts (
  run_id uuid not null references workflows.runs on delete cascade,
  generation integer not null,
  n integer not null,
  at_ms bigint not null,
  outcome text not null check (outcome in ('done', 'refused', 'again', 'unknown')),
  reason text,
  primary key (run_id, generation, n)
);
comment on column workflows.attempts.run_id is '@type RunId';

-- Addresses that are neither host nor guest, and were shown to be read by somebody who wants this.
create table workflows.addresses (
  user_id uuid not null references accounts.users on delete cascade,
  address text not null, -- lower case
  code_hash bytea, -- SHA-256 of what was mailed there; null once it was confirmed
  tries integer not null default 0,
  asked_ms bigint not null,
  confirmed_ms bigint,
  primary key (user_id, address)
);
comment on column workflows.addresses.user_id is '@type UserId';
