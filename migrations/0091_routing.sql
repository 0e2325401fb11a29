create schema routing;

-- What people answer to be led on: questions, rules and a fallback. A person's or a team's.
create table routing.forms (
  id uuid primary key,
  user_id uuid references accounts.users on delete cascade,
  team_id uuid references teams.teams on delete cascade,
  owner_id uuid generated always as (coalesce(user_id, team_id)) stored,
  name text not null,
  description text not null,
  slug text not null check (slug ~ '^[a-z0-9](-?[a-z0-9])*$' and length(slug) <= 64),
  active boolean not null,
  revision integer not null default 1, -- who changes it names the one they saw
  definition jsonb not null, -- features/routing/rules/form-definition.ts
  created_ms bigint not null,
  changed_ms bigint not null,
  deleted_ms bigint, -- can be taken back for 30 days
  check (num_nonnulls(user_id, team_id) = 1)
);
comment on column routing.forms.id is '@type FormId';
comment on column routing.forms.user_id is '@type UserId';
comment on column routing.forms.team_id is '@type TeamId';
create unique index forms_by_slug on routing.forms (owner_id, slug) where deleted_ms is null;
create index forms_by_user on routing.forms (user_id) where user_id is not null;
create index forms_by_team on routing.forms (team_id) where team_id is not null;

-- What somebody answered, what was decided and why: as the form was then.
create table routing.submissions (
  id uuid primary key,
  form_id uuid not null references routing.forms on delete cascade,
  revision integer not null,
  attempt text not null, -- names one sending of the page: sent twice it is one
  name text,
  email text,
  phone text,
  answers jsonb not null, -- by the ids of the questions
  said jsonb not null, -- in words
  decision jsonb not null, -- features/routing/rules/kept-decision.ts
  link_id uuid references booking.links on delete set null, -- at which the guest books
  sequence integer not null default 0, -- counts what was decided otherwise since
  created_ms bigint not null,
  unique (form_id, attempt)
);
comment on column routing.submissions.id is '@type SubmissionId';
comment on column routing.submissions.form_id is '@type FormId';
comment on column routing.submissions.link_id is '@type BookingLinkId';
create index submissions_by_form on routing.submissions (form_id, created_ms);
create index submissions_by_link on routing.submissions (link_id) where link_id is not null;
create index submissions_by_age on routing.submissions (created_ms);

-- What people decided otherwise.
create table routing.deeds (
  submission_id uuid not null references routing.submissions on delete cascade,
  sequence integer not null,
  at_ms bigint not null,
  actor_id uuid references accounts.users on delete set null,
  kind text not null check (kind in ('rerouted', 'reassigned')),
  was text not null, -- in words
  became text not null,
  primary key (submission_id, sequence)
);
comment on column routing.deeds.submission_id is '@type SubmissionId';
comment on column routing.deeds.actor_id is '@type UserId';
create index deeds_by_actor on routing.deeds (actor_id) where actor_id is not null;

-- A link that a form gave to one guest: for one booking, with some of the hosts, or with who looks after them first.
alter table booking.links
  alter column user_id drop not null,
  add column host_ids uuid[], -- null: all of the event type
  add column owner_first boolean not null default false,
  drop constraint links_kind_check,
  add check (kind in ('private', 'account', 'calendar', 'times', 'routed')),
  add check ((kind = 'routed') = (user_id is null)),
  add check (kind = 'routed' or (host_ids is null and not owner_first));
