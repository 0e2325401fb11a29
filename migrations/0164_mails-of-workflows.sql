-- Somebody who has not shown to read an address gets one mail of all workflows about one booking or form: the first run
-- that reaches the address has it.
create table workflows.first_mails (
  subject text not null,
  address text not null,
  run_id uuid not null references workflows.runs (id) on delete cascade,
  primary key (subject, address)
);
create index first_mails_by_run on workflows.first_mails (run_id);
comment on column workflows.first_mails.run_id is '@type RunId';
-- Addresses that a host's workflows have written to. Their mails carry the id: whoever has it stops the next.
create table workflows.readers (
  id uuid primary key,
  user_id uuid not null references accounts.users (id) on delete cascade,
  address text not null,
  stopped_at timestamptz,
  unique (user_id, address)
);
comment on column workflows.readers.user_id is '@type UserId';
