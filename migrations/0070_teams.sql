create schema teams;

-- Several people who take bookings together.
create table teams.teams (
  id uuid primary key,
  name text not null check (name <> '' and length(name) <= 100),
  about text not null default '' check (length(about) <= 1000), -- on its public page
  created_at timestamptz not null default now(),
  deleted_at timestamptz -- kept for a while, to be undone
);
comment on column teams.teams.id is '@type TeamId';
create index teams_deleted on teams.teams (deleted_at) where deleted_at is not null;

-- The name of a picture is what shows it: another one has another name.
create table teams.logos (
  team_id uuid primary key references teams.teams on delete cascade,
  file text not null unique,
  bytes bytea not null,
  created_at timestamptz not null default now()
);
comment on column teams.logos.team_id is '@type TeamId';

create table teams.members (
  team_id uuid not null references teams.teams on delete cascade,
  user_id uuid not null references accounts.users on delete cascade,
  role text not null check (role in ('owner', 'admin', 'editor', 'viewer')),
  shares text not null default 'busy' check (shares in ('busy', 'details')), -- what the team sees of their calendars
  joined_at timestamptz not null default now(),
  primary key (team_id, user_id)
);
comment on column teams.members.team_id is '@type TeamId';
comment on column teams.members.user_id is '@type UserId';
create index members_by_user on teams.members (user_id);
create unique index members_one_owner on teams.members (team_id) where role = 'owner';

-- A team without an owner is over, however they went.
create function teams.end_team() returns trigger language plpgsql as $$
begin
  update teams.teams set deleted_at = coalesce(deleted_at, now()) where id = old.team_id;
  return null;
end $$;
create trigger end_team after delete on teams.members
  for each row when (old.role = 'owner') execute function teams.end_team();

-- Who was asked to join; gone once it is answered. Asked again, the newest link counts.
create table teams.invitations (
  id uuid primary key,
  team_id uuid not null references teams.teams on delete cascade,
  email text not null, -- canonical; nobody else can take it
  role text not null check (role in ('admin', 'editor', 'viewer')),
  token_hash bytea not null unique, -- SHA-256
  invited_by uuid references accounts.users on delete set null,
  sent_at timestamptz not null default now(),
  expires_at timestamptz not null,
  unique (team_id, email)
);
comment on column teams.invitations.id is '@type TeamInvitationId';
comment on column teams.invitations.team_id is '@type TeamId';
comment on column teams.invitations.invited_by is '@type UserId';
create index invitations_by_email on teams.invitations (email);
create index invitations_by_inviter on teams.invitations (invited_by);

-- Whom the owner asked to own the team in their place.
create table teams.transfers (
  team_id uuid primary key,
  user_id uuid not null,
  asked_at timestamptz not null default now(),
  foreign key (team_id, user_id) references teams.members on delete cascade
);
comment on column teams.transfers.team_id is '@type TeamId';
comment on column teams.transfers.user_id is '@type UserId';
create index transfers_by_user on teams.transfers (user_id);

-- What was done in a team, for those who run it to read.
create table teams.trail (
  seq bigint generated always as identity primary key,
  team_id uuid not null references teams.teams on delete cascade,
  at timestamptz not null default now(),
  actor_id uuid references accounts.users on delete set null, -- null: gone, or the product itself
  subject_id uuid references accounts.users on delete set null, -- whom it was done to
  kind text not null,
  details jsonb not null default '{}'
);
comment on column teams.trail.team_id is '@type TeamId';
comment on column teams.trail.actor_id is '@type UserId';
comment on column teams.trail.subject_id is '@type UserId';
create index trail_by_team on teams.trail (team_id, seq);
create index trail_by_age on teams.trail (at);
create index trail_by_actor on teams.trail (actor_id);
create index trail_by_subject on teams.trail (subject_id);
