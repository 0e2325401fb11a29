-- The set-up link is a secret: one start prints it, and not the log of every start.
create table access.set_up_link (
  only_row boolean primary key default true check (only_row),
  printed_at timestamptz not null default now()
);
