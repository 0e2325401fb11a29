-- The first part of a team's addresses: among those of people, and like theirs.
alter table booking.handles
  add column team_id uuid references teams.teams on delete set null,
  add column owner_id uuid generated always as (coalesce(user_id, team_id)) stored,
  drop constraint handles_check,
  drop constraint handles_check1,
  add check (num_nonnulls(user_id, team_id) <= 1),
  add check ((handle is null) = (num_nonnulls(user_id, team_id) = 0)),
  add check (handle is not null or free_at is not null);
comment on column booking.handles.team_id is '@type TeamId';
create unique index handles_in_use_by_team on booking.handles (team_id) where free_at is null;
create index handles_by_owner on booking.handles (owner_id);
create index handles_by_team on booking.handles (team_id);

drop trigger forget_handle on booking.handles;
create trigger forget_handle before update on booking.handles
  for each row when (new.user_id is null and new.team_id is null) execute function booking.forget_handle();
