-- A team's workflow goes with its team; whoever made it can leave. Tags are for finding them.
alter table workflows.workflows
  add foreign key (team_id) references teams.teams on delete cascade,
  add column tags text[] not null default '{}';
