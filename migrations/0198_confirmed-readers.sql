-- Words of a host go to readers who have confirmed their address. Until then their runs wait, and a mail with fixed words
-- asks them once a day.
alter table workflows.readers
  add column asked_at timestamptz,
  add column confirmed_at timestamptz;
create index readers_by_address on workflows.readers (address);
create table workflows.waiting_runs (
  reader_id uuid not null references workflows.readers (id) on delete cascade,
  run_id uuid not null references workflows.runs (id) on delete cascade,
  primary key (reader_id, run_id)
);
create index waiting_runs_by_run on workflows.waiting_runs (run_id);
comment on column workflows.waiting_runs.run_id is '@type RunId';
drop table workflows.first_mails;
